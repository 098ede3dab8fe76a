import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Unavailable } from '@lectern/wiki/errors'
import { sectionsOf } from '@lectern/wiki/plain-text/sections'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { makeSearchLoader } from '../../src/search/query/search.ts'
import { type Bm25, makeBm25 } from './bm25.ts'
import type { JudgedQuery } from './collections.ts'
import { derivedQueries, type Judged, type JudgedPage, livePages } from './judged.ts'
import { averagePrecision, ndcg, RESULTS } from './measures.ts'
import { grouped, type Outcome } from './quality-report.ts'
import { languageTerms, plainTerms } from './terms.ts'

/** Results that the mean average precision of CACM counts. */
const DEEP_RESULTS = 400

export interface JudgeOptions {
  /** File of judged queries. Without it, queries are derived from the wiki itself. */
  judged?: string
  /** Queries of each kind and language, at most. */
  most: number
  /** Only these kinds of queries, and only these languages. */
  kinds?: string[]
  locales?: string[]
}

/** At most `most` queries of each kind and language, spread evenly over all queries. */
const sampled = (all: readonly Judged[], most: number): Judged[] =>
  [...grouped(all, ({ kind, locale }) => `${kind} ${locale}`).values()].flatMap((group) =>
    group.length <= most
      ? group
      : Array.from({ length: most }, (_, i) => group[Math.floor((i * group.length) / most)]!),
  )

const judgedFrom = (file: string, pages: readonly JudgedPage[]): Judged[] => {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  const ids = new Map(pages.map(({ id, locale, path }) => [`${locale} ${path}`, id]))
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JudgedQuery)
    .map(({ kind, locale, q, relevant }) => {
      const right = relevant.map((path) => ids.get(`${locale} ${path}`)).filter((id) => id !== undefined)
      return { kind, locale, q, right: new Set(right) }
    })
    .filter(({ right }) => right.size > 0)
}

/** BM25 over the pages of each language, with plain terms and with the terms of the language. */
const bm25ByLocale = (pages: readonly JudgedPage[], locales: ReadonlySet<string>) =>
  new Map<string, { plain: Bm25; language: Bm25 }>(
    [...grouped(pages, ({ locale }) => locale)]
      .filter(([locale]) => locales.has(locale))
      .map(([locale, group]) => {
        const texts = group.map(({ id, title, markdown }) => ({
          id,
          text: [title, ...sectionsOf(markdown).flatMap(({ heading, text }) => [heading, text])].join('\n'),
        }))
        const plain = makeBm25(texts, plainTerms(locale))
        return [locale, { plain, language: makeBm25(texts, languageTerms(locale)) }]
      }),
  )

/** Searches again if the time limit of a search is over: on a busy machine, that says nothing about its quality. */
const patiently = async <Result>(search: () => Promise<Result>, tries = 5): Promise<Result> => {
  try {
    return await search()
  } catch (error) {
    if (!(error instanceof Unavailable) || tries === 1) throw error
    return patiently(search, tries - 1)
  }
}

const judge = async (
  database: Database,
  { plain, language }: { plain: Bm25; language: Bm25 },
  { kind, locale, q, right }: Judged,
): Promise<Outcome[]> => {
  const deep = kind === 'cacm'
  const first = deep ? DEEP_RESULTS : RESULTS
  const { hits } = await patiently(() => makeSearchLoader(database).load({ q, locale, first, offset: 0 }))
  const lists = {
    plain: plain.search(q, first),
    language: language.search(q, first),
    lectern: hits.map(({ page }) => String(page.id)),
  }
  const outcome = (name: string, measure: typeof ndcg): Outcome => ({
    kind: name,
    locale,
    q,
    plain: measure(lists.plain, right),
    language: measure(lists.language, right),
    lectern: measure(lists.lectern, right),
  })
  return [outcome(kind, ndcg), ...(deep ? [outcome('cacm (MAP)', averagePrecision)] : [])]
}

/** Answers judged queries with the search of a database that holds a wiki, and with BM25 over its pages. */
export const judgeWiki = async (
  place: { databaseUrl?: string; dataDir: string },
  { judged, most, kinds, locales }: JudgeOptions,
): Promise<Outcome[]> => {
  const owner = await openDatabase(place, 'owner')
  const database = await openDatabase(place, 'reader')
  try {
    const client = await owner.connect()
    const pages = await livePages(client).finally(() => client.release())
    const all = judged ? judgedFrom(judged, pages) : derivedQueries(pages)
    const queries = sampled(
      all.filter(
        ({ kind, locale }) => (kinds?.includes(kind) ?? true) && (locales?.includes(locale) ?? true),
      ),
      most,
    )
    const bm25 = bm25ByLocale(pages, new Set(queries.map(({ locale }) => locale)))
    const outcomes: Outcome[] = []
    for (const query of queries) outcomes.push(...(await judge(database, bm25.get(query.locale)!, query)))
    return outcomes
  } finally {
    await database.close()
    await owner.close()
  }
}
