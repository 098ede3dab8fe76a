import { TAIL_LIMITS } from '../../limits.ts'
import type { WeightedWord } from './word-weights.ts'

/** A query for pages that contain some of the words of a search, and how many of these pages are read. */
export interface CandidateQuery {
  query: string
  most: number
}

/** A word of one configuration, and in how many pages of all its languages it occurs. */
export type ConfigurationWord = Pick<WeightedWord, 'anywhere' | 'prominent' | 'pages'> & {
  config: string
  /** Pages of all languages with this configuration. */
  allPages: number
}

/**
 * Chooses the queries that find the pages to rank: all pages with the rarest words, as long as they are few; pages with
 * two of the rarer words; and the best pages about a common word. (D112)
 * @param relatives of words of the query: pages with them are found if they are few
 * @param pooled a query whose best pages are ranked anyway, more of them than `pagesOfQuery`; null: none (D135)
 */
export const candidateQueries = (
  words: readonly ConfigurationWord[],
  relatives: readonly Pick<WeightedWord, 'anywhere' | 'pages'>[] = [],
  pooled: string | null = null,
): CandidateQuery[] => {
  const sorted = [...words].sort((a, b) => a.pages - b.pages)
  const { rare, common, pages } = splitByPages(sorted)
  const queries: CandidateQuery[] = []
  let expected = pages
  const few = [...rare, ...fewest(relatives)]
  if (few.length > 0)
    queries.push({ query: few.map(({ anywhere }) => anywhere).join('|'), most: TAIL_LIMITS.pages })
  for (const { operands, pages } of pairsOf(common)) {
    if (expected >= TAIL_LIMITS.pages) return queries
    if (!isConjunction(pooled, operands))
      queries.push({ query: operands.join('&'), most: TAIL_LIMITS.pagesOfQuery })
    expected += Math.min(pages, TAIL_LIMITS.pagesOfQuery)
  }
  for (const { prominent } of common.slice(0, TAIL_LIMITS.commonWords)) {
    if (expected >= TAIL_LIMITS.pages) return queries
    queries.push({ query: prominent, most: TAIL_LIMITS.pagesOfQuery })
    expected += TAIL_LIMITS.pagesOfQuery / 2
  }
  return queries
}

/** The rarest words whose pages fit into half of the pages that are ranked. One word may fill all. */
const splitByPages = (sorted: readonly ConfigurationWord[]) => {
  const rare: ConfigurationWord[] = []
  const common: ConfigurationWord[] = []
  let pages = 0
  for (const word of sorted) {
    const isRare =
      pages + word.pages <= TAIL_LIMITS.pages / 2 || (rare.length === 0 && word.pages <= TAIL_LIMITS.pages)
    ;(isRare ? rare : common).push(word)
    if (isRare) pages += word.pages
  }
  return { rare, common, pages }
}

/** Those with the fewest pages, which fit into a query. */
const fewest = <Word extends { pages: number }>(words: readonly Word[]): Word[] => {
  let pages = 0
  return [...words]
    .sort((a, b) => a.pages - b.pages)
    .filter((word) => {
      pages += word.pages
      return pages <= TAIL_LIMITS.pagesOfQuery
    })
}

/** Pairs of the rarest of some words, those that should have the fewest pages first. */
const pairsOf = (sorted: readonly ConfigurationWord[]): { operands: [string, string]; pages: number }[] => {
  const rarest = sorted.slice(0, TAIL_LIMITS.pairedWords)
  return rarest
    .flatMap((one, i) =>
      rarest
        .slice(i + 1)
        .filter(({ config }) => config === one.config)
        .map((other): { operands: [string, string]; pages: number } => ({
          operands: [one.anywhere, other.anywhere],
          pages: (one.pages * other.pages) / Math.max(1, one.allPages),
        })),
    )
    .sort((a, b) => a.pages - b.pages)
    .slice(0, TAIL_LIMITS.pairs)
}

/** Whether a query of `TsqueryBuilder` is that for both of two words. */
const isConjunction = (query: string | null, [one, other]: readonly [string, string]): boolean =>
  query === `(${one} & ${other})` || query === `(${other} & ${one})`
