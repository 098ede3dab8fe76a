import { isDeepStrictEqual } from 'node:util'
import { Unavailable } from '@lectern/wiki/errors'
import { isStatementTimeout } from '../../db/connection-error.ts'
import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import type { StatementRows } from '../../generated/statement-rows.ts'
import { SEARCH_CANDIDATES, WIKI_INFO_TTL_MS } from '../../limits/service.ts'
import { memoize, memoizeFor } from '../../shared/memoize.ts'
import { configurationTag } from '../configurations.ts'
import { fold, withoutAccents } from '../folding.ts'
import { typoCandidates } from '../lexemes.ts'
import { loadStems, stemsFrom } from '../stems.ts'
import { wordsOf } from '../words.ts'
import type { CandidateCells } from './bm25.ts'
import { includedTerms, parseSearchQuery, type SearchQuery, unitsOf, wordsToStem } from './parse.ts'
import { loadPassages } from './passages.ts'
import {
  loadQueryWeights,
  makeWordStatistics,
  passageWeights,
  type SearchContext,
  type SearchedLanguage,
  type SearchFilter,
  type WordStatistics,
} from './query-weights.ts'
import {
  type FoundPageRow,
  listedMatch,
  loadShownPart,
  type MatchCells,
  type Part,
  type SearchResult,
  type Tail,
  tailOf,
} from './results.ts'
import { prepareTail, type TailSearch } from './tail.ts'
import { buildTsqueries } from './tsquery-builder.ts'

export interface SearchArguments extends SearchFilter {
  q: string
  /** Absent or null: every language. */
  locale?: string | null
  first: number
  offset: number
}

const matchesStatement = statement('search_matches')

/**
 * Searches are not batched, because each one has a different cost. The result looks like a loader, so that resolvers
 * use it in the same way.
 */
export const makeSearchLoader = (database: Database) => {
  const statistics = makeStatistics(database)
  const load = async (asked: SearchArguments): Promise<SearchResult<FoundPageRow>> => {
    const { q, locale = null, first, offset, ...filter } = asked
    const query = parseSearchQuery(q)
    const nothing = { hits: [], hasMore: false, didYouMean: null }
    if (query.groups.length === 0) return nothing
    const { languages, words } = await statistics.get()
    const searched = languages.filter((one) => locale === null || one.locale === locale)
    if (searched.length === 0) return nothing
    const configs = [...new Set(searched.map(({ config }) => config))]
    const toStem = wordsToStem(query)
    const lexemes = await loadStems(stemsFrom(database), new Map(configs.map((config) => [config, toStem])))
    const context: SearchContext = {
      ...{ database, query, locale, filter, languages: searched, statistics: words },
      configurations: configs.map((config) => {
        const one = {
          config,
          tag: configurationTag(config),
          lexemes: (word: string) => lexemes(config, word),
        }
        return { ...one, tsqueries: buildTsqueries(query, one) }
      }),
      weights: memoize(() => loadQueryWeights(context)),
    }
    const tail = tailOf(query)
    const part = { offset, end: offset + first }
    const { shown, pages, hasMore, isPartial } = await findPart(context, tail, part)
    // A single word cannot be rarer than another.
    const weight = tail === 'none' || pages.length === 0 ? undefined : passageWeights(await context.weights())
    const passages = await loadPassages(database, query, pages, lexemes, weight)
    const typo = shown.findIndex(({ isTypo }) => isTypo)
    // The titles with words similar to those that no page has tell how these are spelled.
    const unknown = isPartial ? await unknownWords(context) : []
    let title = pages[typo]?.title ?? ''
    for (const word of unknown) {
      const alone = await load({ ...asked, q: word, first: 1, offset: 0 }).catch(() => nothing)
      title += ` ${alone.didYouMean ?? ''}`
    }
    return {
      hits: pages.map((page, i) => ({ page, score: shown[i]!.score, passages: passages[i]! })),
      hasMore,
      didYouMean: title.trim() === '' ? null : correctTypo(q, title),
    }
  }
  return { load, invalidate: statistics.invalidate }
}

/** A part of the pages that contain all words of a query and, if they are too few, of those that contain some. */
const findPart = async (context: SearchContext, tail: Tail, part: Part) => {
  const prepared = tail === 'none' ? undefined : await prepareTail(context, tail === 'merged')
  const rows = await findMatchingPages(context, part, tail, prepared)
  const { hasMore, ...first } = rows[0]!
  const matches: MatchCells[] = first.matches ?? []
  const candidates: CandidateCells[] | null = first.candidates
  if (prepared && candidates) {
    const listed = { matches, tail, ranked: prepared.rank(candidates) }
    return { ...(await loadShownPart(context, listed, part)), isPartial: matches.length === 0 }
  }
  const pages = rows.filter(({ id }) => id !== null) as FoundPageRow[]
  return { shown: matches.map(listedMatch), pages, hasMore, isPartial: false }
}

/** A longer query is a question. `unknown`: of its words, so many are corrected. */
const CORRECTED = { words: 6, unknown: 3 } as const

/** The words of a query, of which no page has all, that at most one of the counted pages has. */
const unknownWords = async ({ query, languages, configurations, weights }: SearchContext) => {
  const words = includedTerms(query).flatMap(unitsOf)
  if (words.length > CORRECTED.words) return []
  const { countOf } = await weights()
  const unknown = words.filter(({ text, kind }) => {
    const counts = languages.flatMap(({ locale, config }) => {
      const known = configurations.find((one) => one.config === config)
      return known!.lexemes(text).map((lexeme) => countOf(locale, lexeme)?.pages ?? 0)
    })
    return kind === 'word' && counts.length > 0 && counts.every((pages) => pages === 0)
  })
  return unknown.slice(0, CORRECTED.unknown).map(({ text }) => text)
}

/** The languages, and the statistics of words that were read while the languages were the same. */
const makeStatistics = (database: Database) => {
  let current: { languages: SearchedLanguage[]; words: WordStatistics } | undefined
  const read = memoizeFor(WIKI_INFO_TTL_MS, async () => {
    const languages = await database.query(statement('search_languages'), [])
    // Words are counted together with the sizes of the languages.
    if (!current || !isDeepStrictEqual(languages, current.languages))
      current = { languages, words: makeWordStatistics() }
    return current
  })
  const invalidate = () => {
    current = undefined
    read.invalidate()
  }
  return { get: read.get, invalidate }
}

/**
 * The pages that contain all words of a query, and what a response shows of them, or the candidates for the tail.
 * @param given what finds the tail
 * @throws Unavailable if it takes longer than a statement may
 */
const findMatchingPages = async (
  { database, query, locale, filter, configurations }: SearchContext,
  { offset, end }: Part,
  tail: Tail,
  given: Omit<TailSearch, 'rank'> = { candidates: [], read: 0, configurations: [] },
): Promise<StatementRows['search_matches'][]> => {
  const asked = {
    ...{ ...filter, locale, tail, key: query.key, start: offset },
    // One more tells whether there is a next part.
    end: end + 1,
    ranked: SEARCH_CANDIDATES.ranked,
    ordered: orderedMatches(query),
    candidates: given.candidates,
    read: given.read,
    configurations: configurations.map(({ config, tsqueries }, i) => ({
      config,
      ...tsqueries,
      ...given.configurations[i],
    })),
  }
  try {
    return await database.query(matchesStatement, [JSON.stringify(asked)])
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    const message = 'This search takes too long: use fewer or rarer words, or try again in a moment.'
    throw new Unavailable(message, 1, error)
  }
}

/** To compare the order of many words takes long, but few pages contain all of them without it. */
const orderedMatches = ({ groups }: SearchQuery): number => {
  const words = groups.flat().reduce((sum, { units }) => sum + units.length, 0)
  const { ordered, orderedWords, ranked } = SEARCH_CANDIDATES
  return Math.max(ranked, Math.floor(ordered / Math.max(1, words / orderedWords)))
}

/**
 * A query with the words of a title in place of words with a typo; null if that changes nothing.
 * @param title of a page that was found despite a typo
 */
const correctTypo = (query: string, title: string): string | null => {
  // A title that is a file name has `-` or `_` between its words.
  const ofTitle = [...wordsIn(title), ...title.split(/[^\p{L}\p{M}\p{N}]+/u)].map((word) => ({
    ...spellingOf(word),
    text: word.replace(/^[\p{Ps}\p{Pi}]+|(?![#%&*@])[\p{Po}\p{Pe}\p{Pf}]+$/gu, ''),
  }))
  const corrected = (word: string): string => {
    const { plain, candidates } = spellingOf(word)
    if (ofTitle.some((one) => one.plain === plain)) return word
    return (
      ofTitle.find((one) => one.candidates.some((candidate) => candidates.includes(candidate)))?.text ?? word
    )
  }
  const words = wordsIn(query)
  const result = words.map(corrected)
  return isDeepStrictEqual(result, words) ? null : result.join(' ')
}

const wordsIn = (text: string): string[] => text.match(/[^\s"“”„«»＂]+/g) ?? []

const spellingOf = (word: string) => {
  const plain = wordsOf(fold(word))
    .filter(({ kind }) => kind === 'word')
    .map(({ text }) => withoutAccents(text))
    .join(' ')
  return { plain, candidates: typoCandidates(plain) }
}
