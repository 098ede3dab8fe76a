import { expect } from 'chai'
import { testDatabase } from './support/database.ts'
import { clearWorld, importRecords, makeWorld, type PageSpec, recordsOf } from './support/world.ts'

const pageSpec = (path: string, markdown: string, locale = 'en'): PageSpec => ({
  path,
  locale,
  revisions: [{ title: path, markdown }],
})

type Query = <Row>(sql: string) => Promise<Row[]>

const statisticsOf = async (query: Query) => {
  const words = await query<{ key: string; pages: number }>(
    "select locale || ' ' || word as key, pages from guest.search_word order by 1",
  )
  const sizes = await query<{ key: string; pages: number; counted: number; mean: number }>(
    'select locale as key, pages, counted, mean_length as mean from guest.search_size order by 1',
  )
  return { words: Object.fromEntries(words.map(({ key, pages }) => [key, pages])), sizes }
}

const query: Query = async (sql) => {
  const client = await (await testDatabase()).reader.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    client.release()
  }
}

describe('statistics of words for search', () => {
  after(clearWorld)

  beforeEach(() =>
    makeWorld({
      locales: ['en', 'de', 'uk', 'pl'],
      pages: [
        pageSpec('a', 'Steamed leaves.'),
        pageSpec('b', 'The leaf is steaming. Leaves of a kettle.'),
        pageSpec('c', 'An oolong.'),
        { ...pageSpec('d', 'Steamed kettle.'), state: 'draft' },
        pageSpec('e', 'kettle', 'uk'),
        pageSpec('f', 'kettle', 'uk'),
        pageSpec('g', 'kettle', 'pl'),
      ],
    }),
  )

  it('an import counts the live pages of each stem, by language; a word of one page is not stored', async () => {
    const { words, sizes } = await statisticsOf(query)
    expect(words).to.deep.equal({ 'en leav': 2, 'en steam': 2, 'uk kettle': 2 })
    expect(sizes.map(({ key, pages, counted }) => [key, pages, counted])).to.deep.equal([
      ['en', 3, 3],
      ['pl', 1, 1],
      ['uk', 2, 2],
    ])
  })

  it('an import of changed pages counts again', async () => {
    await importRecords(
      recordsOf({
        pages: [
          {
            path: 'c',
            revisions: [{ title: 'c', markdown: 'Steam of a kettle.', created_at: '2025-01-01T00:00:00Z' }],
          },
        ],
      }),
    )
    const { words } = await statisticsOf(query)
    expect(words).to.deep.equal({ 'en kettl': 2, 'en leav': 2, 'en steam': 3, 'uk kettle': 2 })
  })

  it('words of a page that is hidden are not counted after the import', async () => {
    await importRecords(recordsOf({ pages: [{ ...pageSpec('a', 'Steamed leaves.'), state: 'deleted' }] }))
    expect((await statisticsOf(query)).words).to.deep.equal({ 'uk kettle': 2 })
  })

  it('languages with more words than fit are counted in a sample, small ones as a whole', async () => {
    await makeWorld({
      pages: [
        ...Array.from({ length: 300 }, (_, n) => pageSpec(`page-${n}`, `kettle ${'word '.repeat(n % 7)}`)),
        pageSpec('я', 'чайник', 'ru'),
        pageSpec('ю', 'чайник', 'ru'),
      ],
    })
    const client = await (await testDatabase()).owner.connect()
    try {
      await client.query(
        'select wiki.count_search_words((select sum(pg_column_size(words)) / 4 from wiki.live_search)::bigint)',
      )
    } finally {
      client.release()
    }
    const { words, sizes } = await statisticsOf(query)
    const [en, ru] = sizes
    expect(en).to.include({ pages: 300 })
    expect(en!.counted).to.be.within(30, 120)
    expect(words['en kettl']).to.equal(en!.counted)
    expect(ru).to.include({ pages: 2, counted: 2 })
    expect(words['ru чайник']).to.equal(2)
  })
})
