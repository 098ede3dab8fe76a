import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import { configurationTag } from '../configurations.ts'
import { WEIGHTS } from '../lexemes.ts'
import {
  type CountedWord,
  inverseFrequency,
  type SearchedLanguage,
  type WeightedWord,
  type WordStatistics,
} from './query-weights.ts'
import { TsqueryBuilder } from './tsquery-builder.ts'

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
interface Looked {
  language: SearchedLanguage
  word: WeightedWord
  lexeme: string
  beginning: string
}

const lookedFor = (weighted: ReadonlyMap<SearchedLanguage, readonly WeightedWord[]>): Looked[] =>
  [...weighted]
    .sort(([a], [b]) => b.pages - a.pages)
    .slice(0, LANGUAGES)
    .flatMap(([language, words]) =>
      words
        .filter(({ place, isPair, isAlternative }) => place !== null && !isPair && !isAlternative)
        .sort((a, b) => b.idf - a.idf)
        .slice(0, MOST.words)
        .flatMap((word) =>
          word.lexemes.flatMap((lexeme) => {
            const beginning = beginningOf(lexeme)
            return beginning === undefined ? [] : [{ language, word, lexeme, beginning }]
          }),
        ),
    )

/**
 * Relatives of a query's words: other words of the wiki with the same beginning, such as `fermentation` for `ferment`, which a
 * stemmer does not recognize. All relatives of a word together are one word with a part of its weight. (D112)
 * @returns by language; only languages with relatives
 */
export const loadRelatives = async (
  database: Pick<Database, 'query'>,
  cache: WordStatistics['neighbours'],
  weighted: ReadonlyMap<SearchedLanguage, readonly WeightedWord[]>,
): Promise<Map<SearchedLanguage, WeightedWord[]>> => {
  const looked = lookedFor(weighted)
  const result = new Map<SearchedLanguage, WeightedWord[]>()
  if (looked.length === 0) return result
  const neighbours = await loadNeighbours(database, cache, looked)
  const found = new Map<WeightedWord, Relative[]>()
  for (const [i, { word, lexeme: typed }] of looked.entries()) {
    const relatives = found.get(word) ?? []
    for (const { word: lexeme, pages } of neighbours[i]!) {
      const similar = similarity(typed, lexeme)
      if (similar >= COMMON.part && LETTERS.test(lexeme)) relatives.push({ lexeme, pages, similar })
    }
    found.set(word, relatives)
  }
  for (const [language, words] of weighted) {
    const used = new Set(words.flatMap(({ lexemes }) => lexemes))
    const relatives = words.flatMap(
      (word) => relativesWord(word, found.get(word) ?? [], language, used) ?? [],
    )
    if (relatives.length > 0) result.set(language, relatives)
  }
  return result
}

/** The words nearest to each in the alphabet. It reads those that are not cached. */
const loadNeighbours = async (
  database: Pick<Database, 'query'>,
  cache: WordStatistics['neighbours'],
  looked: readonly Looked[],
): Promise<(readonly CountedWord[])[]> => {
  const keyOf = ({ language, lexeme }: Looked) => `${language.locale} ${lexeme}`
  const result = looked.map((one) => cache.get(keyOf(one)))
  // Two words of a query can have a lexeme in common, such as `trabajaría` and `trabajar`.
  const missing = [
    ...new Map(looked.filter((_, i) => result[i] === undefined).map((one) => [keyOf(one), one])).values(),
  ]
  if (missing.length === 0) return result as (readonly CountedWord[])[]
  const rows = await database.query(relativesStatement, [
    missing.map(({ language }) => language.locale),
    missing.map(({ lexeme }) => lexeme),
    missing.map(({ beginning }) => beginning),
    COMPARED,
  ])
  const read = new Map(missing.map((one): [string, CountedWord[]] => [keyOf(one), []]))
  for (const { n, word, pages } of rows) read.get(keyOf(missing[n - 1]!))!.push({ word, pages })
  for (const [key, words] of read) cache.set(key, words)
  return looked.map((one, i) => result[i] ?? read.get(keyOf(one))!)
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
  const unit = { text: '', kind: 'word', position: 0, isPrefix: false } as const
  const anywhere = new TsqueryBuilder({ tag: configurationTag(config), lexemes: () => [] }).lexemes(
    lexemes,
    unit,
    WEIGHTS,
  )!
  return {
    ...word,
    ...{ lexemes, anywhere, prominent: anywhere, share: SHARE, isAlternative: true, place: null },
    idf: SHARE * Math.min(word.idf, inverseFrequency(Math.min(counted, frequency), counted)),
    pages: Math.min(pages, Math.ceil((frequency * pages) / Math.max(1, counted))),
  }
}
