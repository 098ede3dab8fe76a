import { readFile } from 'node:fs/promises'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Database } from '../src/db/database.ts'
import { exportNdjson } from '../src/export/ndjson.ts'
import { runImport } from '../src/write/run-import.ts'
import { rowsOf, testDatabase } from './support/database.ts'
import { makeWorldWithFiles, png } from './support/files.ts'
import { importText, linesOfFile, withFile } from './support/importing.ts'
import { marksIn, randomWiki } from './support/random-wiki.ts'
import { rounds } from './support/rounds.ts'
import {
  clearWorld,
  emptyDatabase,
  importRecords,
  makeWorld,
  type PageSpec,
  recordsOf,
} from './support/world.ts'

/** A word that only hidden content contains. */
const CANARY = 'kanarienvogel'
/** The beginning of the ids of hidden revisions. */
const HIDDEN_ID = 'cafebabe-0000-4000-8000-'
let hiddenCount = 0
const hiddenRevision = () => ({
  id: HIDDEN_ID + String(hiddenCount++).padStart(12, '0'),
  author: CANARY,
  comment: CANARY,
  title: CANARY,
  markdown: `${CANARY} [${CANARY}](page-${CANARY})`,
  categories: [{ key: CANARY, sort_key: CANARY }],
})

const pages = (): PageSpec[] => [
  {
    path: 'tea',
    translation_group: `group-${CANARY}`,
    revisions: [
      { ...hiddenRevision(), status: 'rejected', created_at: '2024-01-01T00:00:00Z' },
      {
        // The title and the categories of an earlier accepted revision are hidden, too.
        title: CANARY,
        categories: [{ key: CANARY }],
        markdown: 'Old text',
        author: 'Ada',
        created_at: '2024-01-02T00:00:00Z',
      },
      {
        title: 'Tea',
        markdown: 'New text',
        author: 'Bob',
        categories: [{ key: 'drinks', sort_key: 'b' }, { key: 'cups' }],
        created_at: '2024-01-03T00:00:00.000001Z',
      },
      { ...hiddenRevision(), status: 'pending', created_at: '2024-01-04T00:00:00Z' },
      { ...hiddenRevision(), status: 'draft', created_at: '2024-01-05T00:00:00Z' },
    ],
  },
  { path: 'tschai', locale: 'ru', translation_group: `group-${CANARY}` },
  // A guest can see only one page of this group, so it has no translations.
  { path: 'alone', translation_group: CANARY },
  {
    path: `draft-${CANARY}`,
    locale: 'ru',
    state: 'draft',
    translation_group: CANARY,
    revisions: [hiddenRevision()],
  },
  { path: `deleted-${CANARY}`, state: 'deleted', revisions: [hiddenRevision()] },
  { path: `waiting-${CANARY}`, revisions: [{ ...hiddenRevision(), status: 'pending' }] },
  { path: `no-edits-${CANARY}`, revisions: [] },
  { path: `only-here-${CANARY}`, locale: 'de', revisions: [{ ...hiddenRevision(), status: 'draft' }] },
  { path: 'withdrawn', revisions: [hiddenRevision()] },
  { path: 'category:drinks', revisions: [{ title: 'Drinks', markdown: 'What one drinks' }] },
]

const categories = [
  { locale: 'en', key: 'cups', name: 'Cups' },
  { locale: 'en', key: 'drinks', name: 'Drinks' },
  { locale: 'en', key: CANARY, name: CANARY },
  { locale: 'ru', key: 'drinks', name: `${CANARY} of no page` },
]

describe('export --public', () => {
  let owner: Database
  let reader: Database
  before(async () => {
    ;({ owner, reader } = await testDatabase())
  })

  const publicText = (database = reader, license?: string): Promise<string> =>
    withFile('wiki.ndjson', undefined, async (file) => {
      await exportNdjson(database, file, { view: 'guest', license })
      return readFile(file, 'utf8')
    })
  const makeHiddenContent = async () => {
    await makeWorld({ pages: pages(), categories, locales: ['en', 'ru'] })
    await importRecords(recordsOf({ pages: [{ path: 'withdrawn', state: 'draft', revisions: [] }] }))
  }

  it('lets an import show the same files, wherever the source has its pages', async () => {
    const files = [
      'docs/tea/cup.png',
      'docs/tea/kinds/pot.png',
      'docs/img/leaf.png',
      'static/img/sun.png',
      'x/named.png',
    ]
    await makeWorldWithFiles(
      {
        pages: [
          { path: 'tea', revisions: [{ markdown: '![](tea/cup.png) ![](/img/sun.png) ![[named.png]]' }] },
          { path: 'kinds/green', revisions: [{ markdown: '![](kinds/pot.png) ![](../img/leaf.png)' }] },
          { path: 'only/above', revisions: [{ markdown: '![](../img/leaf.png) ![](none.png)' }] },
        ],
      },
      files.map((path, i) => ({ path, data: png(2 + i, 2) })),
      {
        roots: ['docs/static', 'static', ''],
        sourcePaths: {
          ...{
            tea: 'docs/tea/index.md',
            'kinds/green': 'docs/tea/green.md',
            'only/above': 'docs/only/above.md',
          },
        },
      },
    )
    const uses = () =>
      rowsOf(
        `select u.page_path || ' ' || u.reference || ' ' || f.path || ' ' || encode(f.sha256, 'hex') as use
           from wiki.live_file_use u join wiki.live_file f on f.id = u.file_id order by 1`,
      )
    const before = await uses()
    expect(before).to.have.length(6)
    await withFile('wiki.ndjson', undefined, async (file) => {
      await exportNdjson(reader, file, { view: 'guest' })
      await emptyDatabase(owner)
      await runImport(owner, () => openNdjsonSource(file), { from: { name: 'copy' } })
    })
    expect(await uses()).to.deep.equal(before)
  })

  it('contains live pages, their accepted edits and categories, as the reader role sees them', async () => {
    await makeHiddenContent()
    const [wiki, ...rest] = (await publicText())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(wiki).to.include({ type: 'wiki', name: 'Test Wiki', license: 'https://license.example/' })
    expect(rest.map(({ type, locale, key, path }) => `${type} ${locale} ${key ?? path}`)).to.deep.equal([
      'category en cups',
      'category en drinks',
      'page en alone',
      'page en category:drinks',
      'page en tea',
      'page ru tschai',
    ])
    const tea = rest.find(({ path }) => path === 'tea')
    expect(tea.revisions.map(({ id: _, ...revision }: { id: string }) => revision)).to.deep.equal([
      {
        created_at: '2024-01-02T00:00:00.000000Z',
        author: 'Ada',
        comment: '',
        status: 'accepted',
        title: 'Tea',
        markdown: 'Old text',
        categories: [],
      },
      {
        created_at: '2024-01-03T00:00:00.000001Z',
        author: 'Bob',
        comment: '',
        status: 'accepted',
        title: 'Tea',
        markdown: 'New text',
        categories: [
          { key: 'cups', sort_key: 'tea' },
          { key: 'drinks', sort_key: 'b' },
        ],
      },
    ])
    expect(tea.translation_group).to.equal(rest.find(({ path }) => path === 'tschai').translation_group)
    expect(rest.find(({ path }) => path === 'alone')).not.to.have.property('translation_group')
  })

  it('contains no hidden text, id, name or path, whichever role runs it', async () => {
    await makeHiddenContent()
    for (const database of [reader, owner]) {
      const text = (await publicText(database)).toLowerCase()
      expect(text).not.to.include(CANARY)
      expect(text).not.to.include('cafebabe')
      expect(text).not.to.include('"de"')
    }
  })

  it('does not change if only hidden content changes', async () => {
    await makeHiddenContent()
    const before = await publicText()
    await importRecords(
      recordsOf({
        pages: [
          { path: 'one-more', state: 'draft' },
          {
            path: 'alone',
            translation_group: CANARY,
            revisions: [hiddenRevision(), hiddenRevision()].map((revision) => ({
              ...revision,
              status: 'pending' as const,
            })),
          },
        ],
        categories: [{ locale: 'en', key: 'one-more', name: 'One more' }],
      }),
    )
    expect(await publicText()).to.equal(before)
  })

  it('of a random wiki, an import of the export shows guests the same content', async () => {
    await fc.assert(
      fc.asyncProperty(randomWiki, async ({ locales, parts, categories, changes }) => {
        await clearWorld()
        const wiki = {
          type: 'wiki',
          name: 'W',
          default_locale: locales[0],
          locales: locales.map((locale) => ({ locale, name: locale })),
        }
        for (const some of [...parts, ...changes]) {
          const records = some.map((page) => ({ type: 'page', ...page }))
          await importText(
            owner,
            linesOfFile(wiki, ...categories.map((one) => ({ type: 'category', ...one })), ...records),
          )
        }
        const exported = await publicText()
        const [content, names] = [await guestSees(CONTENT), await guestSees(NAMES)]
        const marks = new Set(marksIn(content + names))
        expect(marksIn(exported).filter((mark) => !marks.has(mark))).to.deep.equal([])
        await clearWorld()
        await importText(owner, exported)
        expect(await guestSees(CONTENT)).to.equal(content)
        expect(await publicText()).to.equal(exported)
      }),
      { numRuns: rounds(2) },
    )
  })

  it('contains the license of the service', async () => {
    await makeWorld({ pages: [{ path: 'a' }] })
    const [wiki] = (await publicText(reader, 'https://other.example/')).split('\n')
    expect(JSON.parse(wiki!).license).to.equal('https://other.example/')
  })
})

/** Columns of the guest's views, without page ids and group names, which the API does not show. */
const CONTENT = [
  'locale, ns, path, title, revision_id, revision_created_at, revision_author from guest.page',
  'id, created_at, author, comment, size, markdown from guest.revision',
  'locale, key, sort_key, path from guest.category_member',
]
const NAMES = ['locale, key, name from guest.category']

const guestSees = async (views: string[]): Promise<string> => {
  const lines: string[] = []
  for (const columns of views)
    for (const { row } of await rowsOf(`select v::text as row from (select ${columns}) v order by 1`))
      lines.push(row)
  return lines.join('\n')
}
