import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Database } from '../src/db/database.ts'
import { type ExportOptions, type ExportSummary, exportNdjson } from '../src/export/ndjson.ts'
import { createTemporaryFile } from '../src/export/output-files.ts'
import { testDatabase } from './support/database.ts'
import { failureOf } from './support/failures.ts'
import { exportText, importText, linesOfFile, storedContent, withFile } from './support/importing.ts'
import { rounds } from './support/rounds.ts'
import { clearWorld, importRecords, makeWorld, type PageSpec, recordsOf } from './support/world.ts'

/** Any text that can be stored; unusual characters are likely. */
const letter = fc.oneof(
  fc.constantFrom(
    'e\u0301',
    '\u2028',
    '\ufeff',
    '\ufffe',
    '🍵',
    '"',
    '\\',
    '\u200d',
    '\ud7ff\ue000',
    ' ',
    '/',
    '茶',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((text) => text.isWellFormed()),
)
const text = fc.string({ unit: letter, maxLength: 40 }).map((chars) => chars.replaceAll('\u0000', ''))
const name = text.map((chars) => `n${chars.replace(/\p{Cc}/gu, '')}`)
const locale = fc.constantFrom('en', 'ru', 'pt-br', 'EN')
const timestamp = fc
  .record({ seconds: fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), micros: fc.nat(999_999) })
  .map(
    ({ seconds, micros }) =>
      `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`,
  )
const timestamps = fc.oneof(timestamp, fc.constantFrom('2024-05-01T12:00:00Z', '2024-05-01T14:00:00.1+02:00'))
const optional = { requiredKeys: [] }

const revision = fc
  .tuple(
    fc.record({
      created_at: timestamps,
      author: name,
      status: fc.constantFrom('accepted', 'pending', 'rejected', 'draft'),
      title: name,
      markdown: text,
    }),
    fc.record(
      {
        comment: name,
        categories: fc.array(
          fc
            .tuple(name, fc.option(name))
            .map(([key, sort_key]) => (sort_key === null ? { key } : { key, sort_key })),
          { maxLength: 3 },
        ),
        id: fc.uuid(),
      },
      optional,
    ),
  )
  .map(([always, sometimes]) => ({ ...always, ...sometimes }))

const page = fc.record(
  {
    type: fc.constant('page'),
    locale,
    path: fc
      .tuple(fc.constantFrom('', 'template:', 'category:', 'module:a/'), name)
      .map((parts) => parts.join('')),
    state: fc.constantFrom('live', 'draft', 'deleted'),
    translation_group: name,
    position: fc.integer({ min: 1, max: 3 }),
    group_titles: fc.array(name, { minLength: 1, maxLength: 3 }),
    nav_title: name,
    site_path: name.map((one) => `/${one}`),
    revisions: fc.array(revision, { maxLength: 4 }),
  },
  { requiredKeys: ['type', 'locale', 'path', 'state', 'revisions'] },
)
const category = fc.record({ type: fc.constant('category'), locale, key: name, name })
const wiki = fc.record(
  {
    type: fc.constant('wiki'),
    name,
    default_locale: fc.constantFrom('en', 'ru'),
    license: fc.webUrl(),
    locales: fc.constant([
      { locale: 'ru', name: 'Русский' },
      { locale: 'en', name: 'English' },
    ]),
  },
  { requiredKeys: ['type', 'name', 'default_locale', 'locales'] },
)

const filesBeside = (file: string) => readdir(dirname(file))
let owner: Database
const openOwner = async () => {
  owner = (await testDatabase()).owner
}

describe('export', () => {
  before(openOwner)
  beforeEach(clearWorld)

  it('round trip: export, import, export give the same bytes and the same wiki', async () => {
    await fc.assert(
      fc.asyncProperty(
        wiki,
        fc.array(category, { maxLength: 4 }),
        fc.array(page, { maxLength: 8 }),
        async (first, categories, pages) => {
          await clearWorld()
          await importText(owner, linesOfFile(...pages, ...categories, first))
          const [exported, stored] = [await exportText(owner), await storedContent(owner)]
          await importText(owner, exported)
          expect(await exportText(owner)).to.equal(exported)
          await clearWorld()
          await importText(owner, exported)
          expect(await exportText(owner)).to.equal(exported)
          expect(await storedContent(owner)).to.deep.equal(stored)
        },
      ),
      { numRuns: rounds(2) },
    )
  })

  it('keeps the order of the site, which a file without a wiki line does not change', async () => {
    const [wiki, ...pages] = recordsOf({ pages: [{ path: 'a' }, { path: 'b' }, { path: 'c' }] })
    const placed = pages.map((page, i) => ({ ...page, position: [7, undefined, 2][i] }))
    await importText(owner, linesOfFile(wiki!, ...placed))
    const positions = async (view: ExportOptions['view']) =>
      Array.from(
        (await exportText(owner, { view })).matchAll(/"path":"(.)".*?"position":(\d+)/g),
        ([, ...found]) => found,
      )
    await importText(owner, linesOfFile(pages[1]!))
    for (const view of ['everything', 'guest'] as const)
      expect(await positions(view)).to.deep.equal([
        ['a', '7'],
        ['c', '2'],
      ])
    await importText(owner, linesOfFile(wiki!, ...pages))
    expect(await positions('everything')).to.deep.equal([])
  })

  it('orders the wiki, categories and pages by the bytes of language and path, across batches', async () => {
    const paths = Array.from({ length: 120 }, (_, i) => `${'aZ\uff5e🍵é'[i % 5] ?? ''}p${i}`).map((path) =>
      path.toWellFormed(),
    )
    await makeWorld({
      pages: [...new Set(paths)].flatMap((path) => [{ path }, { path, locale: 'ru' }]),
      categories: Array.from({ length: 1100 }, (_, i) => ({ locale: 'en', key: `k${i}`, name: 'x' })),
    })
    const records = (await exportText(owner))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const keyOf = (record: { type: string; locale: string; key?: string; path?: string }) =>
      Buffer.from(
        `${['wiki', 'category', 'page'].indexOf(record.type)} ${record.locale ?? ''} ${record.key ?? record.path ?? ''}`,
      )
    const keys = records.map(keyOf)
    expect(keys.length).to.equal(1 + 1100 + 2 * new Set(paths).size)
    for (let i = 1; i < keys.length; i++) expect(Buffer.compare(keys[i - 1]!, keys[i]!)).to.equal(-1)
  })

  it('is a snapshot: it contains a concurrent import completely or not at all', async () => {
    const pages = (comment: string) =>
      Array.from({ length: 200 }, (_, i) => ({
        path: `p${i}`,
        revisions: [{ id: `11111111-1111-4111-8111-${String(i).padStart(12, '0')}`, comment }],
      }))
    await makeWorld({ pages: pages('old') })
    let imported: Promise<unknown> | undefined
    const content = await withFile('wiki.ndjson', undefined, async (file) => {
      await exportNdjson(owner, file, {
        onProgress: () => {
          imported ??= importRecords(recordsOf({ pages: pages('new') }))
        },
      })
      await imported
      return readFile(file, 'utf8')
    })
    expect(content.match(/"comment":"old"/g)).to.have.length(200)
    expect(await exportText(owner)).not.to.include('"comment":"old"')
  })

  it('replaces an older file only when the new one is complete', async () => {
    await makeWorld({ pages: Array.from({ length: 60 }, (_, i) => ({ path: `p${i}` })) })
    await withFile('wiki.ndjson', 'older', async (file) => {
      const during: Promise<string>[] = []
      await exportNdjson(owner, file, {
        onProgress: ({ pages }) => {
          if (pages === 60) during.push(readFile(file, 'utf8'))
        },
      })
      expect(await Promise.all(during)).to.deep.equal(['older'])
      expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
      expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson'])
    })
  })

  for (const [what, targetOf] of [
    ['a missing folder', (file: string) => `${dirname(file)}/none/wiki.ndjson`],
    ['a folder', (file: string) => file],
  ] as const) {
    it(`explains why it cannot write the file: ${what}`, async () => {
      await withFile('taken', undefined, async (file) => {
        await mkdir(file)
        const target = targetOf(file)
        const error = await failureOf(exportNdjson(owner, target))
        expect(error).to.be.instanceOf(UsageError)
        expect(error.message)
          .to.match(/^Cannot write /)
          .and.include(target)
          .and.not.include('.partial')
        expect(await filesBeside(file)).to.deep.equal(['taken'])
      })
    })
  }
})

describe('interrupted export', () => {
  before(async () => {
    await openOwner()
    await makeWorld({
      pages: Array.from({ length: 120 }, (_, i) => ({
        path: `p${i}`,
        revisions: [{ markdown: `Text ${i} é🍵` }],
      })),
    })
  })

  it('leaves no file and no temporary file; the next one writes the whole wiki', async () => {
    const name = 'wiki.ndjson.gz'
    await withFile(name, undefined, async (file) => {
      const interruption = new Error('of the test')
      const onProgress = ({ pages }: { pages: number }) => {
        if (pages === 100) throw interruption
      }
      expect(await failureOf(exportNdjson(owner, file, { onProgress }))).to.equal(interruption)
      expect(await filesBeside(file)).to.deep.equal([])
      expect(await exportNdjson(owner, file)).to.deep.equal({ pages: 120, revisions: 120, files: 0 })
      expect(gunzipSync(await readFile(file)).toString()).to.equal(await exportText(owner))
      expect(await filesBeside(file)).to.deep.equal([name])
    })
  })

  const leftovers: [what: string, leave: (path: string) => Promise<void>][] = [
    [
      'a longer temporary file of a process that was killed',
      (path) => writeFile(path, 'x'.repeat(1_000_000)),
    ],
    ['a link to another file', (path) => symlink(`${dirname(path)}/other`, path)],
  ]
  for (const [what, leave] of leftovers) {
    it(`replaces ${what}`, async () => {
      await withFile('other', 'of somebody', async (other) => {
        const file = `${dirname(other)}/wiki.ndjson`
        await leave(`${file}.partial`)
        await exportNdjson(owner, file)
        expect(await readFile(file, 'utf8')).to.equal(await exportText(owner))
        expect(await readFile(other, 'utf8')).to.equal('of somebody')
        expect((await filesBeside(file)).sort()).to.deep.equal(['other', 'wiki.ndjson'])
      })
    })
  }

  it('says that a folder has the name of the temporary file, and keeps it', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      await mkdir(`${file}.partial`)
      const error = await failureOf(exportNdjson(owner, file))
      expect(error).to.be.instanceOf(UsageError)
      expect(error.message).to.match(
        /^Cannot write .*wiki\.ndjson: a folder has the name of its temporary file/,
      )
      expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson.partial'])
    })
  })

  it('if another export to the same file begins, the first one fails, and leaves the file to the other', async () => {
    await withFile('wiki.ndjson', undefined, async (file) => {
      let other: Awaited<ReturnType<typeof createTemporaryFile>> | undefined
      const connect = async () => {
        other = await createTemporaryFile(file)
        return owner.connect()
      }
      const error = await failureOf(exportNdjson({ ...owner, connect }, file))
      expect(error).to.be.instanceOf(UsageError)
      expect(error.message).to.include('Another export to').and.include(file)
      expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson.partial'])
      await other!.write(Readable.from('of the other'))
      await other!.finish()
      expect(await readFile(file, 'utf8')).to.equal('of the other')
      expect(await filesBeside(file)).to.deep.equal(['wiki.ndjson'])
    })
  })
})

const secondAt = (i: number): string => new Date(1.7e12 + i * 1000).toISOString()
const longPage = (path: string, revisions: number, bytes: number): PageSpec => ({
  path,
  revisions: Array.from({ length: revisions }, (_, i) => ({
    created_at: secondAt(i),
    markdown: `${i} ${'é'.repeat(bytes / 2)}`,
    categories: [{ key: 'tea' }],
  })),
})

describe('export: batches and lines', () => {
  before(openOwner)

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
          longPage('a', 7, 100),
          { path: 'b', revisions: [] },
          longPage('c', 1, 10),
          longPage('d', 30, 40),
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
    await makeWorld({ pages: [longPage('a', 1, 10), longPage('long', 30, 300_000), longPage('z', 1, 10)] })
    const { bytes, summary } = await runExport()
    const lines = bytes.toString().trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).path)).to.deep.equal([
      undefined,
      'a',
      ...Array.from({ length: 5 }, () => 'long'),
      'z',
    ])
    for (const line of lines) expect(Buffer.byteLength(line)).to.be.below(2 * 1024 * 1024 + 200)
    expect(summary).to.deep.equal({ pages: 3, revisions: 32, files: 0 })
    const packed = await runExport({}, 'wiki.ndjson.gz')
    await clearWorld()
    const imported = await importText(owner, packed.bytes.length > 0 ? bytes : '')
    expect([imported.pages, imported.newRevisions]).to.deep.equal([3, 32])
    expect((await runExport()).bytes.equals(bytes)).to.equal(true)
    expect((await runExport({}, 'wiki.ndjson.gz')).bytes.equals(packed.bytes)).to.equal(true)
    expect(gunzipSync(packed.bytes).equals(bytes)).to.equal(true)
  })

  it('leaves out what no import accepts, and notes it: a text of more than 8 MiB, categories beyond 500', async () => {
    await makeWorld({ pages: [longPage('tea', 2, 10)] })
    const client = await owner.connect()
    try {
      await client.query(
        `update wiki.revision set markdown = repeat('x', 8388609), size = 8388609 where created_at = $1`,
        [secondAt(0)],
      )
      await client.query(
        `update wiki.revision
            set categories = (select jsonb_agg(jsonb_build_object('key', 'c' || i, 'sort_key', 's')) from generate_series(1, 501) i)
          where created_at = $1`,
        [secondAt(1)],
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
