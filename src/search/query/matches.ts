import { camelWordsOf } from '../camel-case.ts'
import { fold, foldWithOffsets, isAscii, withoutAccents } from '../folding.ts'
import { eachWord } from '../words.ts'
import type { PageOccurrences } from './occurrences.ts'
import type { Patterns } from './patterns.ts'

/** A match: offsets in the original text, in code units. */
export interface MatchSpan {
  start: number
  end: number
  isHighlighted: boolean
}

interface WordSpan {
  text: string
  start: number
  end: number
}

/** Which positions of a section are needed. It is cleared after each use: a section has fewer positions than a page. */
const wanted = new Uint8Array(1 << 16)

/**
 * The matches that a section's text contains, by the positions of the index: no word needs a stem, and only words that match
 * are cut out of the text. If the text has other words at most of these positions, another version indexed the page: then
 * there are none. (D114)
 * @param range indices of the section's occurrences, the last one excluded
 * @param first position of the section's first word; the section has `size` positions
 * @param stripsPrefixes whether a stem can begin with other letters than its word
 * @returns a span for each occurrence, undefined for those in the heading; then those of single characters
 */
export const findMatches = (
  { heading, text }: { heading: string; text: string },
  occurrences: PageOccurrences,
  range: readonly [low: number, high: number],
  patterns: Patterns,
  { first, size }: { first: number; size: number },
  stripsPrefixes: boolean,
): { spans: (MatchSpan | undefined)[]; characters: MatchSpan[] } => {
  const words = range[0] < range[1] ? heading : ''
  const base = first + (words === '' ? 0 : 1 + eachWord(fold(words), () => {}, undefined, none))
  const needed = neededPositions(base, occurrences, range, patterns)
  const read = readWords(text, needed, size - base + first, patterns)
  const { originalOffset, at, folded } = read
  const original = (start: number, end: number, isHighlighted: boolean): MatchSpan => ({
    start: originalOffset(start),
    end: originalOffset(end - 1) + lastLength(originalOffset, end),
    isHighlighted,
  })
  let others = 0
  const spans: (MatchSpan | undefined)[] = []
  for (let i = range[0]; i < range[1]; i++) {
    const part = patterns.parts[occurrences.parts[i]!]!
    const position = occurrences.positions[i]! - base
    const begin = bestWord(read, at.get(position), part.first)
    const end = part.extent === 0 ? begin : bestWord(read, at.get(position + part.extent), part.last)
    if (position >= 0 && !(begin?.common && end?.common)) others++
    spans.push(
      begin && end
        ? original(begin.word.start, Math.max(begin.word.end, end.word.end), part.isHighlighted)
        : undefined,
    )
  }
  const isOther = !stripsPrefixes && others * 2 > spans.length
  return {
    spans: isOther ? spans.map(() => undefined) : spans,
    characters: patterns.characters.flatMap((character) =>
      offsetsOf(folded, character).map((start) => original(start, start + character.length, true)),
    ),
  }
}

const none = (): boolean => false

/** Positions in a section's text of the first and last words of occurrences. */
const neededPositions = (
  base: number,
  { positions, parts }: PageOccurrences,
  [low, high]: readonly [low: number, high: number],
  patterns: Patterns,
): number[] => {
  const needed: number[] = []
  for (let i = low; i < high; i++) {
    const position = positions[i]! - base
    if (position < 0) continue
    needed.push(position)
    const { extent } = patterns.parts[parts[i]!]!
    if (extent > 0) needed.push(position + extent)
  }
  return needed
}

/** A term such as `node.js` has at most so many words. It has the position of its first word. */
const TERM_WORDS = 40

/**
 * The words at some positions of a text. Mostly, the beginning of the text is sufficient: as much of it as its words are of
 * all words, and half as much again.
 * @param count about how many positions the text has
 */
const readWords = (text: string, needed: readonly number[], count: number, { characters }: Patterns) => {
  const last = needed.reduce((most, position) => Math.max(most, position), -1) + TERM_WORDS
  const length =
    characters.length > 0 ? text.length : Math.ceil((1.5 * text.length * last) / Math.max(1, count))
  if (length < text.length) {
    const beginning = wordsAt(text.slice(0, length).toWellFormed(), needed)
    if (beginning.count > last) return beginning
  }
  return wordsAt(text, needed)
}

/** The words of a text at some positions, by position. */
const wordsAt = (text: string, needed: readonly number[]) => {
  const { text: folded, originalOffset } = foldWithOffsets(text)
  const at = new Map<number, WordSpan[]>()
  for (const position of needed) wanted[position] = 1
  let count = 0
  if (needed.length > 0) count = isAscii(folded) ? asciiWordsAt(folded, at) : allWordsAt(text, folded, at)
  for (const position of needed) wanted[position] = 0
  return { text, folded, originalOffset, at, count }
}

const allWordsAt = (text: string, folded: string, at: Map<number, WordSpan[]>): number =>
  eachWord(
    folded,
    (text, position, start, end) => {
      const words = at.get(position)
      if (words) words.push({ text, start, end })
      else at.set(position, [{ text, start, end }])
    },
    camelWordsOf(text),
    (position) => wanted[position] === 1,
  )

const isAsciiLetter = (code: number): boolean => (code > 96 && code < 123) || (code > 47 && code < 58)

/** In ASCII, each run of letters and digits has a position. To count them so takes a fifth of the time. */
const asciiWordsAt = (folded: string, at: Map<number, WordSpan[]>): number => {
  let position = 0
  for (let i = 0; i < folded.length; i++) {
    if (!isAsciiLetter(folded.charCodeAt(i))) continue
    const start = i
    while (i < folded.length && isAsciiLetter(folded.charCodeAt(i))) i++
    if (wanted[position] === 1) at.set(position, [{ text: folded.slice(start, i), start, end: i }])
    position++
  }
  return position
}

/** Code units around a word that decide which terms with signs begin with it. */
const TERM = { before: 4, after: 100 } as const

/** The terms that begin with a word, and its parts: `node.js`, `--help`, `element` of `getElementById`. */
const termsAt = ({ text, folded }: { text: string; folded: string }, { start }: WordSpan): WordSpan[] => {
  const from = Math.max(0, start - TERM.before)
  const position = eachWord(folded.slice(from, start), () => {}, undefined, none)
  const terms: WordSpan[] = []
  eachWord(
    folded.slice(from, start + TERM.after),
    (text, _, begin, end) => terms.push({ text, start: from + begin, end: from + end }),
    camelWordsOf(text),
    (at) => at === position,
  )
  return terms
}

/**
 * Of the words at a position, such as `node` and `node.js`, the one of a lexeme: it has the longest beginning in common.
 * If the word alone has less in common, the terms that begin with it are looked at.
 */
const bestWord = (
  read: { text: string; folded: string },
  words: readonly WordSpan[] | undefined,
  lexemes: readonly string[],
) => {
  if (!words) return undefined
  const best = longestCommon(words, lexemes)
  if (best.common >= Math.min(ENOUGH, best.lexeme.length) && best.common < best.word.text.length) return best
  if (best.common === best.lexeme.length || words.length > 1) return best
  return longestCommon([...words, ...termsAt(read, words[0]!)], lexemes)
}

/** A stem differs from its word in the last letters. */
const ENOUGH = 3

const longestCommon = (words: readonly WordSpan[], lexemes: readonly string[]) => {
  let best = { word: words[0]!, lexeme: lexemes[0]!, common: 0 }
  for (const word of words) {
    const plain = withoutAccents(word.text)
    for (const lexeme of lexemes) {
      let common = 0
      while (common < lexeme.length && plain.charCodeAt(common) === lexeme.charCodeAt(common)) common++
      if (common > best.common) best = { word, lexeme, common }
    }
  }
  return best
}

const offsetsOf = (text: string, character: string): number[] => {
  const offsets: number[] = []
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + character.length))
    offsets.push(i)
  return offsets
}

/** Length of the text that was folded to the last code unit of a word. */
const lastLength = (originalOffset: (offset: number) => number, end: number): number => {
  const last = originalOffset(end - 1)
  const after = originalOffset(end)
  return after > last ? after - last : 1
}
