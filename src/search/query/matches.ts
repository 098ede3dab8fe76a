import { fold, foldWithOffsets, withoutAccents } from '../folding.ts'
import { camelWordsOf, eachWord, plainWords } from '../words.ts'
import type { TextRange } from './excerpt.ts'
import type { PageOccurrences, Patterns } from './patterns.ts'

/** A match: offsets in the original text, in code units. */
export type MatchSpan = TextRange & { isHighlighted: boolean }

/**
 * The matches that a section's text contains, by the positions of the index: no word needs a stem, and only words that match
 * are cut out of the text. If the text has other words at most of these positions, another version indexed the page: then
 * there are none. (D114)
 * @param range indices of the section's occurrences, the last one excluded
 * @param first position of the section's first word
 * @param stripsPrefixes whether a stem can begin with other letters than its word
 * @returns a span for each occurrence, undefined for those in the heading; then those of single characters
 */
export const findMatches = (
  { heading, text }: { heading: string; text: string },
  occurrences: PageOccurrences,
  [low, high]: readonly [low: number, high: number],
  patterns: Patterns,
  first: number,
  stripsPrefixes: boolean,
): { spans: (MatchSpan | undefined)[]; characters: MatchSpan[] } => {
  const none = () => false
  const base =
    low < high && heading !== '' ? first + 1 + eachWord(fold(heading), none, undefined, none) : first
  const needed: number[] = []
  for (let i = low; i < high; i++) {
    const position = occurrences.positions[i]! - base
    needed.push(position, position + patterns.parts[occurrences.parts[i]!]!.extent)
  }
  const at = wordsAt(text, needed)
  let others = 0
  const spans: (MatchSpan | undefined)[] = []
  for (let i = low; i < high; i++) {
    const { extent, first, last, isHighlighted } = patterns.parts[occurrences.parts[i]!]!
    const position = occurrences.positions[i]! - base
    const begin = longestCommon(at.get(position), first)
    const end = extent === 0 ? begin : longestCommon(at.get(position + extent), last)
    if (position >= 0 && !(begin?.common && end?.common)) others++
    spans.push(
      begin && end && { start: begin.word.start, end: Math.max(begin.word.end, end.word.end), isHighlighted },
    )
  }
  const isOther = !stripsPrefixes && others * 2 > spans.length
  return {
    spans: isOther ? spans.fill(undefined) : spans,
    characters: patterns.characters.flatMap((character) => spansOf(text, character)),
  }
}

/** Of the words at a position, such as `node` and `node.js`, the one of a lexeme: it has the longest beginning in common. */
const longestCommon = (words: readonly WordSpan[] | undefined, lexemes: readonly string[]) => {
  if (!words) return undefined
  let best = { word: words[0]!, common: 0 }
  for (const word of words) {
    const plain = withoutAccents(word.text)
    for (const lexeme of lexemes) {
      let common = 0
      while (common < lexeme.length && plain.charCodeAt(common) === lexeme.charCodeAt(common)) common++
      if (common > best.common) best = { word, common }
    }
  }
  return best
}

/** The offset after the last of the letters that were folded to the code unit before an offset. */
const originalEnd = (originalOffset: (offset: number) => number, end: number): number =>
  Math.max(originalOffset(end - 1) + 1, originalOffset(end))

const spansOf = (text: string, character: string): MatchSpan[] => {
  const { text: folded, originalOffset } = foldWithOffsets(text)
  const spans: MatchSpan[] = []
  for (let end = 0, i = folded.indexOf(character); i >= 0; i = folded.indexOf(character, end)) {
    end = i + character.length
    spans.push({ start: originalOffset(i), end: originalEnd(originalOffset, end), isHighlighted: true })
  }
  return spans
}

/** A word of a folded text, and its offsets before it was folded. */
type WordSpan = TextRange & { text: string }

/**
 * The words of a text at some positions. What stands between spaces is only folded and read if it has such a position, otherwise
 * its words are counted. A line in a script without spaces is read as a whole. Most texts go on after the last position.
 */
const wordsAt = (text: string, positions: readonly number[]): Map<number, WordSpan[]> => {
  const at = new Map<number, WordSpan[]>()
  const needed = new Set(positions)
  const last = Math.max(-1, ...needed)
  const camelWords = last < 0 ? undefined : camelWordsOf(text)
  let first = 0
  const read = (start: number, end: number): number => {
    const { text: folded, originalOffset } = foldWithOffsets(text.slice(start, end))
    const base = first
    const add = (word: string, place: number, from: number, to: number) => {
      if (!needed.has(base + place)) return
      const span = { start: start + originalOffset(from), end: start + originalEnd(originalOffset, to) }
      at.set(base + place, [...(at.get(base + place) ?? []), { text: word, ...span }])
    }
    return eachWord(folded, add, camelWords, (place) => needed.has(base + place))
  }
  for (let start = 0; start < text.length && first <= last; ) {
    const { words, end } = plainWords(text, start)
    let isRead = words < 0
    for (let n = 0; n < words && !isRead; n++) isRead = needed.has(first + n)
    first += isRead ? read(start, end) : words
    start = end + 1
  }
  return at
}
