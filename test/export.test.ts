import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Database } from '../src/db/database.ts'
import { exportNdjson } from '../src/export/ndjson.ts'
import { testDatabase } from './support/database.ts'
import { exportText, importText, linesOfFile, storedContent, withFile } from './support/importing.ts'
import { rounds } from './support/rounds.ts'
import { clearWorld, makeWorld } from './support/world.ts'

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

const reasonOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => '',
    (error: Error) => error.message,
  )

describe('export', () => {
  let owner: Database
  before(async () => {
    owner = (await testDatabase()).owner
  })
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
      { numRuns: rounds(4) },
    )
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

  it('contains hidden content, too: drafts, pending edits, deleted pages', async () => {
    await makeWorld({
      pages: [
        { path: 'a', state: 'draft', revisions: [{ status: 'pending', title: 'Waits' }] },
        { path: 'b', state: 'deleted' },
      ],
    })
    const exported = await exportText(owner)
    expect(exported).to.include('"state":"draft"').and.include('Waits').and.include('"state":"deleted"')
  })

  it('is a snapshot: it contains a concurrent import completely or not at all', async () => {
    const pages = (comment: string) =>
      Array.from({ length: 200 }, (_, i) => ({
        path: `p${i}`,
        revisions: [{ id: `11111111-1111-4111-8111-${String(i).padStart(12, '0')}`, comment }],
      }))
    await makeWorld({ pages: pages('old') })
    const { importRecords, recordsOf } = await import('./support/world.ts')
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

  it('is empty if nothing was imported', async () => {
    expect(await exportText(owner)).to.equal('')
  })

  it('returns how many pages and revisions it wrote', async () => {
    await makeWorld({
      pages: [{ path: 'a', revisions: [{ markdown: 'x' }, { markdown: 'y' }] }, { path: 'b' }],
    })
    await withFile('wiki.ndjson', undefined, async (file) => {
      expect(await exportNdjson(owner, file)).to.deep.equal({ pages: 2, revisions: 3 })
    })
  })

  it('compresses a file whose name ends with .gz', async () => {
    await makeWorld({ pages: [{ path: 'a' }] })
    await withFile('wiki.ndjson.gz', undefined, async (file) => {
      await exportNdjson(owner, file)
      expect(gunzipSync(await readFile(file)).toString()).to.equal(await exportText(owner))
    })
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
      expect(await readdir(dirname(file))).to.deep.equal(['wiki.ndjson'])
    })
  })

  it('on failure, keeps the older file and leaves no empty folder', async () => {
    await withFile('wiki.ndjson', 'older', async (file) => {
      const gone = { ...owner, connect: () => Promise.reject(new Error('enough')) }
      expect(await reasonOf(exportNdjson(gone, file))).to.equal('enough')
      expect(await readFile(file, 'utf8')).to.equal('older')
      expect(await readdir(dirname(file))).to.deep.equal(['wiki.ndjson'])
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
        const error = await exportNdjson(owner, target).then(
          () => undefined,
          (reason: Error) => reason,
        )
        expect(error).to.be.instanceOf(UsageError)
        expect(error!.message)
          .to.match(/^Cannot write /)
          .and.include(target)
          .and.not.include('.partial')
        expect(await readdir(dirname(file))).to.deep.equal(['taken'])
      })
    })
  }
})
