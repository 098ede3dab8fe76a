import { TAIL_LIMITS } from '../../limits/service.ts'
import { type CandidateCells, makeScorer } from './bm25.ts'
import { includedTerms } from './parse.ts'
import type { SearchContext, SearchedLanguage, WeightedWord } from './query-weights.ts'
import { relativesIn } from './relatives.ts'
import { buildExclusions, storedLexemes } from './tsquery-builder.ts'

export interface TailPage {
  id: string
  /** From 0 to 1: a part of the highest score that a page of its language could reach. */
  score: number
  highest: number
  /** See `tsvectorEntries`. */
  positions: string
}

export type TailSearch = Awaited<ReturnType<typeof prepareTail>>

/** @param isPooled whether pages with all words are candidates anyway */
export const prepareTail = async (context: SearchContext, isPooled: boolean) => {
  const { query, languages, configurations } = context
  const terms = includedTerms(query).length
  const weights = await context.weights()
  const weighted = weights.words
  const words = wordsOfConfigurations(languages, weighted)
  const scored = languages.map((language) => {
    const relatives = relativesIn(language, weights)
    return { ...language, relatives, words: [...weighted.get(language)!, ...relatives] }
  })
  const relatives = scored.flatMap((language) => language.relatives)
  const scorers = new Map(
    scored.map(({ locale, words, meanLength }) => [locale, makeScorer(words, meanLength)]),
  )
  return {
    /** Finds candidates: about 400 pages. */
    candidates: candidateQueries(words, relatives, isPooled),
    /** How many of the candidates are read, those with the highest sums of weights. */
    read: words.some(({ isPair }) => isPair)
      ? Math.max(TAIL_LIMITS.readOfPairs, Math.min(TAIL_LIMITS.read, terms * TAIL_LIMITS.readOfPairsInTerm))
      : Math.min(TAIL_LIMITS.read, words.length * TAIL_LIMITS.readOfWord),
    /** Of each configuration: the lexemes whose positions rank the candidates, and what they must not contain. */
    configurations: configurations.map((one) => ({
      // Those of the query are positions that passages need.
      tailLexemes: [
        ...new Set([
          ...one.tsqueries.lexemes,
          ...scored
            .filter(({ config }) => config === one.config)
            .flatMap(({ words }) => words.flatMap(({ lexemes }) => storedLexemes(lexemes, one.tag))),
        ]),
      ],
      excluded: buildExclusions(query, one),
    })),
    /** Ranks the candidates by BM25, the best first. (D112) */
    rank: (candidates: readonly CandidateCells[]): TailPage[] =>
      candidates
        .map((candidate) => {
          const [id, locale, prior, , , positions] = candidate
          const scorer = scorers.get(locale)
          const score = scorer?.score(candidate) ?? 0
          return { id, prior, score, highest: scorer?.highest ?? 1, positions }
        })
        .sort((a, b) => b.score - a.score || b.prior - a.prior || Number(a.id) - Number(b.id)),
  }
}

/** The words of each configuration, with the pages of all its languages: an index entry is shared by these. */
const wordsOfConfigurations = (
  languages: readonly SearchedLanguage[],
  weighted: ReadonlyMap<SearchedLanguage, readonly WeightedWord[]>,
): ConfigurationWord[] => {
  const words = new Map<string, ConfigurationWord>()
  for (const language of languages)
    for (const { anywhere, prominent, pages, idf, term, isPair, isAlternative } of weighted.get(language)!) {
      if (isAlternative) continue
      const known = words.get(anywhere)
      words.set(anywhere, {
        ...{ config: language.config, anywhere, prominent, term, isPair },
        idf: Math.max(idf, known?.idf ?? 0),
        pages: pages + (known?.pages ?? 0),
      })
    }
  return [...words.values()]
}

/** A query for pages that contain some of the words of a search, and how many of these pages are found. */
interface CandidateQuery {
  query: string
  most: number
  /** What its words say about a page: of all pages that are found, those with the highest sums are read. */
  weight: number
  /** Whether it is not needed if enough pages contain all words. */
  isSpare: boolean
}

/** A word of one configuration, and in how many pages of all its languages it occurs. */
type ConfigurationWord = Pick<SearchedLanguage, 'config'> &
  Pick<WeightedWord, 'anywhere' | 'prominent' | 'pages' | 'idf' | 'term' | 'isPair'>

/** What a page about a word counts more, before it is read. Of a very rare word, all pages are read. */
const ABOUT_SHARE = 0.5

/**
 * Chooses the queries that find the pages to rank: all pages with the rarest words, as long as they are few; pages with
 * the two or three rarest other words; and the best pages about the rarest common word. (D112)
 * @param relatives of words of the query: pages with them are found if they are few
 * @param isPooled whether pages with all words are ranked anyway, more of them than `pagesOfQuery` (D114)
 */
const candidateQueries = (
  words: readonly ConfigurationWord[],
  relatives: readonly Pick<WeightedWord, 'anywhere' | 'pages' | 'idf'>[],
  isPooled: boolean,
): CandidateQuery[] => {
  const sorted = byPages(words)
  const few = fitting(sorted, TAIL_LIMITS.pages / 2)
  // One word may fill all.
  const rare = few.length > 0 ? few : fitting(sorted.slice(0, 1), TAIL_LIMITS.pages)
  const common = sorted.slice(rare.length)
  const queries: CandidateQuery[] = []
  const add = (query: string, weight: number) =>
    queries.push({ query, most: TAIL_LIMITS.pages, weight, isSpare: false })
  for (const { anywhere, idf } of [...rare, ...fitting(byPages(relatives), TAIL_LIMITS.pagesOfQuery)])
    add(anywhere, idf)
  for (const { prominent, idf, isPair, pages } of rare)
    if (!isPair && pages > TAIL_LIMITS.readOfWord) add(prominent, idf * ABOUT_SHARE)
  const [first] = common
  if (!first) return queries
  const most = TAIL_LIMITS.pagesOfQuery
  for (const all of isPooled && words.length === 2 ? [] : conjunctions(common)) {
    const query = all.map(({ anywhere }) => anywhere).join('&')
    const weight = all.reduce((sum, { idf }) => sum + idf, 0)
    queries.push({ query, most, weight, isSpare: true })
  }
  queries.push({ query: first.prominent, most, weight: first.idf, isSpare: true })
  return queries
}

/**
 * The rarest common word with the next one. Pairs of characters of one term say little together. So if other terms have pairs, the
 * rarest pairs of up to four terms: three of them together, because a pair is as common as several words, and each two.
 */
const conjunctions = ([first, ...common]: readonly ConfigurationWord[]): ConfigurationWord[][] => {
  const others = common.filter(({ config }) => config === first!.config)
  const terms = new Set([first!.term])
  const apart = others.filter(({ isPair, term }) => isPair && !terms.has(term) && terms.add(term))
  const rarest = [first!, ...(apart.length > 0 ? apart.slice(0, 3) : others.slice(0, 1))]
  const two = rarest.flatMap((one, i) => rarest.slice(i + 1).map((other) => [one, other]))
  return rarest.length > 2 ? [rarest.slice(0, 3), ...two] : two
}

/** The first of some words whose pages are at most so many together. */
const fitting = <Word extends { pages: number }>(words: readonly Word[], most: number): readonly Word[] => {
  let pages = 0
  return words.filter((word) => {
    pages += word.pages
    return pages <= most
  })
}

const byPages = <Word extends { pages: number }>(words: readonly Word[]): Word[] =>
  [...words].sort((a, b) => a.pages - b.pages)
