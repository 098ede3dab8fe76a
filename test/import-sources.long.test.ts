import { openFolderSource } from '@lectern/import-files/folder/source'
import { openGitSource } from '@lectern/import-files/git/source'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { openMediawikiSource } from '@lectern/import-mediawiki/dump'
import type { ImportSource } from '@lectern/wiki/records'
import type { StoredContentQueries } from '@lectern/wiki/stored-content'
import { expect } from 'chai'
import { knownWiki } from '../src/commands/import-summary.ts'
import { importedVersion } from '../src/db/followed-sources.ts'
import type { NamedSource } from '../src/write/imported-content.ts'
import { SAMPLE_SOURCE } from '../src/write/imported-content.ts'
import { NOTHING_REMOVED } from '../src/write/removal.ts'
import { type ImportSummary, runImport } from '../src/write/run-import.ts'
import { testDatabase } from './support/database.ts'
import { usageErrorOf } from './support/failures.ts'
import { newNotesFolder, writeFiles } from './support/folder.ts'
import { commit, newRepository } from './support/git.ts'
import { linesOfFile, storedContent, storedRows, withFile } from './support/importing.ts'
import { dump, dumpedPage } from './support/mediawiki.ts'
import { withService } from './support/service.ts'
import { clearWorld, type PageSpec, recordsOf, type WorldSpec } from './support/world.ts'

const { owner } = await testDatabase()

const MAIN: NamedSource = { name: 'main' }

const pagesOf = (...paths: string[]): PageSpec[] => paths.map((path) => ({ path }))

describe('import: what a source no longer has', () => {
  const test = withService()
  beforeEach(clearWorld)

  const run = async (
    open: (stored: StoredContentQueries) => Promise<ImportSource>,
    from: NamedSource | undefined,
  ): Promise<ImportSummary> => {
    const { summary } = await runImport(owner, open, { from })
    test.service.invalidate()
    return summary
  }
  const importFile = (content: string, from: NamedSource | undefined = MAIN) =>
    withFile('wiki.ndjson', content, (file) => run(() => openNdjsonSource(file), from))
  const importWiki = (spec: WorldSpec, from?: NamedSource) =>
    importFile(linesOfFile(...recordsOf(spec)), from)
  const paths = async (query = '') =>
    (await test.get(`/pages?limit=200${query}`)).body.items.map(({ path }: { path: string }) => path)
  it('is removed: pages with their history, hidden pages, names of categories and languages', async () => {
    const category = { locale: 'en', key: 'green', name: 'Green tea' }
    const member = { categories: [{ key: 'green' }] }
    await importWiki({
      categories: [category],
      pages: [
        ...pagesOf('sencha', 'matcha', 'mate'),
        { path: 'gyokuro', revisions: [member] },
        { path: 'plan', state: 'draft' },
        { path: 'чай', locale: 'ru' },
      ],
    })
    const [revision] = (await test.get('/pages/gyokuro/history')).body.items
    const summary = await importWiki({ pages: pagesOf('sencha', 'matcha', 'mate'), locales: ['en'] })
    expect(summary.removed).to.deep.include({ pages: 3, revisions: 0 })
    expect(summary.removed!.live).to.deep.equal({
      pages: 2,
      first: [
        { locale: 'en', path: 'gyokuro' },
        { locale: 'ru', path: 'чай' },
      ],
    })
    expect(await paths()).to.deep.equal(['matcha', 'mate', 'sencha'])
    for (const path of ['/pages/gyokuro', `/revisions/${revision.id}`, '/categories/green'])
      expect((await test.get(path)).status, path).to.equal(404)
    expect((await test.get('/search?q=gyokuro')).body.items).to.deep.equal([])
    const removed = await storedContent(owner)
    await clearWorld()
    await importWiki({ pages: pagesOf('sencha', 'matcha', 'mate'), locales: ['en'] })
    expect(removed).to.deep.equal(await storedContent(owner))
  })

  it('is removed: revisions of pages that the source still has; the page shows the newest that is left', async () => {
    const [first, second] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
    const old = { id: first, created_at: '2024-01-01T00:00:00.000000Z', title: 'Sencha', markdown: 'Steamed' }
    const leaked = {
      id: second,
      created_at: '2024-02-01T00:00:00.000000Z',
      title: 'Secret',
      markdown: 'unseenleaf',
    }
    await importWiki({ pages: [{ path: 'sencha', revisions: [old, leaked] }, ...pagesOf('a', 'b')] })
    const summary = await importWiki({ pages: [{ path: 'sencha', revisions: [old] }, ...pagesOf('a', 'b')] })
    expect(summary.removed).to.deep.include({ pages: 0, revisions: 1 })
    const { body } = await test.get('/pages/sencha')
    expect(body).to.include({ title: 'Sencha', markdown: 'Steamed' })
    expect((await test.get('/pages/sencha/history')).body.items).to.have.length(1)
    expect((await test.get(`/revisions/${second}`)).status).to.equal(404)
    expect((await test.get('/search?q=unseenleaf')).body.items).to.deep.equal([])
  })

  it('if it is more than half of the pages, the import changes nothing and says how to go on', async () => {
    await importWiki({ pages: pagesOf('a', 'b', 'c', 'd') })
    const before = await storedRows(owner)
    const message = await usageErrorOf(importWiki({ pages: pagesOf('a', 'x', 'y', 'z', 'w') }))
    expect(message)
      .to.include('would remove 3 of 4 live pages of the source "main"')
      .and.include('b (en), c (en), d (en)')
      .and.include('--yes')
      .and.include('--keep-missing')
      .and.include('--source')
    expect(await storedRows(owner)).to.deep.equal(before)
    await importWiki({ pages: pagesOf('a') }, { ...MAIN, isConfirmed: true })
    expect(await paths()).to.deep.equal(['a'])
  })

  it('if it is more than half of the revisions, the import changes nothing', async () => {
    const revisions = Array.from({ length: 9 }, (_, i) => ({
      created_at: `2024-01-0${i + 1}T00:00:00.000000Z`,
      markdown: `${i}`,
    }))
    await importWiki({ pages: [{ path: 'a', revisions }] })
    const message = await usageErrorOf(importWiki({ pages: [{ path: 'a', revisions: revisions.slice(5) }] }))
    expect(message).to.include('would remove 5 of 9 edits')
    expect((await test.get('/pages/a/history')).body.items).to.have.length(9)
  })

  it('a source gets the main language of a wiki that another one names, unless it has pages in another form of it, and its license', async () => {
    const license = 'https://license.example/'
    await importWiki({
      pages: [{ path: 'a', locale: 'en-us' }],
      default_locale: 'en-us',
      locales: ['en-us'],
      license,
    })
    expect(await knownWiki(owner, 'main')).to.include({ wikiLocale: undefined, wikiLicense: license })
    expect((await knownWiki(owner, 'other')).wikiLocale).to.equal('en-us')
    await importWiki({ pages: pagesOf('b'), locales: ['en'] }, { name: 'other' })
    expect((await knownWiki(owner, 'other')).wikiLocale).to.equal(undefined)
  })

  it('stays with keepMissing, and is counted', async () => {
    await importWiki({ pages: pagesOf('a', 'b') })
    const { removed, absent } = await importWiki({ pages: pagesOf('b') }, { ...MAIN, keepMissing: true })
    expect(removed).to.equal(NOTHING_REMOVED)
    expect(absent).to.deep.equal({ pages: 1, first: [{ locale: 'en', path: 'a' }] })
    expect(await paths()).to.deep.equal(['a', 'b'])
  })

  it('stays if the file has no wiki record: it adds to a wiki', async () => {
    await importWiki({ pages: pagesOf('a', 'b') })
    await importFile(linesOfFile(...recordsOf({ pages: pagesOf('c') }).filter(({ type }) => type === 'page')))
    expect(await paths()).to.deep.equal(['a', 'b', 'c'])
  })

  it('stays if it came from another source; the first source names the wiki', async () => {
    await importWiki({ name: 'Tea', pages: pagesOf('a', 'b') }, { name: 'tea' })
    await importWiki({ name: 'Coffee', pages: pagesOf('x', 'y', 'z') }, { name: 'coffee' })
    await importWiki({ name: 'Coffee', pages: pagesOf('x', 'y') }, { name: 'coffee' })
    expect(await paths()).to.deep.equal(['a', 'b', 'x', 'y'])
    expect((await test.get('/')).body.name).to.equal('Tea')
  })

  describe('two sources with the same path', () => {
    const gitOf = (folder: string, name: string, more: Partial<NamedSource> = {}) =>
      run((stored) => openGitSource(folder, { layouts: [], name: 'Tea', stored: () => stored }), {
        name,
        ...more,
      })
    const textOf = async (path: string) => (await test.get(`/pages/${path}`)).body.markdown

    it('git: the page of the first stays, is named, and goes to the second with adopt', async () => {
      const gollum = newRepository()
      commit(gollum, { 'Home.md': 'first', '_Sidebar.md': 'x', 'Mate.md': 'x' })
      const docs = newRepository()
      commit(docs, { 'README.md': 'second', 'guide.md': 'x' })
      await gitOf(gollum, 'wiki')
      const index = { locale: 'en', path: 'index' }
      for (const edit of ['second', 'edited']) {
        commit(docs, { 'README.md': edit }, { at: '2024-06-01T12:00:00Z' })
        const { left, adopted, removed } = await gitOf(docs, 'docs')
        expect(left).to.deep.equal({ pages: 1, first: [{ ...index, source: 'wiki' }] })
        expect(adopted.pages + removed.pages + removed.revisions).to.equal(0)
        expect(await textOf('index')).to.equal('first')
        expect(await paths()).to.deep.equal(['Mate', 'guide', 'index'])
      }
      const { left, adopted, removed } = await gitOf(docs, 'docs', { adopt: true })
      expect(left.pages + removed.revisions).to.equal(0)
      expect(adopted).to.deep.equal({ pages: 1, first: [{ ...index, source: 'wiki' }] })
      expect(await textOf('index')).to.equal('edited')
      expect((await test.get('/pages/index/history')).body.items).to.have.length(2)
      expect((await gitOf(gollum, 'wiki')).left.first).to.deep.equal([{ ...index, source: 'docs' }])
      expect(await textOf('index')).to.equal('edited')
    })

    it('when the page of the first is gone, the second is imported again, and brings its own', async () => {
      for (const goes of [
        { pages: pagesOf('b', 'c') },
        { pages: [{ path: 'index', state: 'deleted' as const }, ...pagesOf('b', 'c')] },
      ]) {
        await clearWorld()
        const both = { pages: pagesOf('index', 'b', 'c') }
        const other = { pages: [...pagesOf('x'), { path: 'index', revisions: [{ markdown: 'second' }] }] }
        await importWiki(both)
        await importWiki({ pages: pagesOf('y') }, { name: 'third', version: 'v1' })
        await importWiki(other, { name: 'other', version: 'v1' })
        await importWiki(both)
        expect(await importedVersion(owner, 'other')).to.equal('v1')
        await importWiki(goes)
        expect(await importedVersion(owner, 'other')).to.equal(null)
        expect(await importedVersion(owner, 'third')).to.equal('v1')
        await importWiki(other, { name: 'other', version: 'v1' })
        expect(await textOf('index')).to.equal('second')
      }
    })

    it('the same content: nothing changes without adopt; with it, the wiki is as after a fresh import', async () => {
      const folder = newNotesFolder()
      writeFiles(folder, { 'a.md': '# A', 'b.md': '# B' })
      const repository = newRepository()
      commit(repository, { 'c.md': '# C' })
      commit(repository, { 'c.md': '# C, edited' }, { at: '2024-06-01T12:00:00Z' })
      const importBoth = async (prefix: string, more?: Partial<NamedSource>) => {
        const from = { name: `${prefix}-notes`, ...more }
        const notes = await run(
          (stored) => openFolderSource(folder, { layouts: [], stored: () => stored }),
          from,
        )
        return [notes, await gitOf(repository, `${prefix}-docs`, more)]
      }
      await importBoth('one')
      const before = await storedContent(owner)
      const again = await importBoth('two')
      expect(again.map(({ left }) => left.pages)).to.deep.equal([2, 1])
      expect(await storedContent(owner)).to.deep.equal(before)
      const adopting = await importBoth('two', { adopt: true })
      expect(adopting.map(({ adopted }) => adopted.pages)).to.deep.equal([2, 1])
      expect(await storedContent(owner)).to.deep.equal(before)
    })

    it('NDJSON: also a hidden page stays, in batches of one edit; a deleted one yields', async () => {
      const page = (path: string, state: 'live' | 'draft' | 'deleted', text: string): PageSpec => ({
        path,
        state,
        revisions: [
          { markdown: text, created_at: '2024-01-01T00:00:00Z' },
          { markdown: `${text} again`, created_at: '2024-01-02T00:00:00Z' },
        ],
      })
      await importWiki({
        pages: [page('a', 'live', 'one'), page('b', 'draft', 'one'), page('c', 'deleted', 'one')],
      })
      const file = linesOfFile(
        ...recordsOf({ pages: ['a', 'b', 'c', 'd'].map((path) => page(path, 'live', 'two')) }),
      )
      await withFile('wiki.ndjson', file, async (name) => {
        const { summary } = await runImport(owner, () => openNdjsonSource(name), {
          from: { name: 'other' },
          batchLimits: { pages: 1, revisions: 1, bytes: 100 },
        })
        expect(summary.left.first.map(({ path }) => path)).to.deep.equal(['a', 'b'])
        expect(summary.left.pages).to.equal(2)
      })
      test.service.invalidate()
      expect(await paths()).to.deep.equal(['a', 'c', 'd'])
      expect([await textOf('a'), await textOf('c')]).to.deep.equal(['one again', 'two again'])
      // The deleted page of the first source does not come back.
      await importWiki({
        pages: [page('a', 'live', 'one'), page('b', 'draft', 'one'), page('c', 'deleted', 'one')],
      })
      expect(await textOf('c')).to.equal('two again')
    })

    it('an edit of another source does not move to another path, unless with adopt', async () => {
      const id = '11111111-1111-4111-8111-111111111111'
      await importWiki({ pages: [{ path: 'a', revisions: [{ id }] }, ...pagesOf('x', 'y')] })
      const other = { pages: [{ path: 'b', revisions: [{ id }] }] }
      expect(await usageErrorOf(importWiki(other, { name: 'other' }))).to.match(
        /is already the id of a revision of the page a \(en\).*the source "main".*--source main.*--adopt/,
      )
      expect(await paths()).to.deep.equal(['a', 'x', 'y'])
      await importWiki(other, { name: 'other', adopt: true })
      expect(await paths()).to.deep.equal(['b', 'x', 'y'])
    })
  })

  it('the sample wiki goes when another wiki comes', async () => {
    await importWiki({ name: 'Sample', pages: pagesOf('sample-page') }, { name: SAMPLE_SOURCE })
    const { newName } = await importWiki({ name: 'Tea', pages: pagesOf('a') })
    expect(newName).to.equal(undefined)
    const again = await importWiki({ name: 'Cups', pages: pagesOf('a') })
    expect(again.newName).to.deep.equal({ name: 'Cups', former: 'Tea' })
    await importWiki({ name: 'Tea', pages: pagesOf('a') })
    expect(await paths()).to.deep.equal(['a'])
    expect((await test.get('/')).body.name).to.equal('Tea')
  })

  it('MediaWiki: pages and revisions of a full dump; a dump of current pages keeps the history', async () => {
    const revisionOf = (id: number, parent: number | undefined, text: string) =>
      `<revision><id>${id}</id>${parent ? `<parentid>${parent}</parentid>` : ''}<timestamp>2024-01-0${id}T00:00:00Z</timestamp><contributor><username>Ada</username><id>1</id></contributor><model>wikitext</model><format>text/x-wiki</format><text bytes="${text.length}" xml:space="preserve">${text}</text></revision>`
    const tea = (...revisions: string[]) =>
      `<page><title>Tea</title><ns>0</ns><id>1</id>${revisions.join('')}</page>`
    const others = ['Mate', 'Rooibos'].map((title) => dumpedPage(title, 'x'))
    const importDump = (pages: string[]) =>
      withFile('dump.xml', dump(pages), (file) =>
        run(() => openMediawikiSource(file, { namespaces: [], redirects: true }), MAIN),
      )
    const [one, two, three] = [
      revisionOf(1, undefined, 'one'),
      revisionOf(2, 1, 'two'),
      revisionOf(3, 2, 'three'),
    ]
    await importDump([tea(one, two, three), ...others, dumpedPage('Gone', 'x')])
    await importDump([tea(one, two), ...others])
    expect((await test.get('/pages/Gone')).status).to.equal(404)
    expect((await test.get('/pages/Tea/history')).body.items).to.have.length(2)
    await importDump([tea(two), ...others])
    expect((await test.get('/pages/Tea/history')).body.items).to.have.length(2)
  })
})
