import { expect } from 'chai'
import { statement } from '../src/db/statements.ts'
import { testDatabase } from './support/database.ts'
import { withService, withWorld } from './support/service.ts'
import type { PageSpec } from './support/world.ts'

const day = (n: number) => `2024-01-${String(n).padStart(2, '0')}T00:00:00.000000Z`

/** Pages a to j. Page number i was edited on day 1, and on day i + 2; in a category with two pages for each sort key. */
const pages: PageSpec[] = Array.from('abcdefghij', (path, i) => ({
  path,
  revisions: [
    { created_at: day(1), title: `Tea ${path}`, author: 'Ada' },
    {
      created_at: day(i + 2),
      title: `Tea ${path}`,
      author: 'Grace',
      categories: [{ key: 'teas', sort_key: `key ${i >> 1}` }],
    },
  ],
}))

describe('lists of the internal GraphQL', () => {
  const test = withService()
  withWorld(test, { pages })

  // biome-ignore lint/suspicious/noExplicitAny: results of every query
  const run = async (query: string): Promise<any> => {
    const response = await fetch(`${test.service.internalUrl}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { data, errors } = (await response.json()) as { data: unknown; errors?: { message: string }[] }
    if (errors) throw new Error(errors[0]!.message)
    return data
  }

  /** All items of a list, by following endCursor. @param list a part of the list, as a query that begins with `list:` */
  const walk = async (part: (cursor: string) => string, name = 'after', read = 'list') => {
    const items: unknown[] = []
    let cursor = ''
    for (let parts = 0; parts < 50; parts += 1) {
      const data = await run(part(cursor))
      const list = read.split('.').reduce((value, key) => value[key], data)
      items.push(...list.items)
      const { hasNextPage, endCursor } = list.pageInfo
      expect(hasNextPage).to.equal(endCursor !== null)
      if (!hasNextPage) return items
      cursor = `, ${name}: ${name === 'offset' ? endCursor : JSON.stringify(endCursor)}`
    }
    throw new Error('The list does not end')
  }
  const INFO = 'pageInfo { hasNextPage endCursor }'

  it('pageList, searchList, memberList and recent: following endCursor returns every item once', async () => {
    const paths = [...'abcdefghij'].map((path) => ({ path }))
    for (const first of [1, 3, 5, 10, 201]) {
      expect(
        await walk(
          (after) => `{ list: pageList(locale: "en", first: ${first}${after}) { items { path } ${INFO} } }`,
        ),
      ).to.deep.equal(paths)
      const members = await walk(
        (after) => `{ category(locale: "en", key: "teas") {
          list: memberList(first: ${first}${after}) { items { page { path } } ${INFO} } } }`,
        'after',
        'category.list',
      )
      expect(members).to.deep.equal(paths.map((page) => ({ page })))
      const edits = await walk(
        (cursor) => `{ list: recent(first: ${first}${cursor}) { items { id } ${INFO} } }`,
        'cursor',
      )
      expect(new Set(edits.map((edit) => (edit as { id: string }).id)).size).to.equal(20)
    }
    const hits = await walk(
      (offset) =>
        `{ list: searchList(q: "tea", locale: "en", first: 4${offset}) { items { page { path } } ${INFO} } }`,
      'offset',
    )
    expect(hits).to.have.deep.members(paths.map((page) => ({ page })))
  })

  it('recent and history: since is inclusive and until is not, also with before and cursor', async () => {
    const times = async (field: string) => {
      const { list } = await run(`{ list: ${field} { items { createdAt } } }`)
      return list.items.map(({ createdAt }: { createdAt: string }) => createdAt)
    }
    for (const locale of ['', 'locale: "en", ']) {
      const range = `${locale}since: "${day(3)}", until: "${day(6)}"`
      expect(await times(`recent(${range})`)).to.deep.equal([day(5), day(4), day(3)])
      expect(await times(`recent(${range}, before: "${day(5)}")`)).to.deep.equal([day(4), day(3)])
      expect(await times(`recent(${range}, before: "${day(9)}")`)).to.deep.equal([day(5), day(4), day(3)])
      expect(await times(`recent(${range}, cursor: "${day(5)}")`)).to.deep.equal([day(4), day(3)])
      expect(await times(`recent(${range}, cursor: "${day(9)}")`)).to.deep.equal([day(5), day(4), day(3)])
    }
    const ofPage = 'history(locale: "en", path: "c"'
    expect(await times(`${ofPage}, since: "${day(1)}", until: "${day(4)}")`)).to.deep.equal([day(1)])
    expect(await times(`${ofPage}, since: "${day(1)}", until: "${day(5)}")`)).to.deep.equal([day(4), day(1)])
    expect(await times(`${ofPage}, since: "${day(2)}")`)).to.deep.equal([day(4)])
    const { page } = await run(
      `{ page(locale: "en", path: "c") { history(until: "${day(4)}") { items { author { name } } } } }`,
    )
    expect(page.history.items).to.deep.equal([{ author: { name: 'Ada' } }])
  })

  it('memberList: only pages that were last edited between since and until', async () => {
    for (const first of [1, 2, 50]) {
      const members = await walk(
        (after) => `{ category(locale: "en", key: "teas") {
          list: memberList(first: ${first}, since: "${day(4)}", until: "${day(8)}"${after}) {
            items { page { path revision { createdAt author { name } } } } ${INFO} } } }`,
        'after',
        'category.list',
      )
      expect(members).to.deep.equal(
        [...'cdef'].map((path, i) => ({
          page: { path, revision: { createdAt: day(i + 4), author: { name: 'Grace' } } },
        })),
      )
    }
  })

  it('memberList: a part looks at a bounded number of members, and the next part continues behind them', async () => {
    const { reader } = await testDatabase()
    const part = (after: [string, string]) =>
      reader.query(statement('category_members_edited'), [
        ['en'],
        ['teas'],
        [after[0]],
        [after[1]],
        [3],
        [day(8)],
        [day(10)],
        [4],
      ])
    const shown = async (after: [string, string]) =>
      (await part(after)).map(({ path, matches, isLast }) => [path, matches, isLast])
    expect(await shown(['', ''])).to.deep.equal([['d', false, true]])
    expect(await shown(['key 1', 'd'])).to.deep.equal([
      ['g', true, false],
      ['h', true, true],
    ])
    expect(await shown(['key 3', 'h'])).to.deep.equal([])
  })

  it('first out of range is refused, as in other lists', async () => {
    for (const [field, most] of [
      ['pageList(locale: "en", first: 202)', 201],
      ['searchList(q: "tea", first: 52)', 51],
      ['searchList(q: "tea", offset: 1001)', 1000],
    ] as const) {
      const error = await run(`{ ${field} { items { __typename } } }`).catch(
        (failure: Error) => failure.message,
      )
      expect(error).to.match(new RegExp(` must be an integer from \\d to ${most}`))
    }
  })

  it('a wrong time is an error that shows a right one', async () => {
    const error = await run('{ recent(before: "now") { next } }').catch((failure: Error) => failure.message)
    expect(error).to.contain('DateTime must be an RFC 3339 date-time such as 2026-05-01T12:34:56.123456Z')
  })

  it('diff: an error names the revision that does not exist', async () => {
    const id = '0190c1a0-7b1e-4d3a-9a54-0c5f1f0d2b11'
    const error = await run(`{ diff(to: "${id}") { added } }`).catch((failure: Error) => failure.message)
    expect(error).to.equal(`There is no such revision: ${id}`)
  })
})
