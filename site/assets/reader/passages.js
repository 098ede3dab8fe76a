/* Passages of results, as lists show them: in browsers, and in the service that writes a view without scripts. */

import { sectionIdOf } from './names.js'

const PASSAGES_MAX = 2
/** The share of its words that makes a passage a repetition. */
const ALIKE = 0.6
/** Of a passage, two lines are shown, which are long in a wide window. */
const isWide = globalThis.matchMedia?.('(min-width: 60rem)').matches
/** Characters before its match, at most; half of them if letters are wide. */
const BEFORE_MAX = isWide ? 140 : 60
const MORE = '… '

/** @template {{ text: string, highlights: number[][] }} P @param {{ passages: P[] }} hit a result @returns {P[]} */
export const passagesOf = ({ passages }) =>
  passages
    .filter(({ text }, i) => i === 0 || !areAlike(text, passages[0].text))
    .slice(0, PASSAGES_MAX)
    .map(fromMatch)

/** The heading of the section of a passage. Empty: it stands before the first one, or below the title of the page. */
export const headingOf = ({ title }, { heading }) => (heading === title ? '' : heading)

/** The URL of the section of a passage, or of its page. */
export const urlOfPassage = (hit, passage, urlOf) => {
  const heading = headingOf(hit, passage)
  const url = urlOf({ view: 'page', path: hit.path, locale: hit.locale })
  return heading ? `${url}#${encodeURIComponent(sectionIdOf(heading))}` : url
}

/** Whether a passage says what another one says: most of its words are there. */
const areAlike = (text, other) => {
  const wordsOf = (one) => new Set(one.toLowerCase().match(/[\p{L}\p{N}]+/gu))
  const [words, others] = [wordsOf(text), wordsOf(other)]
  return [...words].filter((word) => others.has(word)).length > words.size * ALIKE
}

const fromMatch = (passage) => {
  const { text, highlights } = passage
  const most = /[\u3040-\u9fff\uac00-\ud7af]/.test(text) ? BEFORE_MAX / 2 : BEFORE_MAX
  const match = highlights[0]?.[0] ?? 0
  if (match <= most) return passage
  const words = text.slice(match - Math.round(most / 1.5), match)
  // Not from the middle of a word, nor between the halves of a letter.
  const start = match - words.replace(/^\S*\s+(?=\S)|^[\udc00-\udfff]/, '').length
  const moved = (at) => at - start + MORE.length
  return { ...passage, text: MORE + text.slice(start), highlights: highlights.map((one) => one.map(moved)) }
}
