import { isStatementTimeout } from '../../db/connection-error.ts'
import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import { Unavailable } from '../../errors.ts'
import { SEARCH_CANDIDATES, SEARCH_TIMEOUT_MS, WIKI_INFO_TTL_MS } from '../../limits.ts'
import { memoizeFor } from '../../memoize.ts'
import { configurationTag } from '../lexemes.ts'
import { type Lexemes, loadStems } from '../stems.ts'
import type { MatchRow, SearchHit } from './hit.ts'
import { keysWithin, parseSearchQuery, type SearchQuery } from './parse.ts'
import { loadPassages } from './passages.ts'
import {
  buildExclusions,
  buildTermQueries,
  buildTsqueries,
  type Tsqueries,
  unitsOf,
} from './tsquery-builder.ts'

export interface SearchArguments {
  q: string
  /** Absent or null: every language. */
  locale?: string | null
  first: number
  offset: number
}

const configurations = statement('search_configurations')
const fullMatches = statement('search_full_matches')
const partialMatches = statement('search_partial_matches')
const stems = statement('stems')

/**
 * Searches are not batched, because each one has a different cost. The result looks like a loader, so that resolvers
 * use it in the same way.
 */
export const makeSearchLoader = (database: Database, now = () => performance.now()) => {
  const languages = memoizeFor(WIKI_INFO_TTL_MS, () => database.query(configurations, []))
  const configurationsOf = async (locale: string | null): Promise<string[]> => {
    const all = await languages.get()
    return [
      ...new Set(
        all.filter((language) => locale === null || language.locale === locale).map(({ config }) => config),
      ),
    ]
  }
  const load = async ({ q, locale, first, offset }: SearchArguments): Promise<SearchHit<MatchRow>[]> => {
    const query = parseSearchQuery(q)
    if (query.groups.length === 0) return []
    const configs = await configurationsOf(locale ?? null)
    const limited = withSearchDeadline(database, now)
    const lexemes = await lexemesOfQuery(database, query, configs)
    const searched = configs.map((config) => ({ config, lexemes: (word: string) => lexemes(config, word) }))
    const find = (rows: { first: number; offset: number }) =>
      findFullMatches(limited, query, searched, { locale: locale ?? null, ...rows })
    let rows = await find({ first, offset })
    // Whether any page has all the words must not depend on the requested part of the list.
    if (rows.length === 0 && (offset === 0 || (await find({ first: 1, offset: 0 })).length === 0))
      rows = await findPartialMatches(limited, query, searched, { locale: locale ?? null, first, offset })
    const passages = await loadPassages(database, query, rows, lexemes)
    return rows.map((page, i) => ({ page, score: page.score, passages: passages[i]! }))
  }
  return { load, invalidate: languages.invalidate }
}

const searchTimedOut = (cause: unknown) =>
  new Unavailable('This search takes too long: use fewer or rarer words, or try again in a moment.', 1, cause)

/**
 * The database for the statements that match pages of one search: together they run for SEARCH_TIMEOUT_MS at most.
 * @throws Unavailable
 */
const withSearchDeadline = (database: Database, now: () => number): Pick<Database, 'query'> => {
  const deadline = now() + SEARCH_TIMEOUT_MS
  return {
    query: async (query, values) => {
      const timeoutMs = Math.ceil(deadline - now())
      if (timeoutMs <= 0) throw searchTimedOut(undefined)
      try {
        return await database.query({ ...query, timeoutMs }, values)
      } catch (error) {
        throw isStatementTimeout(error) ? searchTimedOut(error) : error
      }
    },
  }
}

/** The lexemes of the query's words in each of the configurations. */
const lexemesOfQuery = (
  database: Database,
  query: SearchQuery,
  configs: readonly string[],
): Promise<Lexemes> => {
  const units = query.groups.flat().flatMap((term) => unitsOf(term).concat(term.units))
  const words = new Set(units.filter(({ kind }) => kind === 'word').map(({ text }) => text))
  return loadStems(
    (values) => database.query(stems, values),
    new Map(configs.map((config) => [config, words])),
    false,
  )
}

const arrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join()}}`

/** A configuration of the searched languages, and the lexemes of a word in it. */
interface SearchedConfiguration {
  config: string
  lexemes: (word: string) => readonly string[]
}

interface ResultWindow {
  locale: string | null
  first: number
  offset: number
}

const findFullMatches = (
  database: Pick<Database, 'query'>,
  query: SearchQuery,
  configurations: readonly SearchedConfiguration[],
  { locale, first, offset }: ResultWindow,
): Promise<MatchRow[]> => {
  const tsqueries = configurations.map(({ config, lexemes }) =>
    buildTsqueries(query, configurationTag(config), lexemes),
  )
  const all = <Key extends keyof Tsqueries>(name: Key) => tsqueries.map((queries) => queries[name])
  return database.query(fullMatches, [
    locale,
    configurations.map(({ config }) => config),
    all('title'),
    all('prominent'),
    all('repeated'),
    all('all'),
    all('order'),
    all('typos'),
    offset,
    first,
    SEARCH_CANDIDATES.ranked,
    query.key,
    all('rank'),
    all('lexemes').map(arrayLiteral),
    SEARCH_CANDIDATES.ordered,
  ])
}

const findPartialMatches = async (
  database: Pick<Database, 'query'>,
  query: SearchQuery,
  configurations: readonly SearchedConfiguration[],
  { locale, first, offset }: ResultWindow,
): Promise<MatchRow[]> => {
  const terms = configurations.flatMap(({ config, lexemes }) =>
    buildTermQueries(query, configurationTag(config), lexemes).map((term, n) => ({ ...term, config, n })),
  )
  if (terms.length === 0) return []
  return database.query(partialMatches, [
    locale,
    terms.map(({ config }) => config),
    terms.map(({ n }) => n),
    terms.map(({ title }) => title),
    terms.map(({ all }) => all),
    Math.max(SEARCH_CANDIDATES.partialPerTerm, Math.floor(SEARCH_CANDIDATES.partial / terms.length)),
    offset,
    first,
    keysWithin(query.key ?? ''),
    configurations.map(({ config }) => config),
    configurations.map(({ config, lexemes }) => buildExclusions(query, configurationTag(config), lexemes)),
    configurations.map(({ config, lexemes }) =>
      arrayLiteral(buildTsqueries(query, configurationTag(config), lexemes).lexemes),
    ),
  ])
}
