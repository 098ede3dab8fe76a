import { element, heading, withMarks } from '../../element.js'
import { get } from '../api.js'
import { inLanguage } from '../language.js'
import { growingList, pageLink } from '../links.js'
import { say } from '../words.js'

/** The search results, with the matches marked. */
export const search = async ({ q, locale: requestedLocale }, { wiki, signal }) => {
  const locale = requestedLocale ?? wiki.locale
  const getPart = (offset) => get('/search', { q, locale, limit: '10', offset }, signal)
  const first = await getPart('')
  const title = `${say('Search')}: ${q}`
  const results =
    first.items.length > 0
      ? growingList(first, getPart, hitRow)
      : [element('p', {}, say('No results. Try fewer or other words, or another language.'))]
  return { title, locale, q, content: [heading(title), ...results] }
}

const hitRow = (hit) =>
  element(
    'li',
    {},
    element('h2', {}, pageLink(hit)),
    ...hit.passages.map((passage) =>
      element('p', { class: 'passage', ...inLanguage(hit.locale) }, ...withMarks(passage)),
    ),
  )
