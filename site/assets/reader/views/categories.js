import { element } from '../../element.js'
import { get } from '../api.js'
import { categoryRow, growingList, viewOf } from '../links.js'
import { say } from '../words.js'

/** All categories of one language, with the number of their pages. */
export const categories = async ({ locale: requestedLocale }, { wiki, signal }) => {
  const locale = requestedLocale ?? wiki.locale
  const getPart = (after) => get('/categories', { locale, limit: '90', after }, signal)
  const row = (one) => categoryRow(one, locale)
  const title = say('Categories')
  const first = await getPart('')
  const list =
    first.items.length > 0
      ? growingList(first, getPart, row, { class: 'rows columns' })
      : [element('p', {}, say('There are no categories.'))]
  return { title, locale, content: viewOf(title, ...list) }
}
