import { fold, foldWithOffsets, withoutAccents } from '../folding.ts'
import { camelWordsOf, eachWord } from '../words.ts'
import type { PageOccurrences, Patterns } from './patterns.ts'

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
 * @param first position of the section's first word
 * @param stripsPrefixes whether a stem can begin with other letters than its word
 * @returns a span for each occurrence, undefined for those in the heading; then those of single characters
 */
export const findMatches = (
  { heading, text }: { heading: string; text: string },
  occurrences: PageOccurrences,
  range: readonly [low: number, high: number],
  patterns: Patterns,
  first: number,
  stripsPrefixes: boolean,
): { spans: (MatchSpan | undefined)[]; characters: MatchSpan[] } => {
  const words = range[0] < range[1] ? heading : ''
  const base = first + (words === '' ? 0 : 1 + eachWord(fold(words), () => {}))
  const { text: folded, originalOffset } = foldWithOffsets(text)
  const at = wordsAt(text, folded, neededPositions(base, occurrences, range, patterns))
  // The end is after the last of the letters that were folded to the last code unit.
  const original = (start: number, end: number, isHighlighted: boolean): MatchSpan => ({
    start: originalOffset(start),
    end: Math.max(originalOffset(end - 1) + 1, originalOffset(end)),
    isHighlighted,
  })
  let others = 0
  const spans: (MatchSpan | undefined)[] = []
  for (let i = range[0]; i < range[1]; i++) {
    const part = patterns.parts[occurrences.parts[i]!]!
    const position = occurrences.positions[i]! - base
    const begin = longestCommon(at.get(position), part.first)
    const end = part.extent === 0 ? begin : longestCommon(at.get(position + part.extent), part.last)
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

/** Positions in a section's text of the first and last words of occurrences. */
const neededPositions = (
  base: number,
  { positions, parts }: PageOccurrences,
  [low, high]: readonly [low: number, high: number],
  patterns: Patterns,
): Set<number> => {
  const needed = new Set<number>()
  for (let i = low; i < high; i++) {
    const position = positions[i]! - base
    if (position < 0) continue
    needed.add(position)
    const { extent } = patterns.parts[parts[i]!]!
    if (extent > 0) needed.add(position + extent)
  }
  return needed
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

const offsetsOf = (text: string, character: string): number[] => {
  const offsets: number[] = []
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + character.length))
    offsets.push(i)
  return offsets
}

/** A word, and its offsets in the folded text. */
interface WordSpan {
  text: string
  start: number
  end: number
}

/** The words of a text at some positions. */
const wordsAt = (text: string, folded: string, needed: ReadonlySet<number>): Map<number, WordSpan[]> => {
  const at = new Map<number, WordSpan[]>()
  if (needed.size === 0) return at
  const add = (word: string, position: number, start: number, end: number) => {
    if (!needed.has(position)) return
    const words = at.get(position)
    if (words) words.push({ text: word, start, end })
    else at.set(position, [{ text: word, start, end }])
  }
  eachWord(folded, add, camelWordsOf(text), (position) => needed.has(position), Math.max(...needed))
  return at
}
