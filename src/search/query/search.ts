import { isStatementTimeout } from '../../db/connection-error.ts'
import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import { Unavailable } from '../../errors.ts'
import { SEARCH_CANDIDATES, SEARCH_TIMEOUT_MS, WIKI_INFO_TTL_MS } from '../../limits.ts'
import { memoizeFor } from '../../memoize.ts'
import { configurationTag } from '../lexemes.ts'
import { type Lexemes, loadStems } from '../stems.ts'
import type { HitPage, SearchHit } from './hit.ts'
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
  /** absent or null: every language */
  locale?: string | null
  first: number
  offset: number
}

const configurations = statement('search_configurations')
const searchHits = statement('search_hits')
const searchParts = statement('search_parts')
const stems = statement('stems')

/**
 * Searches are not batched: each has its own cost. The shape is a loader's all the same, so that a resolver
 * need not know.
 */
export const makeSearchLoader = <Page = object>(database: Database, now = () => performance.now()) => {
  const languages = memoizeFor(WIKI_INFO_TTL_MS, () => database.query<Language>(configurations, []))
  const configsOf = async (locale: string | null): Promise<string[]> => {
    const all = await languages.get()
    return [
      ...new Set(all.filter((one) => locale === null || one.locale === locale).map((one) => one.config)),
    ]
  }
  const load = async ({ q, locale, first, offset }: SearchArguments): Promise<SearchHit<Page>[]> => {
    const query = parseSearchQuery(q)
    if (query.groups.length === 0) return []
    const configs = await configsOf(locale ?? null)
    const matching = withSearchDeadline(database, now)
    const lexemes = await lexemesOfQuery(database, query, configs)
    const asked = configs.map((config) => ({ config, lexemes: (word: string) => lexemes(config, word) }))
    const find = (rows: { first: number; offset: number }) =>
      findFullMatches<Page>(matching, query, asked, { locale: locale ?? null, ...rows })
    let hits = await find({ first, offset })
    // Whether nothing has all the words must not depend on the part that is asked for.
    if (hits.length === 0 && (offset === 0 || (await find({ first: 1, offset: 0 })).length === 0))
      hits = await findPartialMatches<Page>(matching, query, asked, { locale: locale ?? null, first, offset })
    const passages = await loadPassages(database, query, hits, lexemes)
    return hits.map((page, i) => ({ page, score: page.score, passages: passages[i]! }))
  }
  return { load, forget: languages.invalidate }
}

const searchTimedOut = (cause: unknown) =>
  new Unavailable('This search takes too long: use fewer or rarer words, or try again in a moment.', 1, cause)

/** The database as one search looks for matches in it: statements end that take too long together. @throws Unavailable */
const withSearchDeadline = (database: Database, now: () => number): Pick<Database, 'query'> => {
  const until = now() + SEARCH_TIMEOUT_MS
  return {
    query: async (asked, values) => {
      const timeoutMs = Math.ceil(until - now())
      if (timeoutMs <= 0) throw searchTimedOut(undefined)
      try {
        return await database.query({ ...asked, timeoutMs }, values)
      } catch (error) {
        throw isStatementTimeout(error) ? searchTimedOut(error) : error
      }
    },
  }
}

interface Language {
  locale: string
  config: string
}

/** What each configuration that is searched makes of the query's words. */
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

const arrayOf = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join()}}`

/** A configuration that is searched, and what it makes of words. */
interface SearchedConfiguration {
  config: string
  lexemes: (word: string) => readonly string[]
}

interface ResultWindow {
  locale: string | null
  first: number
  offset: number
}

const findFullMatches = <Page>(
  database: Pick<Database, 'query'>,
  query: SearchQuery,
  configurations: readonly SearchedConfiguration[],
  { locale, first, offset }: ResultWindow,
): Promise<(Page & HitPage)[]> => {
  const questions = configurations.map(({ config, lexemes }) =>
    buildTsqueries(query, configurationTag(config), lexemes),
  )
  const all = <Key extends keyof Tsqueries>(name: Key) => questions.map((question) => question[name])
  return database.query<Page & HitPage>(searchHits, [
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
    all('lexemes').map(arrayOf),
    SEARCH_CANDIDATES.ordered,
  ])
}

const findPartialMatches = async <Page>(
  database: Pick<Database, 'query'>,
  query: SearchQuery,
  configurations: readonly SearchedConfiguration[],
  { locale, first, offset }: ResultWindow,
): Promise<(Page & HitPage)[]> => {
  const parts = configurations.flatMap(({ config, lexemes }) =>
    buildTermQueries(query, configurationTag(config), lexemes).map((part, n) => ({ ...part, config, n })),
  )
  if (parts.length === 0) return []
  return database.query<Page & HitPage>(searchParts, [
    locale,
    parts.map(({ config }) => config),
    parts.map(({ n }) => n),
    parts.map(({ title }) => title),
    parts.map(({ all }) => all),
    Math.max(SEARCH_CANDIDATES.partialPerTerm, Math.floor(SEARCH_CANDIDATES.partial / parts.length)),
    offset,
    first,
    keysWithin(query.key ?? ''),
    configurations.map(({ config }) => config),
    configurations.map(({ config, lexemes }) => buildExclusions(query, configurationTag(config), lexemes)),
    configurations.map(({ config, lexemes }) =>
      arrayOf(buildTsqueries(query, configurationTag(config), lexemes).lexemes),
    ),
  ])
}
