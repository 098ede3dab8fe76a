import { withoutAccents } from '../folding.ts'
import { TYPO_MARK, typoCandidates } from '../lexemes.ts'
import type { IndexedWords, Occurrences } from './page-words.ts'

/** PostgreSQL stores at most this many positions of a lexeme. */
const POSITIONS_MAX = 256

/** The lexemes of a page, without the letter of their configuration. */
export interface PageLexemes {
  /** By lexeme. */
  occurrences: ReadonlyMap<string, Occurrences>
  /** Typo candidates of the title's words. */
  candidates: ReadonlySet<string>
}

/** @param lexemesOf returns those of a word; none for a stop word, which is indexed only in titles, unchanged */
export const pageLexemes = (
  { words, titleWords }: IndexedWords,
  lexemesOf: (word: string) => readonly string[],
): PageLexemes => {
  const found = new Map<string, Occurrences>()
  /** Occurrences of several words with the same lexeme: the highest level and all positions count. */
  const combined = new Set<Occurrences>()
  const add = (lexeme: string, occurrences: Occurrences) => {
    let other = found.get(lexeme)
    if (other === undefined) {
      found.set(lexeme, occurrences)
      return
    }
    if (!combined.has(other)) {
      other = { ...other, more: [...(other.more ?? [])] }
      combined.add(other)
      found.set(lexeme, other)
    }
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
    else if (occurrences.level === 'A') add(withoutAccents(word), occurrences)
  }
  return { occurrences: found, candidates: new Set(titleWords.flatMap(typoCandidates)) }
}

/** Each position once, with its highest weight, in ascending order. */
export const positionsOf = ({ first, more }: Occurrences): readonly number[] => {
  if (more === null) return [first]
  const positions = [first, ...more]
  const isAscending = positions.every((weighted, i) => i === 0 || weighted >> 2 > positions[i - 1]! >> 2)
  if (isAscending) return positions.slice(0, POSITIONS_MAX)
  return positions
    .sort((a, b) => a - b)
    .filter((weighted, i) => weighted >> 2 !== (positions[i + 1] ?? -1) >> 2)
    .slice(0, POSITIONS_MAX)
}

const WEIGHTS = ['', 'B', 'A'] as const

/** Lexemes in the syntax of a tsvector. @param tag the letter of the configuration */
export const toTsvector = ({ occurrences, candidates }: PageLexemes, tag: string): string =>
  [
    ...[...occurrences].map(
      ([lexeme, found]) =>
        `${found.level}${tag}${lexeme}:${positionsOf(found)
          .map((weighted) => `${weighted >> 2}${WEIGHTS[weighted & 3]}`)
          .join()}`,
    ),
    ...[...candidates].map((candidate) => `${TYPO_MARK}${tag}${candidate}`),
  ].join(' ')
