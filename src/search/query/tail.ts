import { configurationTag, WEIGHTS } from '../lexemes.ts'
import { makeScorer } from './bm25.ts'
import { type CandidateQuery, type ConfigurationWord, candidateQueries } from './candidate-queries.ts'
import { eachCandidate } from './candidates.ts'
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
  /** From 0 to 1: a part of the highest score that a page of its language could reach. */
  score: number
  highest: number
}

export const arrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join()}}`

/** The tail of a search: pages that contain some words of the query. */
export interface TailSearch {
  /** Parameters of the statement that finds candidates: about 400 pages. */
  values: readonly unknown[]
  /** Ranks the candidates by BM25, the best first. (D112) */
  rank(candidates: string): TailPage[]
}

/** A search without a tail. */
export const withoutTail = ({ configurations }: SearchedQuery): TailSearch => {
  const nothing = configurations.map(() => null)
  return { values: [[], [], nothing, nothing], rank: () => [] }
}

/** @param pooled a query whose best 200 pages are candidates anyway; null: none */
export const prepareTail = async (context: SearchContext, pooled: string | null): Promise<TailSearch> => {
  const { database, statistics, query, languages, configurations } = context
  const { wordsOf, weighted } = await context.weights()
  const relatives = await loadRelatives(database, statistics.neighbours, weighted)
  const relativesOf = (language: SearchedLanguage) => relatives.get(language) ?? []
  const queries = candidateQueries(
    wordsOfConfigurations(languages, weighted),
    languages.flatMap(relativesOf),
    pooled,
  )
  const lexemesOf = (config: string) => [
    ...wordsOf.get(config)!,
    ...languages.filter((language) => language.config === config).flatMap(relativesOf),
  ]
  const scorers = new Map(
    languages.map((language) => [
      language.locale,
      makeScorer([...weighted.get(language)!, ...relativesOf(language)], language.meanLength),
    ]),
  )
  return {
    values: [
      queries.map(({ query }: CandidateQuery) => query),
      queries.map(({ most }) => most),
      configurations.map(({ config }) => arrayLiteral(storedLexemes(lexemesOf(config), config))),
      configurations.map(({ config, lexemes }) => buildExclusions(query, configurationTag(config), lexemes)),
    ],
    rank: (candidates) => {
      const ranked: (TailPage & { prior: number })[] = []
      eachCandidate(candidates, (page) => {
        const scorer = scorers.get(page.locale)
        const [score, highest] = scorer ? [scorer.score(page), scorer.highest] : [0, 1]
        ranked.push({ id: page.id, prior: page.prior, score, highest })
      })
      return ranked.sort((a, b) => b.score - a.score || b.prior - a.prior || Number(a.id) - Number(b.id))
    },
  }
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

const storedLexemes = (words: readonly Pick<WeightedWord, 'lexemes'>[], config: string): string[] =>
  [...new Set(words.flatMap(({ lexemes }) => lexemes))].flatMap((lexeme) =>
    WEIGHTS.map((weight) => weight + configurationTag(config) + lexeme),
  )
