import { PASSAGES } from '../limits.ts'
import { fold } from '../wiki/search-text.ts'
import type { PassageRow } from './rows.ts'

/** A section as stored: plain text, several thousand characters at most. */
export interface Section {
  heading: string
  body: string
}

/** A word of a text, or a run found in it: offsets in UTF-16 code units. */
interface Span {
  start: number
  end: number
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Lower-cased, it is two letters: the only such one that NFKC leaves as it is. */
const DOTTED_I = '\u0130'

/**
 * Folded so that offsets stay those of the text: a letter whose folded form has another length stays as it
 * is. Lengths of whole texts say nothing, since one letter may gain what another loses.
 */
const foldInPlace = (text: string): string =>
  text.normalize('NFKC') === text && !text.includes(DOTTED_I)
    ? text.toLowerCase()
    : Array.from(text, (letter) => (fold(letter).length === letter.length ? fold(letter) : letter)).join('')

/** A word can only match a lexeme with which it shares its first letters: stemming cuts the end. */
const PREFIX = 3

/** Prefixes of the lexemes of a tsquery's text, such as `'green' | 'tea'`. */
export const lexemePrefixes = (tsquery: string): Set<string> =>
  new Set(Array.from(tsquery.matchAll(/'((?:[^']|'')*)'/g), (match) => match[1]!.slice(0, PREFIX)))

/** Words of the sections that may match, folded, each once. */
export const candidateWords = (sections: Section[], prefixes: ReadonlySet<string>): string[] => {
  const words = new Set<string>()
  for (const { body } of sections) {
    for (const [word] of foldInPlace(body).matchAll(WORD)) {
      if (
        prefixes.has(word) ||
        prefixes.has(word.slice(0, PREFIX)) ||
        prefixes.has(word.slice(0, PREFIX - 1))
      )
        words.add(word)
    }
  }
  return [...words]
}

/**
 * What is shown of a section: at most 300 code units around the first match, cut between words.
 * @param matches whether a folded word matches the query
 * @param literals folded texts that are highlighted wherever they stand: runs of scripts without spaces, versions
 */
export const passageOf = (
  section: Section,
  matches: (word: string) => boolean,
  literals: readonly string[],
): PassageRow => {
  const spans = findSpans(section.body, matches, literals)
  const { start, end } = windowAround(section.body, spans[0]?.start ?? 0)
  const text = section.body.slice(start, end)
  const highlights = spans
    .filter((span) => span.start >= start && span.end <= end)
    .map((span): [number, number] => [span.start - start, span.end - start])
  return { heading: section.heading, text, highlights }
}

const findSpans = (body: string, matches: (word: string) => boolean, literals: readonly string[]): Span[] => {
  const folded = foldInPlace(body)
  const spans: Span[] = []
  for (const match of folded.matchAll(WORD)) {
    if (matches(match[0])) spans.push({ start: match.index, end: match.index + match[0].length })
  }
  for (const literal of literals) {
    for (let at = folded.indexOf(literal); at >= 0; at = folded.indexOf(literal, at + literal.length)) {
      spans.push({ start: at, end: at + literal.length })
    }
  }
  return merged(spans.sort((a, b) => a.start - b.start || a.end - b.end))
}

/** Spans that touch or overlap become one. */
const merged = (spans: Span[]): Span[] => {
  const result: Span[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else result.push({ ...span })
  }
  return result
}

/** A window of at most PASSAGES.length with the place in its first third, its ends between words if any are near. */
const windowAround = (body: string, at: number): Span => {
  if (body.length <= PASSAGES.length) return { start: 0, end: body.length }
  let start = Math.max(0, Math.min(at - Math.floor(PASSAGES.length / 3), body.length - PASSAGES.length))
  let end = Math.min(body.length, start + PASSAGES.length)
  if (start > 0) start = afterSpace(body, start, Math.min(at, start + 30))
  if (end < body.length) end = beforeSpace(body, end, end - 30)
  return { start: wholeLetter(body, start), end: wholeLetter(body, end) }
}

const afterSpace = (body: string, from: number, to: number): number => {
  for (let i = from; i < to; i++) if (/\s/.test(body[i]!)) return i + 1
  return from
}

const beforeSpace = (body: string, from: number, to: number): number => {
  for (let i = from; i > to; i--) if (/\s/.test(body[i]!)) return i
  return from
}

/** Not between the halves of a surrogate pair. */
const wholeLetter = (body: string, at: number): number =>
  /[\udc00-\udfff]/.test(body[at] ?? '') ? at - 1 : at
