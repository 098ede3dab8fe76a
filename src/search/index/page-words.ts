import type { Section } from '@lectern/wiki/plain-text/sections'
import { nfc } from '@lectern/wiki/text'
import { fold, withoutAccents } from '../folding.ts'
import {
  FREQUENT_PREFIX,
  hasNoDigits,
  STOP_WORD_MARK,
  TYPO_MARK,
  typoCandidates,
  type Weight,
} from '../lexemes.ts'
import { camelWordsOf, eachWord, isStemmedKind, type WordKind } from '../words.ts'

/** PostgreSQL stores about this many positions of a lexeme, and no position above LAST_POSITION. */
const POSITIONS_MAX = 255
export const LAST_POSITION = 16_383
/** How many words of the text count as its beginning, which mostly says what the page is about. */
const LEAD = 50

/** Weights of positions, from the lowest. `tsvectors.ts` has PostgreSQL's numbers for them. */
const TEXT = 0
const HEADING = 1
const TITLE = 2

export interface Occurrences {
  level: Weight
  count: number
  /** Its positions, each times four, plus its weight. */
  positions: number[]
  isStemmed: boolean
}

/** Whether PostgreSQL stores the positions of all occurrences. */
const hasEveryPosition = ({ count, positions }: Occurrences): boolean =>
  count === positions.length && positions[0]! >> 2 < LAST_POSITION

/**
 * Collects the words of a page. No phrase spans title, path, headings and texts: one position between them is free.
 * @param page with plain text in NFC
 */
export const indexWords = (page: { title: string; path: string; sections: readonly Section[] }) => {
  const { title, path, sections } = page
  const words = new Map<string, Occurrences>()
  /** Words of the title without accents, for typos. */
  const titleWords: string[] = []
  let next = 1
  let total = 0
  const read = (text: string, weight: number, levelAt: (at: number) => Weight) => {
    const first = next
    const add = (word: string, at: number, _start: number, _end: number, kind: WordKind) => {
      const position = first + at
      const isPart = kind === 'part'
      const weighted = Math.min(position, LAST_POSITION) * 4 + (isPart ? TEXT : weight)
      const occurrences = words.get(word)
      if (weight === TITLE && kind === 'word') titleWords.push(withoutAccents(word))
      // No page is about a part of one of its words.
      const level = isPart ? 'D' : levelAt(at)
      if (!occurrences) {
        const isStemmed = isStemmedKind(kind) && hasNoDigits(word)
        words.set(word, { level, count: 1, positions: [weighted], isStemmed })
        return
      }
      occurrences.count += 1
      if (!isPart && occurrences.level > 'C') occurrences.level = 'C'
      if (level < occurrences.level) occurrences.level = level
      if (position < LAST_POSITION && occurrences.count <= POSITIONS_MAX) occurrences.positions.push(weighted)
    }
    next += 1 + eachWord(fold(text), add, camelWordsOf(text))
    total += next - first
  }
  read(nfc(title), TITLE, () => 'A')
  read(nfc(lastSegment(path)), HEADING, () => 'B')
  read(nfc(path.slice(0, -lastSegment(path).length)), TEXT, () => 'C')
  const lead = next + LEAD
  /** For each section, the position of its first word, which is the first of its heading. Then the position of the end. */
  const starts: number[] = []
  for (const { heading, text } of sections) {
    starts.push(next)
    if (heading !== '') read(heading, HEADING, () => 'B')
    const begin = next
    read(text, TEXT, begin < lead ? (at) => (begin + at < lead ? 'C' : 'D') : () => 'D')
  }
  starts.push(next)
  // At least a fortieth of all words: the page is about this word.
  for (const occurrences of words.values())
    if (occurrences.level > 'B' && occurrences.count >= 3 && occurrences.count * 40 >= total)
      occurrences.level = 'B'
  return { words, starts, titleWords }
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || path

const LEXEME_POSITIONS_MAX = 256

export type PageLexemes = ReturnType<typeof pageLexemes>

/**
 * The lexemes of a page, without the letter of their configuration.
 * @param lexemesOf returns those of a word; none for a stop word
 */
export const pageLexemes = (
  { words, titleWords }: Omit<ReturnType<typeof indexWords>, 'starts'>,
  lexemesOf: (word: string) => readonly string[],
) => {
  const found = new Map<string, Occurrences>()
  /** Stop words without accents. Those of the title are lexemes, too. */
  const stopWords = new Map<string, Occurrences>()
  /** Occurrences of several words with the same lexeme: the highest level and all positions count. */
  const combined = new Set<Occurrences>()
  const add = (lexeme: string, occurrences: Occurrences, lexemes = found) => {
    let other = lexemes.get(lexeme)
    if (other === undefined) {
      lexemes.set(lexeme, occurrences)
      return
    }
    if (!combined.has(other)) {
      other = { ...other, positions: [...other.positions] }
      combined.add(other)
      lexemes.set(lexeme, other)
    }
    other.count += occurrences.count
    if (occurrences.level < other.level) other.level = occurrences.level
    other.positions.push(...occurrences.positions)
  }
  for (const [word, occurrences] of words) {
    if (!occurrences.isStemmed) {
      add(withoutAccents(word), occurrences)
      continue
    }
    const lexemes = lexemesOf(word)
    if (lexemes.length > 0) for (const lexeme of lexemes) add(lexeme, occurrences)
    else {
      const plain = withoutAccents(word)
      if (occurrences.level === 'A') add(plain, occurrences)
      add(plain, occurrences, stopWords)
    }
  }
  return { occurrences: found, stopWords, candidates: new Set(titleWords.flatMap(typoCandidates)) }
}

/** What the index stores without positions: a mark and a lexeme each. */
export const unpositionedLexemes = function* ({
  stopWords,
  candidates,
}: PageLexemes): Generator<[mark: string, lexeme: string]> {
  for (const candidate of candidates) yield [TYPO_MARK, candidate]
  for (const [word, found] of stopWords)
    if (!hasEveryPosition(found)) yield [STOP_WORD_MARK, FREQUENT_PREFIX + word]
}

/** Each position once, with its highest weight, in ascending order. */
export const positionsOf = ({ positions }: Occurrences): readonly number[] => {
  const isAscending = positions.every((weighted, i) => i === 0 || weighted >> 2 > positions[i - 1]! >> 2)
  if (isAscending) return positions.slice(0, LEXEME_POSITIONS_MAX)
  return positions
    .toSorted((a, b) => a - b)
    .filter((weighted, i, sorted) => weighted >> 2 !== (sorted[i + 1] ?? -1) >> 2)
    .slice(0, LEXEME_POSITIONS_MAX)
}
