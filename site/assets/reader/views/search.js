import { element, heading, withMarks } from '../../element.js'
import { get } from '../api.js'
import { inLanguage } from '../language.js'
import { growingList, linkTo, pageLink } from '../links.js'
import { say } from '../words.js'

/** The search results, with the matches marked. */
export const search = async ({ q, locale: requestedLocale }, { wiki, signal }) => {
  const locale = requestedLocale ?? wiki.locale
  const getPart = (offset) => get('/search', { q, locale, limit: '10', offset }, signal)
  const first = await getPart('')
  const title = `${say('Search')}: ${q}`
  const { items, next, did_you_mean: meant } = first
  const count = say('Results: {0}', next ? `${items.length}+` : items.length)
  const results =
    items.length > 0
      ? [element('p', { class: 'quiet' }, count), ...growingList(first, getPart, hitRow)]
      : [element('p', {}, say('No results. Try fewer or other words, or another language.'))]
  const correction = element('p', { hidden: !meant }, `${say('Did you mean')}: `)
  if (meant) correction.append(linkTo({ view: 'search', q: meant, locale }, meant, inLanguage(locale)))
  return { title, locale, q, content: [heading(title), correction, ...results] }
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
