import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { Database } from '../src/db/database.ts'
import { type ExportOptions, type ExportSummary, exportNdjson } from '../src/export/ndjson.ts'
import { testDatabase } from './support/database.ts'
import { importText, withFile } from './support/importing.ts'
import { clearWorld, makeWorld, type PageSpec } from './support/world.ts'

const timestamp = (i: number): string => new Date(1.7e12 + i * 1000).toISOString()
const page = (path: string, revisions: number, bytes: number): PageSpec => ({
  path,
  revisions: Array.from({ length: revisions }, (_, i) => ({
    created_at: timestamp(i),
    markdown: `${i} ${'é'.repeat(bytes / 2)}`,
    categories: [{ key: 'tea' }],
  })),
})

describe('export: batches and lines', () => {
  let owner: Database
  before(async () => {
    owner = (await testDatabase()).owner
  })

  const runExport = (
    options: ExportOptions = {},
    name = 'wiki.ndjson',
  ): Promise<{ summary: ExportSummary; bytes: Buffer }> =>
    withFile(name, undefined, async (file) => {
      const summary = await exportNdjson(owner, file, options)
      return { summary, bytes: await readFile(file) }
    })

  for (const view of ['everything', 'guest'] as const) {
    it(`batches of any size give the same bytes: ${view}`, async () => {
      await makeWorld({
        pages: [
          page('a', 7, 100),
          { path: 'b', revisions: [] },
          page('c', 1, 10),
          page('d', 30, 40),
          { path: 'e', revisions: [] },
        ],
      })
      const { summary, bytes } = await runExport({ view })
      expect(summary.revisions).to.equal(38)
      for (const batchBytes of [1, 700, 5_000]) {
        const found = await runExport({ view, batchBytes })
        expect(found.bytes.toString()).to.equal(bytes.toString())
        expect(found.summary).to.deep.equal(summary)
      }
    })
  }

  it('writes a page with a long history as lines of 2 MiB; an import and an export give the same bytes again', async () => {
    await makeWorld({ pages: [page('a', 1, 10), page('long', 30, 300_000), page('z', 1, 10)] })
    const { bytes, summary } = await runExport()
    const lines = bytes.toString().trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).path)).to.deep.equal([
      undefined,
      'a',
      ...Array.from({ length: 5 }, () => 'long'),
      'z',
    ])
    for (const line of lines) expect(Buffer.byteLength(line)).to.be.below(2 * 1024 * 1024 + 200)
    expect(summary).to.deep.equal({ pages: 3, revisions: 32 })
    const packed = await runExport({}, 'wiki.ndjson.gz')
    await clearWorld()
    const imported = await importText(owner, packed.bytes.length > 0 ? bytes : '')
    expect([imported.pages, imported.newRevisions]).to.deep.equal([3, 32])
    expect((await runExport()).bytes.equals(bytes)).to.equal(true)
    expect((await runExport({}, 'wiki.ndjson.gz')).bytes.equals(packed.bytes)).to.equal(true)
    expect(gunzipSync(packed.bytes).equals(bytes)).to.equal(true)
  })

  it('leaves out what no import accepts, and notes it: a text of more than 8 MiB, categories beyond 500', async () => {
    await makeWorld({ pages: [page('tea', 2, 10)] })
    const client = await owner.connect()
    try {
      await client.query(
        `update wiki.revision set markdown = repeat('x', 8388609), size = 8388609 where created_at = $1`,
        [timestamp(0)],
      )
      await client.query(
        `update wiki.revision
            set categories = (select jsonb_agg(jsonb_build_object('key', 'c' || i, 'sort_key', 's')) from generate_series(1, 501) i)
          where created_at = $1`,
        [timestamp(1)],
      )
    } finally {
      client.release()
    }
    const { bytes, summary } = await runExport()
    expect(summary.revisions).to.equal(1)
    expect(summary.notes).to.have.length(2)
    expect(summary.notes![0]).to.match(
      /^Edits left out, because an import accepts texts of at most 8388608 bytes: 1, first tea \(en\), edit /,
    )
    expect(summary.notes![1]).to.match(
      /^Edits written without some of their categories, because an import accepts at most 500: 1/,
    )
    await clearWorld()
    expect((await importText(owner, bytes)).newRevisions).to.equal(1)
  })
})
