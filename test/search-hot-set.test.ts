import { expect } from 'chai'
import { makeSearchLoader } from '../src/search/query/search.ts'
import { testDatabase } from './support/database.ts'
import { chooseTop, noTop } from './support/search-hot-set.ts'
import { clearWorld, importRecords, makeWorld, type PageSpec, recordsOf } from './support/world.ts'

/** Words by how often they stand in pages: the first in nearly all, the last in few. */
const WORDS = ['leaf', 'water', 'kettle', 'saucer', 'strainer', 'caddy', 'gaiwan', 'tannin']
const PAGES = 900

/** A page with as many edits and such words as its number says. */
const page = (n: number, edits = 1 + ((n * 7919) % 5)): PageSpec => {
  const words = WORDS.filter((_, rank) => (n * 31 + rank * 17) % (rank + 2) !== 0)
  const markdown = `${words.join(' ')}.\n\n## ${words[n % words.length] ?? 'Nothing'}\n\n${words.toReversed().join(' ')}`
  return {
    path: `page-${n}`,
    locale: n % 3 ? 'en' : 'ru',
    revisions: Array.from({ length: edits }, (_, i) => ({
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
    await noTop()
    await clearWorld()
  })

  const found = async () => {
    const { load } = makeSearchLoader((await testDatabase()).reader)
    const answers: Record<string, unknown> = {}
    for (const q of QUERIES)
      for (const locale of ['en', null])
        for (const offset of [0, 230]) {
          const hits = await load({ q, locale, first: 21, offset })
          answers[`${q} ${locale} ${offset}`] = hits.map(({ page: { path }, score }) => `${path} ${score}`)
        }
    return answers
  }
  /** Pages that are among the first, and those that should be: their words too. */
  const top = async () => {
    const client = await (await testDatabase()).owner.connect()
    try {
      const { rows } = await client.query<{ held: string[]; due: string[] }>(`
        select array(select page_id || ' ' || score || locale || words from wiki.search_hot_set order by page_id) as held,
               array(select s.page_id || ' ' || s.score || s.locale || s.words
                       from wiki.live_search s, wiki.hot_set_threshold c
                      where s.score > c.score or s.score = c.score and s.page_id <= c.page_id
                      order by s.page_id) as due`)
      return rows[0]!
    } finally {
      client.release()
    }
  }

  it('does not change the result of any search', async () => {
    await noTop()
    const without = await found()
    expect(Object.values(without).flat().length).to.be.greaterThan(500)
    for (const pages of [100, 600]) {
      await chooseTop({ from: 0, pages, least: pages, most: pages })
      expect((await top()).held.length).to.equal(pages)
      expect(await found(), `${pages} first pages`).to.deep.equal(without)
    }
  })

  it('stays correct when imports add, edit and withdraw pages', async () => {
    await chooseTop({ from: 0, pages: 300, least: 0, most: PAGES })
    const before = await top()
    expect(before.held).to.deep.equal(before.due)
    const changed = [
      ...Array.from({ length: 40 }, (_, n) => page(n * 3, 9)),
      ...Array.from({ length: 40 }, (_, n) => ({ ...page(n * 5 + 1), state: 'draft' as const })),
      ...Array.from({ length: 40 }, (_, n) => page(PAGES + n, 1 + (n % 8))),
    ]
    await importRecords(recordsOf({ pages: changed }))
    const after = await top()
    expect(after.held).to.deep.equal(after.due)
    expect(after.held).not.to.deep.equal(before.held)
    const withTop = await found()
    await noTop()
    expect(withTop).to.deep.equal(await found())
  })

  it('does not exist in a small wiki', async () => {
    await chooseTop({ from: 0, pages: 10, least: 0, most: PAGES })
    await importRecords(recordsOf({ pages: [page(PAGES + 100)] }))
    expect(await top()).to.deep.equal({ held: [], due: [] })
  })
})
