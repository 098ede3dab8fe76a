import { Unavailable } from '../errors.ts'
import { keptFor } from '../kept.ts'
import { SEARCH, SEARCH_MS, WIKI_KEPT_MS } from '../limits.ts'
import { tagOf } from '../wiki/search/lexemes.ts'
import { keysWithin, readQuery, type SearchQuery } from '../wiki/search/query.ts'
import { exclusionsOf, partsOf, type Questions, questionsOf, unitsOf } from '../wiki/search/questions.ts'
import { isSlow } from './connection-error.ts'
import type { Database } from './database.ts'
import { passagesOf } from './passages.ts'
import type { PageRow, SearchHitRow } from './rows.ts'
import { statement } from './statements.ts'
import { type Lexemes, learn } from './vocabulary.ts'

export interface SearchKey {
  q: string
  /** absent or null: every language */
  locale?: string | null
  first: number
  offset: number
}

/** A hit with what tells its passages: positions of the query's lexemes, and those of the sections' first words. */
export type FoundPage = PageRow & { score: number; config: string; starts: number[]; places: string | null }

const configurations = statement('search_configurations')
const searchHits = statement('search_hits')
const searchParts = statement('search_parts')
const stems = statement('stems')

/**
 * Searches are not batched: each has its own cost. The shape is a loader's all the same, so that a resolver
 * need not know.
 */
export const searchLoader = (database: Database, now = () => performance.now()) => {
  const languages = keptFor(WIKI_KEPT_MS, () => database.query<Language>(configurations, []))
  const configsOf = async (locale: string | null): Promise<string[]> => {
    const all = await languages.get()
    return [
      ...new Set(all.filter((one) => locale === null || one.locale === locale).map((one) => one.config)),
    ]
  }
  const load = async ({ q, locale, first, offset }: SearchKey): Promise<SearchHitRow[]> => {
    const query = readQuery(q)
    if (query.groups.length === 0) return []
    const configs = await configsOf(locale ?? null)
    const matching = withinSearch(database, now)
    const lexemes = await lexemesOfQuery(database, query, configs)
    const asked = configs.map((config) => ({ config, lexemes: (word: string) => lexemes(config, word) }))
    const find = (rows: { first: number; offset: number }) =>
      holdingAll(matching, query, asked, { locale: locale ?? null, ...rows })
    let hits = await find({ first, offset })
    // Whether nothing has all the words must not depend on the part that is asked for.
    if (hits.length === 0 && (offset === 0 || (await find({ first: 1, offset: 0 })).length === 0))
      hits = await holdingSome(matching, query, asked, { locale: locale ?? null, first, offset })
    const passages = await passagesOf(database, query, hits, lexemes)
    return hits.map((page, i) => ({ page, score: page.score, passages: passages[i]! }))
  }
  return { load, forget: languages.forget }
}

const tooSlow = (cause: unknown) =>
  new Unavailable('This search takes too long: use fewer or rarer words, or try again in a moment.', 1, cause)

/** The database as one search looks for matches in it: statements end that take too long together. @throws Unavailable */
const withinSearch = (database: Database, now: () => number): Pick<Database, 'query'> => {
  const until = now() + SEARCH_MS
  return {
    query: async (asked, values) => {
      const timeoutMs = Math.ceil(until - now())
      if (timeoutMs <= 0) throw tooSlow(undefined)
      try {
        return await database.query({ ...asked, timeoutMs }, values)
      } catch (error) {
        throw isSlow(error) ? tooSlow(error) : error
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
  return learn(
    (values) => database.query(stems, values),
    new Map(configs.map((config) => [config, words])),
    false,
  )
}

const arrayOf = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join()}}`

/** A configuration that is searched, and what it makes of words. */
interface Way {
  config: string
  lexemes: (word: string) => readonly string[]
}

interface Rows {
  locale: string | null
  first: number
  offset: number
}

const holdingAll = (
  database: Pick<Database, 'query'>,
  query: SearchQuery,
  ways: readonly Way[],
  { locale, first, offset }: Rows,
): Promise<FoundPage[]> => {
  const questions = ways.map(({ config, lexemes }) => questionsOf(query, tagOf(config), lexemes))
  const all = <Key extends keyof Questions>(name: Key) => questions.map((question) => question[name])
  return database.query<FoundPage>(searchHits, [
    locale,
    ways.map(({ config }) => config),
    all('title'),
    all('about'),
    all('near'),
    all('all'),
    all('order'),
    all('slips'),
    offset,
    first,
    SEARCH.ranked,
    query.key,
    all('rank'),
    all('lexemes').map(arrayOf),
    SEARCH.ordered,
  ])
}

const holdingSome = async (
  database: Pick<Database, 'query'>,
  query: SearchQuery,
  ways: readonly Way[],
  { locale, first, offset }: Rows,
): Promise<FoundPage[]> => {
  const parts = ways.flatMap(({ config, lexemes }) =>
    partsOf(query, tagOf(config), lexemes).map((part, n) => ({ ...part, config, n })),
  )
  if (parts.length === 0) return []
  return database.query<FoundPage>(searchParts, [
    locale,
    parts.map(({ config }) => config),
    parts.map(({ n }) => n),
    parts.map(({ title }) => title),
    parts.map(({ all }) => all),
    Math.max(SEARCH.partsLeast, Math.floor(SEARCH.parts / parts.length)),
    offset,
    first,
    keysWithin(query.key ?? ''),
    ways.map(({ config }) => config),
    ways.map(({ config, lexemes }) => exclusionsOf(query, tagOf(config), lexemes)),
    ways.map(({ config, lexemes }) => arrayOf(questionsOf(query, tagOf(config), lexemes).lexemes)),
  ])
}
