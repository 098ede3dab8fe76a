import { QUERY } from '../limits.ts'

/**
 * Scripts that are written without spaces between words: Han, kana, Hangul (whose particles cling to the
 * word), Thai, Lao, Khmer, Myanmar. Runs of them are indexed as overlapping pairs of characters. (D11)
 */
const NO_SPACE =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc'
const RUN = new RegExp(`[${NO_SPACE}\\p{M}]*[${NO_SPACE}][${NO_SPACE}\\p{M}]*`, 'gu')
/** A dash inside a word one side of which is such a run: it must not come to stand before a phrase, as a `not`. */
const INNER_DASH = new RegExp(`(?<=[${NO_SPACE}\\p{M}])-|(?<=[^\\s"])-(?=[${NO_SPACE}])`, 'gu')
/** Scripts whose letters carry marks that must not be cut off. */
const MARKED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

const unitsOf = (run: string): string[] =>
  MARKED.test(run) ? Array.from(graphemes.segment(run), (part) => part.segment) : Array.from(run)

/** `お茶の` gives `お茶 茶の` and, for a document, the last character alone: a query of one finds every place. */
const pairs = (run: string, options: { last: boolean }): string[] => {
  const units = unitsOf(run)
  if (units.length === 1) return units
  const found = units.slice(1).map((unit, i) => units[i]! + unit)
  return options.last ? [...found, units.at(-1)!] : found
}

/** Folded for comparison: compatibility forms (full-width is half-width) and case. Length may change. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

/** A text as PostgreSQL's `to_tsvector` is given it. */
export const indexText = (text: string): string =>
  fold(text).replace(RUN, (run) => ` ${pairs(run, { last: true }).join(' ')} `)

/** A term of several words in PostgreSQL's eyes, or of one that ours would part: a version, a host, a file. */
const COMPOUND = /^[^-].*[\p{L}\p{N}][^\p{L}\p{N}\p{M}]+[\p{L}\p{N}]/u

/** Excludes nothing, and is no word. */
const LONE_DASH = /(^|\s)-(?=\s|$)/g

export interface SearchQuery {
  /** What `websearch_to_tsquery` is given; empty when nothing is left to search. */
  websearch: string
  /** As a title would be written, folded. */
  title: string
  /** Folded texts that are highlighted letter by letter: runs without spaces, and terms such as `v20.6.0`. */
  literals: string[]
}

/**
 * What was typed, made fit for PostgreSQL: at most 256 characters and 24 terms; controls gone; runs of
 * dashes gone, since forty of them overflow its stack (XX000); runs without spaces as phrases of pairs.
 */
export const readQuery = (typed: string): SearchQuery => {
  const cut = typed.toWellFormed().slice(0, QUERY.characters).toWellFormed()
  const title = fold(cut)
    .replace(/[\p{Cc}\p{Cf}\ufffd]/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, QUERY.terms)
    .join(' ')
  const plain = title.replace(/-{2,}/g, ' ').replace(INNER_DASH, ' ').replace(LONE_DASH, ' ').trim()
  const runs = plain.match(RUN) ?? []
  const compounds = plain.split(/["\s]+/).filter((term) => COMPOUND.test(term))
  const websearch = plain
    .split('"')
    .map((part, i) => {
      const quoted = i % 2 === 1
      return part.replace(RUN, (run) => {
        const phrase = pairs(run, { last: false }).join(' ')
        return quoted ? ` ${phrase} ` : ` "${phrase}" `
      })
    })
    .join('"')
    .replace(/(^|\s)-\s+"/g, '$1-"')
    .replace(LONE_DASH, ' ')
    .trim()
  return { websearch, title, literals: [...new Set([...runs, ...compounds])] }
}
