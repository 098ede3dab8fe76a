import { fold, withoutAccents } from '../folding.ts'
import { eachWord } from '../words.ts'
import type { PageOccurrences } from './occurrences.ts'
import type { Patterns } from './patterns.ts'
import { type ReadWords, readWords, termsAt, type WordSpan } from './section-words.ts'

/** A match: offsets in the original text, in code units. */
export interface MatchSpan {
  start: number
  end: number
  isHighlighted: boolean
}

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
  const read = readWords(text, needed, size - base + first, patterns.characters.length > 0)
  const { at, originalOffset, originalEnd } = read
  const original = (start: number, end: number, isHighlighted: boolean): MatchSpan => ({
    start: originalOffset(start),
    end: originalEnd(end),
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
      offsetsOf(read.folded ?? text, character).map((start) =>
        original(start, start + character.length, true),
      ),
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

/**
 * Of the words at a position, such as `node` and `node.js`, the one of a lexeme: it has the longest beginning in common.
 * If the word alone has less in common, the terms that begin with it are looked at.
 */
const bestWord = (read: ReadWords, words: readonly WordSpan[] | undefined, lexemes: readonly string[]) => {
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
