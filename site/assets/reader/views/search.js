import { get } from '../api.js'
import { element, heading } from '../element.js'
import { inLanguage } from '../language.js'
import { growingList, pageLink } from '../links.js'

/** Pages that match, with what matched marked. */
export const search = async ({ q, locale: asked }, { wiki, signal }) => {
  const locale = asked ?? wiki.locale
  const getPart = (offset) => get('/search', { q, locale, limit: '10', offset }, signal)
  const first = await getPart('')
  const title = `Search: ${q}`
  const found =
    first.items.length > 0
      ? growingList(first, getPart, hitRow)
      : [element('p', {}, 'No results. Try fewer or other words, or another language.')]
  return { title, locale, q, content: [heading(title), ...found] }
}

const hitRow = (hit) =>
  element(
    'li',
    {},
    element('h2', {}, pageLink(hit)),
    ...hit.passages.map((passage) =>
      element('p', { class: 'passage', ...inLanguage(hit.locale) }, ...marked(passage)),
    ),
  )

/** Offsets count UTF-16 code units, as JavaScript does. */
const marked = ({ text, highlights }) => {
  const parts = []
  let at = 0
  for (const [start, end] of highlights) {
    parts.push(text.slice(at, start), element('mark', {}, text.slice(start, end)))
    at = end
  }
  return [...parts, text.slice(at)]
}
