import { SEARCH } from '../limits.ts'
import { tagOf } from '../wiki/search/lexemes.ts'
import { partialQuestionsOf, type Questions, questionsOf, unitsOf } from '../wiki/search/questions.ts'
import { readQuery, type SearchQuery } from '../wiki/search/query.ts'
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
const stems = statement('stems')

/**
 * Searches are not batched: each has its own cost. The shape is a loader's all the same, so that a resolver
 * need not know.
 */
export const searchLoader = (database: Database) => ({
  load: async ({ q, locale, first, offset }: SearchKey): Promise<SearchHitRow[]> => {
    const query = readQuery(q)
    if (query.groups.length === 0) return []
    const { configs, lexemes } = await wordsOfQuery(database, query, locale ?? null)
    const find = (ask: typeof questionsOf, rows: { first: number; offset: number }) =>
      hitsOf(
        database,
        query,
        configs.map((config) => ({
          config,
          ...ask(query, tagOf(config), (word) => lexemes(config, word)),
        })),
        { locale: locale ?? null, ...rows },
      )
    let hits = await find(questionsOf, { first, offset })
    // Whether nothing has all the words must not depend on the part that is asked for.
    if (hits.length === 0 && (offset === 0 || (await find(questionsOf, { first: 1, offset: 0 })).length === 0))
      hits = await find(partialQuestionsOf, { first, offset })
    const passages = await passagesOf(database, query, hits, lexemes)
    return hits.map((page, i) => ({ page, score: page.score, passages: passages[i]! }))
  },
})

/** The configurations of the languages that are searched, and what each makes of the query's words. */
const wordsOfQuery = async (
  database: Database,
  query: SearchQuery,
  locale: string | null,
): Promise<{ configs: string[]; lexemes: Lexemes }> => {
  const rows = await database.query<{ config: string }>(configurations, [locale])
  const configs = rows.map(({ config }) => config)
  const units = query.groups.flat().flatMap((term) => unitsOf(term).concat(term.units))
  const words = new Set(units.filter(({ kind }) => kind === 'word').map(({ text }) => text))
  const asked = new Map(configs.map((config) => [config, words]))
  return { configs, lexemes: await learn((values) => database.query(stems, values), asked) }
}

const arrayOf = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join()}}`

const hitsOf = (
  database: Database,
  { key }: SearchQuery,
  questions: readonly (Questions & { config: string })[],
  { locale, first, offset }: { locale: string | null; first: number; offset: number },
): Promise<FoundPage[]> => {
  const all = <Key extends keyof Questions>(name: Key) => questions.map((question) => question[name])
  return database.query<FoundPage>(searchHits, [
    locale,
    questions.map(({ config }) => config),
    all('title'),
    all('about'),
    all('near'),
    all('all'),
    all('order'),
    all('slips'),
    offset,
    first,
    SEARCH.ranked,
    key,
    all('rank'),
    all('parts').map(arrayOf),
    all('lexemes').map(arrayOf),
    SEARCH.ordered,
  ])
}
