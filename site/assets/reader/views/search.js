import { element, withMarks } from '../../element.js'
import { get, getUntil } from '../api.js'
import { rootOf } from '../folder.js'
import { inLanguage, languageName } from '../language.js'
import { growingList, linkTo, nearItems, pageLink, viewOf } from '../links.js'
import { Near } from '../near.js'
import { headingOf, passagesOf, urlOfPassage } from '../passages.js'
import { crumbsOf } from '../title-paths.js'
import { urlOf } from '../view-targets.js'
import { say } from '../words.js'

/**
 * The search results, with the matches marked. If the query has a typo and at most one result, these are those of
 * the query without it. `all`: in all languages, of which each result then tells its own.
 */
export const search = async ({ q, all, locale }, { wiki, signal }) => {
  let ns = 'main' // few look for a template
  const read = (words, offset) => get('/search', { q: words, locale, all, ns, limit: '10', offset }, signal)
  const [ofMain] = await Promise.all([read(q, ''), rootOf({ locale })])
  const meant = ofMain.did_you_mean
  const isMissing = ofMain.items.length === 0 && meant === undefined
  if (isMissing) ns = undefined
  const typed = isMissing ? await read(q, '') : ofMain
  const isCorrected = meant !== undefined && typed.items.length <= 1
  const first = isCorrected ? await read(meant, '') : typed
  const getPart = (offset) => read(isCorrected ? meant : q, offset)
  const { items, next } = first
  const count = say('{0, plural, one {# result} other {# results}}', next ? `${items.length}+` : items.length)
  const hitRow = (hit) => rowOf(hit, all && languageName(wiki, hit.locale))
  const nearby = async () => {
    const near = new Near({ get: getUntil(signal), say, locale, locales: wiki.locales })
    const links = nearItems(await near.results({ q, all }), locale)
    const text = say('No results. Check the spelling, or try fewer or other words.')
    return [element('p', {}, text), element('ul', { class: 'cards' }, ...links)]
  }
  const results =
    items.length > 0
      ? [element('p', { class: 'quiet' }, count), ...growingList(first, getPart, hitRow)]
      : await nearby()
  const correction = element('p', { hidden: !meant })
  if (isCorrected) correction.append(say('Showing results for “{0}”.', meant))
  else if (meant) {
    const link = linkTo({ view: 'search', q: meant, all, locale }, meant, inLanguage(locale))
    correction.append(`${say('Did you mean')}: `, link)
  }
  const title = `${say('Search')}: ${q}`
  return { title, locale, q, content: viewOf(title, correction, ...results) }
}

/** @param {string} [language] */
const rowOf = (hit, language) =>
  element(
    'li',
    {},
    element(
      'h2',
      {},
      pageLink(hit),
      ...(language ? [' ', element('small', inLanguage(hit.locale), language)] : []),
    ),
    ...crumbsOf(hit),
    ...passagesOf(hit).map((passage) =>
      element(
        'p',
        { class: 'passage', ...inLanguage(hit.locale, passage.text) },
        ...sectionOf(hit, passage),
        ...withMarks(passage),
      ),
    ),
  )

/** A link to the section of a passage. */
const sectionOf = (hit, passage) => {
  const heading = headingOf(hit, passage)
  return heading ? [element('a', { href: urlOfPassage(hit, passage, urlOf) }, heading), ' '] : []
}
