import { expect } from 'chai'
import type pg from 'pg'
import { statementRunner } from '../src/db/statements.ts'
import { indexPages } from '../src/search/index/index-pages.ts'
import { makeSearchLoader } from '../src/search/query/search.ts'
import { testDatabase } from './support/database.ts'
import { deleteHotSet, setHotSet } from './support/search-hot-set.ts'
import { clearWorld, importRecords, makeWorld, type PageSpec, recordsOf } from './support/world.ts'

/** Words by frequency: the first is in nearly all pages, the last in few. */
const WORDS = ['leaf', 'water', 'kettle', 'saucer', 'strainer', 'caddy', 'gaiwan', 'tannin']
const PAGES = 400

/** A page whose number determines its words and how many revisions it has. */
const page = (n: number, revisionCount = 1 + ((n * 7919) % 5)): PageSpec => {
  const words = WORDS.filter((_, rank) => (n * 31 + rank * 17) % (rank + 2) !== 0)
  const markdown = `${words.join(' ')}.\n\n## ${words[n % words.length] ?? 'Nothing'}\n\n${words.toReversed().join(' ')}`
  return {
    path: `page-${n}`,
    locale: n % 3 ? 'en' : 'ru',
    revisions: Array.from({ length: revisionCount }, (_, i) => ({
      title: `Page ${n}`,
      markdown: `${markdown} ${i}`,
      created_at: `2024-01-0${1 + (i % 9)}T00:00:${String(i).padStart(2, '0')}Z`,
    })),
  }
}

const QUERIES = [
  ...WORDS,
  'leaf water',
  'leaf kettle strainer',
  'water -leaf',
  '"leaf water"',
  '"water leaf"',
  '"caddy kettle"',
  'leaf or tannin',
  'tannin qqxyqq',
  'page 17',
]

describe('hot set of the search index', () => {
  beforeEach(() => makeWorld({ pages: Array.from({ length: PAGES }, (_, n) => page(n)) }))
  afterEach(async () => {
    await deleteHotSet()
    await clearWorld()
  })

  const searchResults = async () => {
    const { load } = makeSearchLoader((await testDatabase()).reader)
    const results: Record<string, unknown> = {}
    for (const q of QUERIES)
      for (const locale of ['en', null])
        for (const offset of [0, 100]) {
          const { hits } = await load({ q, locale, first: 21, offset })
          results[`${q} ${locale} ${offset}`] = hits.map(({ page: { path }, score }) => `${path} ${score}`)
        }
    return results
  }
  const withOwner = async <Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await (await testDatabase()).owner.connect()
    try {
      return await use(client)
    } finally {
      client.release()
    }
  }
  /** @returns a function that gives the index this hot set again, without the pages that are gone */
  const copyHotSet = () =>
    withOwner(async (client) => {
      const { rows } = await client.query<{ pages: string; threshold: string }>(`
        select (select json_agg(h) from wiki.search_hot_set h)::text as pages,
               (select json_agg(t) from wiki.hot_set_threshold t)::text as threshold`)
      const { pages, threshold } = rows[0]!
      return () =>
        withOwner(async (client) => {
          await client.query(
            'insert into wiki.hot_set_threshold select * from json_populate_recordset(null::wiki.hot_set_threshold, $1)',
            [threshold],
          )
          await client.query(
            `insert into wiki.search_hot_set
             select h.* from json_populate_recordset(null::wiki.search_hot_set, $1) h
             where h.page_id in (select page_id from wiki.live_search)`,
            [pages],
          )
        })
    })
  const indexAgain = (paths: string[]) =>
    withOwner(async (client) => {
      const { rows } = await client.query<{ id: string }>(
        'select id from wiki.live_page where path = any ($1)',
        [paths],
      )
      await indexPages(statementRunner(client), [rows.map(({ id }) => id)])
    })
  /** The pages in the hot set, and the pages that belong to it, with their words. */
  const hotSet = () =>
    withOwner(async (client) => {
      const { rows } = await client.query<{ actual: string[]; expected: string[] }>(`
        select array(select page_id || ' ' || score || locale || words from wiki.search_hot_set order by page_id) as actual,
               array(select s.page_id || ' ' || s.score || s.locale || s.words
                       from wiki.live_search s, wiki.hot_set_threshold c
                      where s.score > c.score or s.score = c.score and s.page_id <= c.page_id
                      order by s.page_id) as expected`)
      return rows[0]!
    })

  it('does not change the result of any search', async () => {
    const without = await searchResults()
    expect(Object.values(without).flat().length).to.be.greaterThan(500)
    for (const pages of [50, 300]) {
      await setHotSet({ from: 0, pages, least: pages, most: pages })
      expect((await hotSet()).actual.length).to.equal(pages)
      expect(await searchResults(), `hot set of ${pages} pages`).to.deep.equal(without)
    }
  })

  it('stays correct when pages are added, edited and withdrawn, and goes in a small wiki', async () => {
    await setHotSet({ from: 0, pages: 150, least: 150, most: 150 })
    const before = await hotSet()
    expect(before.actual).to.have.length(150).and.deep.equal(before.expected)
    const putBack = await copyHotSet()
    const changed = [
      ...Array.from({ length: 40 }, (_, n) => page(n * 3, 9)),
      ...Array.from({ length: 40 }, (_, n) => ({ ...page(n * 5 + 1), state: 'draft' as const })),
      ...Array.from({ length: 40 }, (_, n) => page(PAGES + n, 1 + (n % 8))),
    ]
    await importRecords(recordsOf({ pages: changed }))
    // An import into a small wiki ends by deleting the hot set. In a large one, it goes on with the one that was there.
    await putBack()
    await indexAgain(changed.map(({ path }) => path))
    const after = await hotSet()
    expect(after.actual).to.deep.equal(after.expected)
    expect(after.actual).to.have.length.above(50).and.not.deep.equal(before.actual)
    const withHotSet = await searchResults()
    await deleteHotSet()
    expect(withHotSet).to.deep.equal(await searchResults())
    // In a small wiki, there is none.
    await setHotSet({ from: 0, pages: 10, least: 0, most: PAGES })
    await importRecords(recordsOf({ pages: [page(PAGES + 100)] }))
    expect(await hotSet()).to.deep.equal({ actual: [], expected: [] })
  })
})
