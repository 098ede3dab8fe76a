/* What lists show of the results of a search: in browsers, and in the service that writes a view without scripts. */

import { sectionIdOf } from './names.js'

/** Passages of a result. */
const PASSAGES_MAX = 2
/** The share of its words that makes a passage a repetition. */
const ALIKE = 0.6
/** A list shows two lines of a passage: one with a match behind more characters begins so many before it. */
const BEFORE = { most: 60, kept: 40 }
/** The same for letters that are as wide as two. */
const WIDE = { most: 24, kept: 12 }

/** @template {{ text: string, highlights: number[][] }} P @param {{ passages: P[] }} hit a result @returns {P[]} with a match in sight */
export const passagesOf = ({ passages }) =>
  passages
    .filter(({ text }, i) => i === 0 || !areAlike(text, passages[0].text))
    .slice(0, PASSAGES_MAX)
    .map(fromMatch)

/** The heading of the section of a passage. Empty: it stands before the first one, or below the title of the page. */
export const headingOf = ({ title }, { heading }) => (heading === title ? '' : heading)

/** The URL of the section of a passage, or of its page. */
export const urlOfPassage = ({ path, locale, title }, passage, urlOf) => {
  const heading = headingOf({ title }, passage)
  const url = urlOf({ view: 'page', path, locale })
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
  const { most, kept } = /[\u3040-\u9fff\uac00-\ud7af]/.test(text) ? WIDE : BEFORE
  const match = highlights[0]?.[0] ?? 0
  if (match <= most) return passage
  const space = text.indexOf(' ', match - kept)
  // Not between the halves of a letter.
  const start =
    space >= 0 && space < match
      ? space + 1
      : text.codePointAt(match - kept - 1) > 0xffff
        ? match - kept + 1
        : match - kept
  const moved = start - MORE.length
  return {
    ...passage,
    text: MORE + text.slice(start),
    highlights: highlights.map((part) => part.map((at) => at - moved)),
  }
}

const MORE = '… '
