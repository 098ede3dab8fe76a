import type { ImportRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import type pg from 'pg'
import type { Database } from '../src/db/database.ts'
import { runImport } from '../src/write/run-import.ts'
import { rowsOf, testDatabase } from './support/database.ts'
import {
  exportText,
  importText,
  linesOfFile,
  PAGE,
  revision,
  storedContent,
  WIKI,
} from './support/importing.ts'
import { clearWorld, recordsOf } from './support/world.ts'

const { owner } = await testDatabase()

/** Bytes in the parameters of a statement. */
const bytesOf = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (Buffer.isBuffer(value)) return value.length
  return Array.isArray(value) ? value.reduce((sum: number, one) => sum + bytesOf(one), 0) : 0
}

/** A database that reports the bytes of the parameters and of the result of each statement. */
const observed = (database: Database, onStatement: (sent: number, got: number) => void): Database => ({
  ...database,
  connect: async () => {
    const client = await database.connect()
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<pg.QueryResult>
    const watching = async (...args: unknown[]) => {
      const { values = [] } = (typeof args[0] === 'string' ? {} : args[0]) as { values?: unknown[] }
      const result = await query(...args)
      const got = (result.rows ?? []).reduce((sum, row) => sum + bytesOf(Object.values(row)), 0)
      onStatement(bytesOf(values), got)
      return result
    }
    return new Proxy(client, {
      get: (target, key) => {
        if (key === 'query') return watching
        const value = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  },
})

async function* stream<Item>(items: Item[]): AsyncGenerator<Item> {
  yield* items
}

const sourceOf = (records: ImportRecord[]) => {
  let read = 0
  const counted = async function* () {
    for await (const record of stream(records)) {
      read += 1
      yield record
    }
  }
  return {
    records: counted(),
    lineOf: () => `Line ${read}`,
    progress: () => ({ done: read, unit: 'records' }),
    notes: () => [],
  }
}

const SMALL = { pages: 2, revisions: 3, bytes: 400 }
const moment = (i: number): string => new Date(1.7e12 + i * 1000).toISOString()
const edits = (from: number, to: number, rest: object = {}) =>
  Array.from({ length: to - from }, (_, i) => ({
    created_at: moment(from + i),
    markdown: `Text ${from + i} of [tea](mate) ${'word '.repeat(i % 7)}`,
    title: `Title ${from + i}`,
    categories: [{ key: `c${(from + i) % 3}` }],
    ...rest,
  }))

describe('import: batches', () => {
  beforeEach(clearWorld)

  const world = recordsOf({
    categories: [{ locale: 'en', key: 'c1', name: 'One' }],
    pages: [
      { path: 'tea', revisions: edits(0, 10) },
      { path: 'tea', state: 'draft', revisions: edits(10, 20) },
      { path: 'mate', revisions: edits(0, 3) },
      { path: 'tea', revisions: edits(5, 12, { status: 'pending' }) },
      { path: 'category:c2', revisions: edits(0, 9) },
      { path: 'gone', revisions: edits(0, 9) },
      { path: 'gone', state: 'deleted', revisions: edits(9, 10) },
      { path: 'empty', revisions: [] },
      { path: 'чай', locale: 'ru', revisions: edits(0, 9, { status: 'draft' }) },
    ],
  })

  it('batches of any size give the same as one batch', async () => {
    const whole = await runImport(owner, async () => sourceOf(world), {
      batchLimits: {
        pages: 1000,
        revisions: 1000,
        bytes: 1e9,
      },
    })
    const [stored, exported] = [await storedContent(owner), await exportText(owner)]
    expect(whole.summary.pages).to.equal(6)
    for (const most of [
      SMALL,
      { pages: 1, revisions: 1, bytes: 1 },
      { pages: 100, revisions: 100, bytes: 900 },
    ]) {
      await clearWorld()
      await runImport(owner, async () => sourceOf(world), { batchLimits: most })
      expect(await storedContent(owner)).to.deep.equal(stored)
      expect(await exportText(owner)).to.equal(exported)
    }
  })

  it('counts a page once if its edits come in consecutive records', async () => {
    const parts = recordsOf({ pages: [0, 4, 8].map((i) => ({ path: 'tea', revisions: edits(i, i + 4) })) })
    const { summary } = await runImport(owner, async () => sourceOf(parts), { batchLimits: SMALL })
    expect([summary.pages, summary.newRevisions]).to.deep.equal([1, 12])
  })

  it('holds at most 4 MiB and one edit in memory, for any length of history', async () => {
    // 300 KB each, that differ everywhere: nothing is shared.
    const records = recordsOf({
      pages: Array.from({ length: 60 }, (_, i) => ({
        path: 'tea',
        revisions: [{ created_at: moment(i), markdown: `${i + 10} leaves. `.repeat(27_000) }],
      })),
    })
    let [sent, got] = [0, 0]
    await runImport(
      observed(owner, (bytes, answered) => {
        sent = Math.max(sent, bytes)
        got = Math.max(got, answered)
      }),
      async () => sourceOf(records),
    )
    expect(sent)
      .to.be.above(1_000_000)
      .and.below(4 * 1024 * 1024 + 320_000)
    expect(got).to.be.below(1_000_000)
  })

  it('stores links to pages of languages that come later', async () => {
    const text = 'See [the other tea](/ru/chai).'
    const [wiki, ...pages] = recordsOf({
      pages: [
        { path: 'tea', revisions: [{ markdown: text }] },
        ...Array.from({ length: 5 }, (_, i) => ({ path: `p${i}` })),
        { path: 'chai', locale: 'ru' },
      ],
    })
    await runImport(owner, async () => sourceOf([...pages, wiki!]), { batchLimits: SMALL })
    const links = 'select locale, path from wiki.live_link'
    expect(await rowsOf(links)).to.deep.equal([{ locale: 'ru', path: 'chai' }])
  })
})

describe('import: the largest edits', () => {
  beforeEach(clearWorld)

  it('stores, exports and imports a text of 8 MiB', async () => {
    const markdown = `\u0001"é茶${'x'.repeat(8 * 1024 * 1024 - 7)}`
    await importText(owner, linesOfFile(WIKI, { ...PAGE, revisions: [revision({ markdown })] }))
    const exported = await exportText(owner)
    expect(JSON.parse(exported.split('\n')[1]!).revisions[0].markdown === markdown).to.equal(true)
    await clearWorld()
    await importText(owner, exported)
    expect((await exportText(owner)) === exported).to.equal(true)
  })
})
