import { expect } from 'chai'
import { makeSearchLoader } from '../src/search/query/search.ts'
import { testDatabase } from './support/database.ts'
import { deleteHotSet, setHotSet } from './support/search-hot-set.ts'
import { clearWorld, importRecords, makeWorld, type PageSpec, recordsOf } from './support/world.ts'

/** Words by frequency: the first is in nearly all pages, the last in few. */
const WORDS = ['leaf', 'water', 'kettle', 'saucer', 'strainer', 'caddy', 'gaiwan', 'tannin']
const PAGES = 900

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
  before(() => makeWorld({ pages: Array.from({ length: PAGES }, (_, n) => page(n)) }))
  after(async () => {
    await deleteHotSet()
    await clearWorld()
  })

  const searchResults = async () => {
    const { load } = makeSearchLoader((await testDatabase()).reader)
    const results: Record<string, unknown> = {}
    for (const q of QUERIES)
      for (const locale of ['en', null])
        for (const offset of [0, 230]) {
          const hits = await load({ q, locale, first: 21, offset })
          results[`${q} ${locale} ${offset}`] = hits.map(({ page: { path }, score }) => `${path} ${score}`)
        }
    return results
  }
  /** The pages in the hot set, and the pages that belong to it, with their words. */
  const hotSet = async () => {
    const client = await (await testDatabase()).owner.connect()
    try {
      const { rows } = await client.query<{ actual: string[]; expected: string[] }>(`
        select array(select page_id || ' ' || score || locale || words from wiki.search_hot_set order by page_id) as actual,
               array(select s.page_id || ' ' || s.score || s.locale || s.words
                       from wiki.live_search s, wiki.hot_set_threshold c
                      where s.score > c.score or s.score = c.score and s.page_id <= c.page_id
                      order by s.page_id) as expected`)
      return rows[0]!
    } finally {
      client.release()
    }
  }

  it('does not change the result of any search', async () => {
    await deleteHotSet()
    const without = await searchResults()
    expect(Object.values(without).flat().length).to.be.greaterThan(500)
    for (const pages of [100, 600]) {
      await setHotSet({ from: 0, pages, least: pages, most: pages })
      expect((await hotSet()).actual.length).to.equal(pages)
      expect(await searchResults(), `hot set of ${pages} pages`).to.deep.equal(without)
    }
  })

  it('stays correct when imports add, edit and withdraw pages', async () => {
    await setHotSet({ from: 0, pages: 300, least: 0, most: PAGES })
    const before = await hotSet()
    expect(before.actual).to.deep.equal(before.expected)
    const changed = [
      ...Array.from({ length: 40 }, (_, n) => page(n * 3, 9)),
      ...Array.from({ length: 40 }, (_, n) => ({ ...page(n * 5 + 1), state: 'draft' as const })),
      ...Array.from({ length: 40 }, (_, n) => page(PAGES + n, 1 + (n % 8))),
    ]
    await importRecords(recordsOf({ pages: changed }))
    const after = await hotSet()
    expect(after.actual).to.deep.equal(after.expected)
    expect(after.actual).not.to.deep.equal(before.actual)
    const withHotSet = await searchResults()
    await deleteHotSet()
    expect(withHotSet).to.deep.equal(await searchResults())
  })

  it('does not exist in a small wiki', async () => {
    await setHotSet({ from: 0, pages: 10, least: 0, most: PAGES })
    await importRecords(recordsOf({ pages: [page(PAGES + 100)] }))
    expect(await hotSet()).to.deep.equal({ actual: [], expected: [] })
  })
})
