import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { FileSourceOptions } from '@lectern/import-files/files/layouts'
import type { FolderPage } from '@lectern/import-files/folder/pages'
import { FolderRenames, parseFolderState } from '@lectern/import-files/folder/renames'
import { openFolderSource } from '@lectern/import-files/folder/source'
import { openGitSource } from '@lectern/import-files/git/source'
import { expect } from 'chai'
import type { Database } from '../../../src/db/database.ts'
import { runImport } from '../../../src/write/run-import.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { failureOf, usageErrorOf } from '../../../test/support/failures.ts'
import { newNotesFolder, writeFiles } from '../../../test/support/folder.ts'
import { commit, newRepository } from '../../../test/support/git.ts'
import { storedRows } from '../../../test/support/importing.ts'
import { withService } from '../../../test/support/service.ts'
import { clearWorld } from '../../../test/support/world.ts'

const NOW = Date.parse('2024-12-31T00:00:00Z')

describe('import folder: repeated imports', () => {
  const test = withService()
  let owner: Database
  let folder: string

  before(async () => {
    owner = (await testDatabase()).owner
  })
  beforeEach(async () => {
    await clearWorld()
    folder = newNotesFolder()
  })

  const importing = async (
    options: Partial<FileSourceOptions> & { keepMissing?: boolean; yes?: boolean } = {},
  ) => {
    const { keepMissing, yes: isConfirmed, ...rest } = options
    const { summary, source } = await runImport(
      owner,
      (stored) =>
        openFolderSource(folder, { layouts: [], name: 'Notes', now: NOW, ...rest, stored: () => stored }),
      { from: { name: 'main', keepMissing, isConfirmed } },
    )
    test.service.invalidate()
    return { ...summary, notes: source.notes().join('\n') }
  }
  const history = async (path: string): Promise<{ created_at: string; id: string }[]> =>
    (await test.get(`/pages/${path}/history`)).body.items
  const times = async (path: string) => (await history(path)).map(({ created_at }) => created_at)
  const markdown = async (path: string) => (await test.get(`/pages/${path}`)).body.markdown
  const status = async (path: string) => (await test.get(`/pages/${path}`)).status

  it('change nothing if nothing has changed', async () => {
    writeFiles(folder, { 'tea.md': '---\ntags: [hot]\n---\nx', 'draft.md': '---\ndraft: true\n---\nx' })
    expect(await importing()).to.include({ newRevisions: 2, pages: 2 })
    const before = await storedRows(owner)
    expect(await importing({ now: NOW + 1000 })).to.include({ newRevisions: 0, changedRevisions: 0 })
    expect(await storedRows(owner)).to.deep.equal(before)
  })

  it('keep where aliases of notes lead', async () => {
    for (const [name, before] of ['Tea Mug', 'Mate Tea'].map((one) => one.split(' '))) {
      writeFiles(folder, { '.obsidian/app.json': '{}', 'b.md': `---\nalias: ${name}\n---\nx` })
      await importing()
      expect((await test.get(`/pages/${name}`)).headers.link).to.include('/pages/b?locale=en>; rel="succ')
      expect((await test.get(`/pages/${before}`)).headers.link).to.not.include('succ')
    }
  })

  it('add an edit to a page whose included file has changed, at its time', async () => {
    const files = {
      'book.toml': '',
      'src/tea.md': '{{#include a.rs}} {{#include ../../a.rs}}',
      'src/a.rs': 'one',
    }
    writeFiles(folder, files, '2024-05-01T00:00:00Z')
    await importing()
    expect(await markdown('tea')).to.equal('one {{#include ../../a.rs}}')
    expect(await importing()).to.include({ newRevisions: 0 })
    writeFiles(folder, { 'src/a.rs': 'two' }, '2024-06-01T00:00:00Z')
    expect((await importing()).notes).to.include('Edits with includes that stay as they are written')
    expect(await markdown('tea')).to.equal('two {{#include ../../a.rs}}')
    expect(await times('tea')).to.deep.equal(['2024-06-01T00:00:00.000000Z', '2024-05-01T00:00:00.000000Z'])
  })

  it('symbolic links are not included', async () => {
    writeFiles(folder, { 'book.toml': '', 'src/tea.md': '{{#include out.txt}}' })
    symlinkSync('/etc/passwd', join(folder, 'src/out.txt'))
    await importing()
    expect(await markdown('tea')).to.equal('{{#include out.txt}}')
  })

  it('change nothing if only the time of a file has changed, of a draft neither', async () => {
    const files = { 'tea.md': 'x', 'draft.md': '---\ndraft: true\n---\nx' }
    writeFiles(folder, files)
    await importing()
    const before = await storedRows(owner)
    writeFiles(folder, files, '2024-06-01T00:00:00Z')
    expect(await importing()).to.include({ newRevisions: 0 })
    expect(await storedRows(owner)).to.deep.equal(before)
  })

  it('take what is a comment now from all edits, because the folder has become a vault', async () => {
    writeFiles(folder, { 'tea.md': 'old %%secret%%', 'cup.md': 'a %%secret%% cup' })
    await importing()
    writeFiles(folder, { 'tea.md': 'new' }, '2024-06-01T00:00:00Z')
    await importing()
    const { id } = (await history('cup'))[0]!
    expect(await history('tea')).to.have.length(2)
    writeFiles(folder, { '.obsidian/app.json': '{}' })
    const again = await importing()
    expect([again.newRevisions, again.removed.revisions]).to.deep.equal([0, 1])
    expect(await markdown('cup')).to.equal('a  cup')
    expect((await history('cup')).map((one) => one.id)).to.deep.equal([id])
    expect(await history('tea')).to.have.length(1)
    expect(JSON.stringify(await storedRows(owner))).to.not.include('secret')
    writeFiles(folder, { 'tea.md': 'newer' }, '2024-07-01T00:00:00Z')
    expect((await importing()).newRevisions).to.equal(1)
    expect(await history('tea')).to.have.length(2)
  })

  it('take comments from edits and pages that are kept, too', async () => {
    writeFiles(folder, {
      'tea.md': 'old %%secret%%',
      'cup.md': 'a %%secret%%',
      'mate.md': 'x',
      'milk.md': '`%%x`',
    })
    await importing()
    writeFiles(folder, { 'tea.md': 'new', 'milk.md': 'y' }, '2024-06-01T00:00:00Z')
    await importing()
    for (const gone of ['cup.md', 'mate.md']) rmSync(join(folder, gone))
    writeFiles(folder, { '.obsidian/app.json': '{}' })
    const again = await importing({ keepMissing: true })
    expect([again.removed.revisions, again.removed.pages]).to.deep.equal([2, 0])
    expect(JSON.stringify(await storedRows(owner))).to.not.include('secret')
    expect([await status('cup'), await status('mate')]).to.deep.equal([404, 200])
    expect(await history('milk')).to.have.length(2)
  })

  it('are refused of a part of a repository that was imported: the edits of both would be mixed', async () => {
    const repository = newRepository()
    commit(repository, { 'mkdocs.yml': '', 'docs/tea.md': 'x' })
    await runImport(owner, (stored) => openGitSource(repository, { layouts: [], stored: () => stored }), {
      from: { name: 'main' },
    })
    const before = await storedRows(owner)
    folder = join(repository, 'docs')
    writeFiles(folder, { 'tea.md': 'y' })
    expect(await usageErrorOf(importing())).to.match(/imported from a git repository.*--source/)
    expect(await storedRows(owner)).to.deep.equal(before)
  })

  it('hide comments, too, when the folder has lost its mark of a vault', async () => {
    writeFiles(folder, { '.obsidian/app.json': '{}', 'tea.md': 'a %%secret%% cup' })
    await importing()
    rmSync(join(folder, '.obsidian'), { recursive: true })
    writeFiles(folder, { 'mate.md': 'b %%secret%%' })
    for (const newRevisions of [1, 0]) {
      const again = await importing()
      expect(again).to.include({ newRevisions, changedRevisions: 0 })
      expect(again.notes).to.include('stay hidden')
      expect(JSON.stringify(await storedRows(owner))).to.not.include('secret')
    }
    await importing({ layouts: ['{path}.md'] })
    expect(await markdown('tea')).to.equal('a  cup')
    await importing({ layouts: ['markdown'] })
    expect(await markdown('tea')).to.equal('a %%secret%% cup')
  })

  it('of a vault with a layout change its paths and languages alone', async () => {
    writeFiles(folder, {
      '.obsidian/app.json': '{ "userIgnoreFilters": ["Private/"] }',
      '.obsidian/templates.json': '{ "folder": "Templates" }',
      'Tea.md': '---\naliases: [Sencha]\nrating: 5\n---\na %%secret%% #hot [[Cup]]',
      'Cup.md': 'x',
      'Pot.md': '---\nexcalidraw-plugin: parsed\n---\nsecret',
      'Private/a.md': 'secret',
      'Templates/b.md': 'secret',
    })
    const shown = async () => {
      const { items } = (await test.get('/pages?include=markdown,categories')).body
      type Item = Record<'path' | 'title' | 'markdown', string> & { categories: { key: string }[] }
      return items.map(({ path, title, markdown, categories: [first] }: Item) => ({
        ...{ path, title, markdown, category: first?.key },
      }))
    }
    await importing()
    const before = await shown()
    expect(before).to.have.length(2)
    const again = await importing({ layouts: ['{path}.md@de'] })
    expect(again.notes).to.not.include('WARNING')
    expect(again.notes).to.include('Drawings (Excalidraw), templates, and notes')
    expect(await shown()).to.deep.equal(before)
    expect((await test.get('/pages/Sencha?locale=de')).headers.link).to.include('pages/Tea')
    expect((await test.get('/pages/Tea')).body.locale).to.equal('de')
    expect(JSON.stringify(await storedRows(owner))).to.not.include('secret')
  })

  it('know of any number of pages how their texts were made', () => {
    const pages = Array.from({ length: 50_001 }, (_, n) => ({ locale: 'en', path: String(n) }) as FolderPage)
    const renames = new FolderRenames(undefined, pages, true)
    for (const page of pages) renames.formerPathsOf(page, null)
    const texts = { digest: 'x' }
    expect(parseFolderState(renames.state(texts))).to.deep.equal({ format: 1, pages: [], texts })
  })

  it('add a revision if the text has changed, and keep the earlier ones', async () => {
    writeFiles(folder, { 'tea.md': 'one', 'cup.md': 'x' })
    await importing()
    writeFiles(folder, { 'tea.md': 'two' }, '2024-06-01T12:00:00.5Z')
    expect(await importing()).to.include({ newRevisions: 1 })
    expect(await importing()).to.include({ newRevisions: 0 })
    expect(await times('tea')).to.deep.equal(['2024-06-01T12:00:00.500000Z', '2024-05-01T12:00:00.000000Z'])
    expect(await markdown('tea')).to.equal('two')
    expect(await times('cup')).to.deep.equal(['2024-05-01T12:00:00.000000Z'])
  })

  it('add a revision if a text of an earlier revision returns', async () => {
    for (const [text, at] of [
      ['one', '2024-05-01T00:00:00Z'],
      ['two', '2024-05-02T00:00:00Z'],
      ['one', '2024-05-03T00:00:00Z'],
    ] as const) {
      writeFiles(folder, { 'tea.md': text }, at)
      expect(await importing()).to.include({ newRevisions: 1 })
    }
    expect(await times('tea')).to.have.length(3)
    expect(await markdown('tea')).to.equal('one')
  })

  it('date a revision at the time of the import if its file is older than the former revision', async () => {
    writeFiles(folder, { 'tea.md': 'one' }, '2024-05-01T00:00:00Z')
    await importing()
    writeFiles(folder, { 'tea.md': 'zero' }, '2023-01-01T00:00:00Z')
    await importing()
    expect(await times('tea')).to.deep.equal(['2024-12-31T00:00:00.000000Z', '2024-05-01T00:00:00.000000Z'])
    expect(await markdown('tea')).to.equal('zero')
  })

  it('date a revision a microsecond later if the clock is behind the former revision', async () => {
    writeFiles(folder, { 'tea.md': 'one' }, '2024-05-01T00:00:00Z')
    await importing()
    writeFiles(folder, { 'tea.md': 'two' }, '2024-05-01T00:00:00Z')
    await importing({ now: Date.parse('2024-01-01T00:00:00Z') })
    expect(await times('tea')).to.deep.equal(['2024-05-01T00:00:00.000001Z', '2024-05-01T00:00:00.000000Z'])
    expect(await importing()).to.include({ newRevisions: 0 })
  })

  it('hide a page that becomes a draft, and show it again, without its draft', async () => {
    writeFiles(folder, { 'tea.md': 'one', 'a.md': 'x' }, '2024-05-01T00:00:00Z')
    await importing()
    writeFiles(folder, { 'tea.md': '---\npublish: false\n---\nsecret' }, '2024-05-02T00:00:00Z')
    await importing()
    expect(await status('tea')).to.equal(404)
    expect(await importing()).to.include({ newRevisions: 0 })
    writeFiles(folder, { 'tea.md': 'three' }, '2024-05-03T00:00:00Z')
    await importing()
    expect(await markdown('tea')).to.equal('three')
    expect(await times('tea')).to.deep.equal(['2024-05-03T00:00:00.000000Z', '2024-05-01T00:00:00.000000Z'])
  })

  it('remove the page of a deleted file, but not more than half of the pages without --yes', async () => {
    writeFiles(folder, { 'a.md': 'x', 'b.md': 'x', 'c.md': 'x' })
    await importing()
    writeFiles(folder, { 'a.md': null })
    expect((await importing()).removed.live.pages).to.equal(1)
    expect(await status('a')).to.equal(404)
    writeFiles(folder, { 'b.md': null, 'c.md': null, 'd.md': 'x' })
    expect((await failureOf(importing())).message).to.include('would remove 2 of 2 live pages')
    expect(await status('b')).to.equal(200)
    await importing({ yes: true })
    expect(await status('b')).to.equal(404)
  })

  it('publish what the last --exclude left out only with --yes', async () => {
    writeFiles(folder, { 'tea.md': 'x', 'Private/a.md': 'x', 'Private/b.md': 'x', 'old.md': 'x' })
    await importing({ exclude: ['Private/**', 'old.md'] })
    await importing({ exclude: ['Private', '*.none', 'old.md'] })
    for (const exclude of [[], ['private/**', 'old.md']]) {
      const { message } = await failureOf(importing({ exclude }))
      const [texts, patterns] = exclude.length > 0 ? [2, 'Private'] : [3, 'Private --exclude old.md']
      expect(message).to.match(
        new RegExp(`^The import would publish ${texts} texts that .* by --exclude ${patterns}\\. Nothing`),
      )
      expect(await status('Private%2Fa')).to.equal(404)
    }
    await importing({ exclude: ['Private/**'], yes: true })
    expect([await status('old'), await status('Private%2Fa')]).to.deep.equal([200, 404])
    writeFiles(folder, { 'Private/a.md': null, 'Private/b.md': null })
    await importing()
    writeFiles(folder, { 'Private/a.md': 'x' })
    await importing()
    expect(await status('Private%2Fa')).to.equal(200)
  })

  it('publish what was hidden by --explicit-publish only with --yes', async () => {
    writeFiles(folder, { 'a.md': 'x', 'b.md': '---\npublish: true\n---\nx' })
    await importing({ explicitPublish: true })
    const { message } = await failureOf(importing())
    expect(message).to.match(/^The import would publish 1 text that .* by --explicit-publish\. Nothing/)
    expect([await status('a'), await status('b')]).to.deep.equal([404, 200])
    await importing({ yes: true })
    expect(await status('a')).to.equal(200)
    await importing({ explicitPublish: true })
    expect(await status('a')).to.equal(404)
  })

  it('know the former paths of a file that was renamed without a change', async () => {
    const formerPaths = async () => {
      const client = await owner.connect()
      const text = `select f.path, l.path as current from guest.former_path f join guest.page l on l.id = f.page_id order by 1`
      const { rows } = await client
        .query<{ path: string; current: string }>(text)
        .finally(() => client.release())
      return rows.map(({ path, current }) => `${path} is ${current}`)
    }
    const others = { 'a.md': 'same', 'b.md': 'same', 'c.md': 'other', 'd.md': 'other text' }
    writeFiles(folder, { 'tea.md': 'x', ...others })
    await importing()
    writeFiles(folder, { 'tea.md': null, 'sub/sencha.md': 'x' })
    await importing()
    expect(await formerPaths()).to.deep.equal(['tea is sub/sencha'])
    writeFiles(folder, { 'sub/sencha.md': null, 'green.md': 'x' })
    await importing()
    await importing()
    expect(await formerPaths()).to.deep.equal(['sub/sencha is green', 'tea is green'])
    // Two pages with one text are gone: nobody knows which one was renamed. Another one is a copy.
    writeFiles(folder, { 'a.md': null, 'b.md': null, 'new.md': 'same', 'copy.md': 'other' })
    await importing()
    expect(await formerPaths()).to.deep.equal(['sub/sencha is green', 'tea is green'])
    writeFiles(folder, { 'tea.md': 'y' })
    await importing()
    expect(await formerPaths()).to.deep.equal(['sub/sencha is green'])
  })

  it('keep a page whose file cannot be read, public or hidden as it was', async () => {
    writeFiles(folder, { 'a.md': 'x', 'b.md': 'one', 'c.md': 'x' }, '2024-05-01T00:00:00Z')
    await importing()
    writeFiles(folder, { 'b.md': '---\ndraft: true\n---\nx' }, '2024-05-02T00:00:00Z')
    await importing()
    const before = await storedRows(owner)
    const { source } = await runImport(
      owner,
      async (stored) => {
        const opened = await openFolderSource(folder, { layouts: [], name: 'Notes', stored: () => stored })
        writeFiles(folder, { 'a.md': null, 'b.md': null })
        return opened
      },
      { from: { name: 'main' } },
    )
    expect(source.notes().join()).to.include('files that cannot be read')
    expect(await storedRows(owner)).to.deep.equal(before)
    expect(await status('b')).to.equal(404)
  })

  it('without a history keep the current edit of each page alone, and no trace of those before', async () => {
    const long = 'About tea.\n'.repeat(2_000)
    const save = async (text: string, day: number, options = {}) => {
      const [at, cup] = [`2024-05-0${day}T12:00:00Z`, `---\ndraft: true\ntags: [${text}]\n---\nx`]
      writeFiles(folder, { 'tea.md': text, 'long.md': `${text}\n${long}`, 'cup.md': cup, 'mate.md': 'x' }, at)
      return importing(options)
    }
    const none = { history: 'none' }
    const told = 'Each change of a file becomes a public edit; --history none keeps only the current text.'
    expect((await save('one', 1)).notes).to.include(told)
    expect((await save('secret', 2)).notes).to.not.include(told)
    const { id } = (await history('tea'))[0]!
    await save('three', 3)
    const changes = async () => (await test.get('/changes')).body
    const before = await changes()
    // All files are as they were, so the folder has nothing new, and most edits go without a confirmation.
    expect((await importing(none)).removed.revisions).to.equal(6)
    expect(await changes()).to.not.deep.equal(before)
    const expectCurrent = async () => {
      for (const path of ['tea', 'long', 'mate']) expect(await history(path)).to.have.length(1)
      expect((await test.get('/recent')).body.items).to.have.length(3)
      expect((await test.get(`/revisions/${id}`)).status).to.equal(404)
      const rows = JSON.stringify(await storedRows(owner))
      expect(rows).to.not.include('secret')
    }
    await expectCurrent()
    await save('secret', 4, none)
    await save('five', 5, none)
    await expectCurrent()
    type Edit = { size: number; page: { path: string } }
    const edits = async () =>
      (await test.get('/recent')).body.items.map(({ size, page }: Edit) => `${page.path} ${size}`).sort()
    const followed = await edits()
    await clearWorld()
    expect((await importing(none)).notes).to.not.include(told)
    expect(await edits()).to.deep.equal(followed)
    // Also if some pages are not read, or gone ones are kept; those stay as they are.
    await save('secret', 6, none)
    await save('seven', 7, { ...none, keepMissing: true })
    writeFiles(folder, { 'mate.md': null })
    await importing({ ...none, keepMissing: true })
    await expectCurrent()
    expect(await usageErrorOf(importing({ history: 'since=2024-01-31' }))).to.match(
      /--history since= is for git repositories.*use --history none or all/,
    )
  })

  it('go on with the history that git gave the page', async () => {
    const repository = newRepository()
    commit(repository, { 'tea.md': 'one' }, { message: 'first' })
    await runImport(owner, (stored) => openGitSource(repository, { layouts: [], stored: () => stored }), {
      from: { name: 'main' },
    })
    writeFiles(folder, { 'tea.md': 'two' }, '2024-06-01T00:00:00Z')
    await importing()
    expect(await times('tea')).to.deep.equal(['2024-06-01T00:00:00.000000Z', '2024-05-01T12:00:00.000000Z'])
  })
})
