import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/database.ts'
import type { StatementRows } from '../../db/statement-rows.ts'
import { statement } from '../../db/statements.ts'
import { QUERY_WORD_CACHE_SIZE } from '../../limits.ts'
import { configurationTag } from '../lexemes.ts'
import type { SearchQuery } from './parse.ts'
import type { WordWeight } from './patterns.ts'
import { type QueryWord, queryWords } from './query-words.ts'
import { type SearchedLanguage, type WeightedWord, weighWords } from './word-weights.ts'

/** A query and the languages in which it is searched. */
export interface SearchedQuery {
  /** With the deadline of the search. */
  database: Pick<Database, 'query'>
  query: SearchQuery
  languages: readonly SearchedLanguage[]
  statistics: WordStatistics
  /** The configurations of the languages, and the lexemes of a word in each. */
  configurations: readonly { config: string; lexemes: (word: string) => readonly string[] }[]
}

/** A counted word, and in how many of the counted pages it occurs. */
export type CountedWord = Pick<StatementRows['search_words'], 'word' | 'pages'>

/** What was read of the statistics of words. The keys are locale and word. */
export interface WordStatistics {
  /** In how many of the counted pages of a language a word occurs; 0 if it is not stored. */
  counts: LRUCache<string, number>
  /** The counted words nearest in the alphabet. */
  neighbours: LRUCache<string, readonly CountedWord[]>
}

/** @returns empty caches, which are valid until the statistics change */
export const makeWordStatistics = (): WordStatistics => ({
  counts: new LRUCache({ max: QUERY_WORD_CACHE_SIZE }),
  // Each has at most 24 words.
  neighbours: new LRUCache({ max: QUERY_WORD_CACHE_SIZE / 5 }),
})

/** The words of a query in each configuration, and how much they say about the pages of each language. */
export interface QueryWeights {
  wordsOf: ReadonlyMap<string, readonly QueryWord[]>
  weighted: ReadonlyMap<SearchedLanguage, readonly WeightedWord[]>
}

const wordsStatement = statement('search_words')

export const loadQueryWeights = async ({
  database,
  query,
  languages,
  statistics,
  configurations,
}: SearchedQuery): Promise<QueryWeights> => {
  const wordsOf = new Map(
    configurations.map(({ config, lexemes }) => [
      config,
      queryWords(query, configurationTag(config), lexemes),
    ]),
  )
  const countOf = await loadCounts(database, statistics.counts, languages, wordsOf)
  const weighted = languages.map((language): [SearchedLanguage, WeightedWord[]] => [
    language,
    weighWords(wordsOf.get(language.config)!, language, (lexeme) => countOf(language.locale, lexeme)),
  ])
  return { wordsOf, weighted: new Map(weighted) }
}

/** Loads the counts that are not cached. */
const loadCounts = async (
  database: SearchedQuery['database'],
  counts: WordStatistics['counts'],
  languages: readonly SearchedLanguage[],
  wordsOf: QueryWeights['wordsOf'],
): Promise<(locale: string, lexeme: string) => number | undefined> => {
  const found = new Map<string, number>()
  const missing: { locale: string; lexeme: string }[] = []
  for (const { locale, config } of languages)
    for (const { lexemes } of wordsOf.get(config)!)
      for (const lexeme of lexemes) {
        const known = counts.get(`${locale} ${lexeme}`)
        if (known === undefined) missing.push({ locale, lexeme })
        else found.set(`${locale} ${lexeme}`, known)
      }
  if (missing.length > 0) {
    const rows = await database.query(wordsStatement, [
      missing.map(({ locale }) => locale),
      missing.map(({ lexeme }) => lexeme),
    ])
    for (const { locale, lexeme } of missing) found.set(`${locale} ${lexeme}`, 0)
    for (const { locale, word, pages } of rows) found.set(`${locale} ${word}`, pages)
    for (const { locale, lexeme } of missing)
      counts.set(`${locale} ${lexeme}`, found.get(`${locale} ${lexeme}`)!)
  }
  return (locale, lexeme) => found.get(`${locale} ${lexeme}`) || undefined
}

/** The weights of words for passages. A word that was not weighed, such as a part of a code, weighs nothing by itself. */
export const passageWeights = ({ weighted }: QueryWeights): WordWeight => {
  const idfs = new Map<string, number>()
  for (const [{ locale }, words] of weighted)
    for (const { lexemes, idf } of words)
      for (const lexeme of lexemes) {
        const key = `${locale} ${lexeme}`
        idfs.set(key, Math.max(idf, idfs.get(key) ?? 0))
      }
  return (locale, lexemes) => Math.max(0, ...lexemes.map((lexeme) => idfs.get(`${locale} ${lexeme}`) ?? 0))
}
