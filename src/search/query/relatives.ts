import { columns } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import { configurationTag } from '../configurations.ts'
import {
  type CountedWord,
  inverseFrequency,
  type LocalLexeme,
  loadCached,
  type SearchedLanguage,
  type WeightedWord,
  type WordStatistics,
} from './query-weights.ts'
import { anyOf } from './tsquery-builder.ts'

/** What pages with relatives of a word count, in parts of what pages with the word count. (D112) */
const SHARE = 0.4
/** How many words of a query have relatives, the rarest ones, and how many each has. More find nothing better. */
const MOST = { words: 4, relatives: 6 } as const
/** Words that are compared with a word, before and after it in the alphabet. */
const COMPARED = 12
/** What relatives have in common with a word: its first letters, at least so many, and so large a part of both words. */
const COMMON = { letters: 4, part: 0.6 } as const
/** A search in every language looks in the largest ones only. */
const LANGUAGES = 4

const relativesStatement = statement('search_relatives')

/** Letters with their marks. Numbers and terms with signs have no relatives. */
const LETTERS = /^[\p{L}\p{M}]+$/u

/** The first letters that relatives have in common with a word; undefined if it is too short. */
const beginningOf = (lexeme: string): string | undefined => {
  const letters = Array.from(lexeme)
  const length = Math.max(COMMON.letters, Math.ceil(COMMON.part * letters.length))
  return letters.length >= length && LETTERS.test(lexeme) ? letters.slice(0, length).join('') : undefined
}

/** The part of two words that is their common beginning, from 0 to 1. */
const similarity = (one: string, other: string): number => {
  let common = 0
  while (common < one.length && common < other.length && one[common] === other[common]) common++
  return (2 * common) / (one.length + other.length)
}

/** A lexeme of the query whose relatives are looked for. */
interface Looked extends LocalLexeme {
  word: WeightedWord
  beginning: string
}

const lookedFor = (weighted: ReadonlyMap<SearchedLanguage, readonly WeightedWord[]>): Looked[] =>
  [...weighted]
    .sort(([a], [b]) => b.pages - a.pages)
    .slice(0, LANGUAGES)
    .flatMap(([{ locale }, words]) =>
      words
        .filter(({ place, isPair, isAlternative }) => place !== null && !isPair && !isAlternative)
        .sort((a, b) => b.idf - a.idf)
        .slice(0, MOST.words)
        .flatMap((word) =>
          word.lexemes.flatMap((lexeme) => {
            const beginning = beginningOf(lexeme)
            return beginning === undefined ? [] : [{ locale, word, lexeme, beginning }]
          }),
        ),
    )

/**
 * Relatives of a query's words: other words of the wiki with the same beginning, such as `fermentation` for `ferment`, which a
 * stemmer does not recognize. All relatives of a word together are one word with a part of its weight. (D112)
 * @returns by language
 */
export const loadRelatives = async (
  database: Pick<Database, 'query'>,
  cache: WordStatistics['neighbours'],
  weighted: ReadonlyMap<SearchedLanguage, readonly WeightedWord[]>,
): Promise<Map<SearchedLanguage, WeightedWord[]>> => {
  const looked = lookedFor(weighted)
  // The words nearest to each in the alphabet.
  const neighboursOf = await loadCached(cache, looked, async (missing) => {
    const values = [...columns(missing, ['locale', 'lexeme', 'beginning']), COMPARED]
    const found: CountedWord[][] = missing.map(() => [])
    for (const { n, word, pages } of await database.query(relativesStatement, values))
      found[n - 1]!.push({ word, pages })
    return found
  })
  const result = new Map<SearchedLanguage, WeightedWord[]>()
  for (const [language, words] of weighted) {
    const used = new Set(words.flatMap(({ lexemes }) => lexemes))
    const relativesOf = (word: WeightedWord): Relative[] =>
      looked
        .filter((one) => one.word === word)
        .flatMap((one) =>
          neighboursOf(one).map(({ word: lexeme, pages }) => {
            return { lexeme, pages, similar: similarity(one.lexeme, lexeme) }
          }),
        )
        .filter(({ lexeme, similar }) => similar >= COMMON.part && LETTERS.test(lexeme))
    result.set(
      language,
      words.flatMap((word) => relativesWord(word, relativesOf(word), language, used) ?? []),
    )
  }
  return result
}

interface Relative {
  lexeme: string
  pages: number
  similar: number
}

/** The most similar relatives of a word that no other word has, as one word. */
const relativesWord = (
  word: WeightedWord,
  all: readonly Relative[],
  { config, pages, counted }: SearchedLanguage,
  used: Set<string>,
): WeightedWord | undefined => {
  const most = all
    .filter(({ lexeme }) => !used.has(lexeme))
    .sort((a, b) => b.similar - a.similar)
    .slice(0, MOST.relatives)
  if (most.length === 0) return undefined
  const lexemes = most.map(({ lexeme }) => lexeme)
  for (const lexeme of lexemes) used.add(lexeme)
  const frequency = most.reduce((sum, one) => sum + one.pages, 0)
  const anywhere = anyOf(lexemes, configurationTag(config))!
  return {
    ...word,
    ...{ lexemes, anywhere, prominent: anywhere, share: SHARE, isAlternative: true, place: null },
    idf: SHARE * Math.min(word.idf, inverseFrequency(Math.min(counted, frequency), counted)),
    pages: Math.min(pages, Math.ceil((frequency * pages) / Math.max(1, counted))),
  }
}
