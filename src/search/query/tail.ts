import { statement } from '../../db/statements.ts'
import { configurationTag, WEIGHTS } from '../lexemes.ts'
import { makeScorer } from './bm25.ts'
import { type CandidateQuery, type ConfigurationWord, candidateQueries } from './candidate-queries.ts'
import type { QueryWeights, SearchedQuery } from './query-weights.ts'
import { loadRelatives } from './relatives.ts'
import { buildExclusions } from './tsquery-builder.ts'
import type { SearchedLanguage, WeightedWord } from './word-weights.ts'

/** What the parts of one search have in common. */
export interface SearchContext extends SearchedQuery {
  locale: string | null
  /** Loaded at the first call. */
  weights(): Promise<QueryWeights>
}

/** A page of the tail. */
export interface TailPage {
  id: string
  /** From 0 to 1. */
  score: number
}

const candidatesStatement = statement('search_candidates')

export const arrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join()}}`

/**
 * The pages that contain some words of the query, the best first: about 400 candidates, ranked by BM25. (D112)
 * @param without pages that are listed already
 * @param pool pages that contain all words, which are ranked with the others
 */
export const loadTail = async (
  context: SearchContext,
  without: readonly string[],
  pool: readonly string[],
): Promise<TailPage[]> => {
  const { database, query, locale, configurations } = context
  const { weighted } = await context.weights()
  const relatives = await loadRelatives(database, weighted)
  const relativesOf = (language: SearchedLanguage) => relatives.get(language) ?? []
  const queries = candidateQueries(
    wordsOfConfigurations(context.languages, weighted),
    context.languages.flatMap(relativesOf),
  )
  const wordsOf = (config: string) =>
    context.languages
      .filter((language) => language.config === config)
      .flatMap((language) => [...weighted.get(language)!, ...relativesOf(language)])
  if (queries.length === 0 && pool.length === 0) return []
  const rows = await database.query(candidatesStatement, [
    locale,
    queries.map(({ query }: CandidateQuery) => query),
    queries.map(({ most }) => most),
    pool,
    without,
    configurations.map(({ config }) => config),
    configurations.map(({ config }) => arrayLiteral(storedLexemes(wordsOf(config), config))),
    configurations.map(({ config, lexemes }) => buildExclusions(query, configurationTag(config), lexemes)),
  ])
  const scorers = new Map(
    context.languages.map((language) => [
      language.locale,
      makeScorer([...weighted.get(language)!, ...relativesOf(language)], language.meanLength),
    ]),
  )
  return rows
    .map((row) => ({ id: row.id, prior: row.prior, score: scorers.get(row.locale)?.(row) ?? 0 }))
    .sort((a, b) => b.score - a.score || b.prior - a.prior || Number(a.id) - Number(b.id))
}

/** The words of each configuration, with the pages of all its languages: an index entry is shared by these. */
const wordsOfConfigurations = (
  languages: readonly SearchedLanguage[],
  weighted: ReadonlyMap<SearchedLanguage, readonly WeightedWord[]>,
): ConfigurationWord[] => {
  const words = new Map<string, ConfigurationWord>()
  for (const language of languages)
    for (const { anywhere, prominent, pages, isAlternative } of weighted.get(language)!) {
      if (isAlternative) continue
      const known = words.get(anywhere)
      words.set(anywhere, {
        ...{ config: language.config, anywhere, prominent },
        pages: pages + (known?.pages ?? 0),
        allPages: language.pages + (known?.allPages ?? 0),
      })
    }
  return [...words.values()]
}

const storedLexemes = (words: readonly WeightedWord[], config: string): string[] =>
  [...new Set(words.flatMap(({ lexemes }) => lexemes))].flatMap((lexeme) =>
    WEIGHTS.map((weight) => weight + configurationTag(config) + lexeme),
  )
