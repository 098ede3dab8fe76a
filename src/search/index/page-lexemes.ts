import { withoutAccents } from '../folding.ts'
import { FREQUENT_PREFIX, STOP_WORD_MARK, TYPO_MARK, typoCandidates } from '../lexemes.ts'
import { hasEveryPosition, type IndexedWords, type Occurrences } from './page-words.ts'

/** PostgreSQL stores at most this many positions of a lexeme. */
const POSITIONS_MAX = 256

/** The lexemes of a page, without the letter of their configuration. */
export interface PageLexemes {
  /** By lexeme. */
  occurrences: ReadonlyMap<string, Occurrences>
  /** Stop words without accents. Those of the title are lexemes, too. */
  stopWords: ReadonlyMap<string, Occurrences>
  /** Typo candidates of the title's words. */
  candidates: ReadonlySet<string>
}

/** @param lexemesOf returns those of a word; none for a stop word */
export const pageLexemes = (
  { words, titleWords }: IndexedWords,
  lexemesOf: (word: string) => readonly string[],
): PageLexemes => {
  const found = new Map<string, Occurrences>()
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
      other = { ...other, more: [...(other.more ?? [])] }
      combined.add(other)
      lexemes.set(lexeme, other)
    }
    other.count += occurrences.count
    if (occurrences.level < other.level) other.level = occurrences.level
    other.more!.push(occurrences.first)
    if (occurrences.more !== null) for (const weighted of occurrences.more) other.more!.push(weighted)
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
export const positionsOf = ({ first, more }: Occurrences): readonly number[] => {
  if (more === null) return [first]
  const positions = [first, ...more]
  if (isAscending(positions)) {
    if (positions.length > POSITIONS_MAX) positions.length = POSITIONS_MAX
    return positions
  }
  return positions
    .sort((a, b) => a - b)
    .filter((weighted, i) => weighted >> 2 !== (positions[i + 1] ?? -1) >> 2)
    .slice(0, POSITIONS_MAX)
}

const isAscending = (positions: readonly number[]): boolean => {
  for (let i = 1; i < positions.length; i++) if (positions[i]! >> 2 <= positions[i - 1]! >> 2) return false
  return true
}

const WEIGHTS = ['', 'B', 'A'] as const

/** Lexemes in the syntax of a tsvector. @param tag the letter of the configuration */
export const toTsvector = (lexemes: PageLexemes, tag: string): string => {
  const positioned = (mark: string, lexeme: string, found: Occurrences) =>
    `${mark}${tag}${lexeme}:${positionsOf(found)
      .map((weighted) => `${weighted >> 2}${WEIGHTS[weighted & 3]}`)
      .join()}`
  return [
    ...[...lexemes.occurrences].map(([lexeme, found]) => positioned(found.level, lexeme, found)),
    ...[...lexemes.stopWords].map(([word, found]) => positioned(STOP_WORD_MARK, word, found)),
    ...[...unpositionedLexemes(lexemes)].map(([mark, lexeme]) => mark + tag + lexeme),
  ].join(' ')
}
