import { get } from '../api.js'
import { categoryRow, listOr, viewOf } from '../links.js'
import { say } from '../words.js'

/** All categories of one language, with the number of their pages. */
export const categories = async ({ locale }, { signal }) => {
  const getPart = (after) => get('/categories', { locale, limit: '90', after }, signal)
  const row = (one) => categoryRow(one, locale)
  const title = say('Categories')
  const first = await getPart('')
  const list = listOr('There are no categories.', first, getPart, row, { class: 'rows columns' })
  return { title, locale, content: viewOf(title, ...list) }
}
