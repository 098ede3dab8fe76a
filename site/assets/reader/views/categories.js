import { heading } from '../../element.js'
import { get } from '../api.js'
import { categoryRow, growingList } from '../links.js'
import { say } from '../words.js'

/** All categories of one language, with the number of their pages. */
export const categories = async ({ locale: requestedLocale }, { wiki, signal }) => {
  const locale = requestedLocale ?? wiki.locale
  const getPart = (after) => get('/categories', { locale, limit: '90', after }, signal)
  const row = (one) => categoryRow(one, locale)
  const title = say('Categories')
  const list = growingList(await getPart(''), getPart, row, { class: 'rows columns' })
  return { title, locale, content: [heading(title), ...list] }
}
