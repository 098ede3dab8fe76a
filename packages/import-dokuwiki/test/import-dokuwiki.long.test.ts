import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { dokuwikiVersion, openDokuwikiSource } from '@lectern/import-dokuwiki/source'
import type { ImportRecord } from '@lectern/wiki/records'
import type { SourceContentQueries } from '@lectern/wiki/stored-content'
import { expect } from 'chai'
import { recognizeSource } from '../../../src/import/connectors.ts'
import { recognizeLocation } from '../../../src/import/source-kind.ts'
import { runImport } from '../../../src/write/run-import.ts'
import { environmentOf, lecternHere } from '../../../test/support/cli.ts'
import { copyTemplate, MIGRATED, testDatabase } from '../../../test/support/database.ts'
import {
  type DokuwikiFiles,
  dokuwikiPage,
  OPEN_CONFIGURATION,
  readDokuwiki,
  withDokuwiki,
  writeDokuwikiFile,
} from '../../../test/support/dokuwiki.ts'
import { withService } from '../../../test/support/service.ts'
import { clearWorld } from '../../../test/support/world.ts'

/** 2024-05-01T12:00:00Z. */
const T = 1_714_564_800
const at = (time: number): string => new Date(time * 1000).toISOString().replace('.000Z', '.000000Z')

/** bzip2 of `Old *leaf*\n`. */
const BZIP2 = Buffer.from('QlpoOTFBWSZTWXg9doYAAAJVAAAQQBAAAKcEIAAxBkxBAaNqXrSZAHi7kinChIPB67Qw', 'base64')

const read = (files: DokuwikiFiles, options: Parameters<typeof readDokuwiki>[1] = {}) =>
  withDokuwiki({ ...OPEN_CONFIGURATION, ...files }, (folder) => readDokuwiki(folder, options))

const GREEN = dokuwikiPage('tea:green', [
  { time: T, text: '====== Green ======\nold', type: 'C', user: 'ada', summary: 'created' },
  { time: T + 60, text: '====== Green tea ======\nnew {{tag>leaf}}', type: 'e', ip: '192.0.2.99' },
])

describe('import dokuwiki: pages and their revisions', () => {
  it('reads texts, authors, comments and times, and never an IP address', async () => {
    const { page, wiki, categories, covers, records, notes } = await read(GREEN)
    expect(wiki).to.deep.equal({
      type: 'wiki',
      name: 'Tea Wiki',
      default_locale: 'en',
      license: undefined,
      locales: [{ locale: 'en', name: 'English' }],
    })
    const { state, revisions } = page('tea/green')
    expect(state).to.equal('live')
    expect(revisions.map(({ id, ...rest }) => rest)).to.deep.equal([
      {
        created_at: at(T),
        author: 'ada',
        comment: 'created',
        status: 'accepted',
        title: 'Green',
        markdown: '# Green\n\nold\n',
        categories: [],
      },
      {
        created_at: at(T + 60),
        author: '',
        comment: '',
        status: 'accepted',
        title: 'Green tea',
        markdown: '# Green tea\n\nnew\n',
        categories: [{ key: 'leaf', sort_key: 'green tea' }],
      },
    ])
    expect(categories).to.deep.equal([{ type: 'category', locale: 'en', key: 'leaf', name: 'leaf' }])
    expect(covers).to.equal('wiki')
    expect(notes).to.equal('')
    expect(JSON.stringify(records)).to.not.include('192.0.2')
  })

  it('says that a page has all of its revisions', async () => {
    const { pages } = await read(GREEN)
    expect(pages.map(({ hasAllRevisions }) => hasAllRevisions)).to.deep.equal([true])
  })

  it('gives a revision the same id each time, and revisions of other pages and languages another one', async () => {
    const ids = async (files: DokuwikiFiles, options = {}) =>
      (await read(files, options)).pages.flatMap(({ revisions }) => revisions.map(({ id }) => id))
    const first = await ids(GREEN)
    expect(await ids(GREEN)).to.deep.equal(first)
    expect(await ids(GREEN, { locale: 'de' })).to.not.include.members(first.slice(0, 1))
    const other = await ids(dokuwikiPage('tea:black', [{ time: T, text: 'x' }]))
    expect(first).to.not.include(other[0])
  })

  it('names a page without a heading by its id, and a start page by its namespace', async () => {
    const { page } = await read({
      'data/pages/tea/green_leaf.txt': 'a',
      'data/pages/tea/start.txt': 'b',
      'data/pages/start.txt': 'c',
    })
    expect(page('tea/green_leaf').revisions[0]!.title).to.equal('green leaf')
    expect(page('tea/start').revisions[0]!.title).to.equal('tea')
    expect(page('start').revisions[0]!.title).to.equal('start')
  })

  it('a deleted page is deleted, with the revisions before', async () => {
    const { page } = await read(
      dokuwikiPage('tea', [
        { time: T, text: 'secret' },
        { time: T + 5, type: 'D' },
      ]),
    )
    expect(page('tea').state).to.equal('deleted')
    expect(page('tea').revisions.map(({ created_at }) => created_at)).to.deep.equal([at(T)])
  })

  it('a page that was created again is live', async () => {
    const { page } = await read(
      dokuwikiPage('tea', [
        { time: T, text: 'a' },
        { time: T + 5, type: 'D' },
        { time: T + 9, text: 'b' },
      ]),
    )
    expect(page('tea').state).to.equal('live')
    expect(page('tea').revisions.map(({ markdown }) => markdown)).to.deep.equal(['a\n', 'b\n'])
  })

  it('a file that was changed without DokuWiki is a revision at the time of the file', async () => {
    const { page } = await read({ ...GREEN, 'data/pages/tea/green.txt': { text: 'external', time: T + 100 } })
    const { revisions } = page('tea/green')
    expect(revisions.map(({ created_at, markdown }) => [created_at, markdown])).to.deep.equal([
      [at(T), '# Green\n\nold\n'],
      [at(T + 60), '# Green tea\n\nnew\n'],
      [at(T + 100), 'external\n'],
    ])
    expect(revisions[2]!.author).to.equal('')
  })

  it('a file that is older than its changelog, with another text, is the newest revision', async () => {
    const { page } = await read({ ...GREEN, 'data/pages/tea/green.txt': { text: 'external', time: T - 100 } })
    expect(page('tea/green').revisions.at(-1)).to.include({ created_at: at(T + 61), markdown: 'external\n' })
  })

  it('a copied file with the text of the last revision is that revision', async () => {
    const text = '====== Green tea ======\nnew {{tag>leaf}}'
    const { page } = await read({ ...GREEN, 'data/pages/tea/green.txt': { text, time: T + 999 } })
    expect(page('tea/green').revisions.map(({ created_at }) => created_at)).to.deep.equal([at(T), at(T + 60)])
  })

  it('a page without a changelog has one revision', async () => {
    const { page } = await read({ 'data/pages/tea.txt': { text: 'a', time: T } })
    expect(page('tea').revisions).to.have.length(1)
    expect(page('tea').revisions[0]).to.include({ created_at: at(T), author: '', comment: '' })
  })

  it('reads old texts with bzip2 and without compression', async () => {
    const files = dokuwikiPage('tea', [
      { time: T, text: 'a' },
      { time: T + 1, text: 'b' },
      { time: T + 2, text: 'c' },
    ])
    delete files[`data/attic/tea.${T}.txt.gz`]
    delete files[`data/attic/tea.${T + 1}.txt.gz`]
    const { page } = await read({
      ...files,
      [`data/attic/tea.${T}.txt.bz2`]: BZIP2,
      [`data/attic/tea.${T + 1}.txt`]: 'plain',
    })
    expect(page('tea').revisions.map(({ markdown }) => markdown)).to.deep.equal([
      'Old \\*leaf\\*\n',
      'plain\n',
      'c\n',
    ])
  })

  it('counts revisions without a text and with a damaged one, and goes on', async () => {
    const files = dokuwikiPage('tea', [
      { time: T, text: 'a' },
      { time: T + 1, text: 'b' },
      { time: T + 2, text: 'c' },
    ])
    delete files[`data/attic/tea.${T}.txt.gz`]
    files[`data/attic/tea.${T + 1}.txt.gz`] = gzipSync('b').subarray(0, 12)
    files['data/meta/tea.changes'] += 'not a line\n\n99999999999999\tx\tE\ttea\tu\n'
    const { page, notes } = await read(files)
    expect(page('tea').revisions.map(({ markdown }) => markdown)).to.deep.equal(['c\n'])
    expect(notes).to.include('DokuWiki has no text for them: 1, first tea')
    expect(notes).to.include(`their file is damaged: 1, first tea.${T + 1}.txt.gz`)
  })

  it('does not unpack more than a text may have', async () => {
    const files = dokuwikiPage('tea', [
      { time: T, text: 'a' },
      { time: T + 1, text: 'b' },
    ])
    files[`data/attic/tea.${T}.txt.gz`] = gzipSync(Buffer.alloc(200 * 1024 * 1024))
    const { page, notes } = await read(files)
    expect(page('tea').revisions.map(({ markdown }) => markdown)).to.deep.equal(['b\n'])
    expect(notes).to.include('more than 8388608 bytes: 1')
  })

  it('hides a page whose current text is too long, instead of showing an older one', async () => {
    const files = dokuwikiPage('tea', [{ time: T, text: 'a' }])
    files['data/pages/tea.txt'] = { text: 'b'.repeat(9 * 1024 * 1024), time: T + 5 }
    const { page, notes } = await read(files)
    expect(page('tea').state).to.equal('draft')
    expect(notes).to.include('WARNING: pages that guests do not see, because their newest text has more than')
  })

  it('imports a page with many revisions in several records', async () => {
    const edits = Array.from({ length: 1_203 }, (_, i) => ({ time: T + i, text: `text ${i}` }))
    const { pages } = await read(dokuwikiPage('tea', edits))
    expect(pages.flatMap(({ revisions }) => revisions)).to.have.length(1_203)
    expect(pages.length).to.be.above(2)
    expect(pages.map(({ hasAllRevisions }) => hasAllRevisions === true)).to.deep.equal([false, false, true])
  })
})

describe('import dokuwiki: ids and paths', () => {
  const configured = (line: string): DokuwikiFiles => ({
    'conf/local.php': `<?php\n${line}\n`,
  })

  it('reads file names in each encoding', async () => {
    const url = await read({ 'data/pages/%E8%8C%B6/a.b.txt': 'x' })
    expect(url.paths).to.deep.equal(['茶/a.b'])
    const utf8 = await read({ ...configured("$conf['fnencode'] = 'utf-8';"), 'data/pages/茶/ä.txt': 'x' })
    expect(utf8.paths).to.deep.equal(['茶/ä'])
    const safe = await read({
      ...configured('$conf["fnencode"] = "safe";'),
      'data/pages/%5g]bc/%pw6].txt': 'x',
    })
    expect(safe.paths).to.deep.equal(['äbc/茶'])
  })

  it('leaves out files that no address leads to', async () => {
    const names = [
      'Tea.txt',
      'a b.txt',
      '%FF.txt',
      '_x.txt',
      'a%2Fb.txt',
      'category%3Atea.txt',
      '.hidden.txt',
    ]
    const { paths, notes } = await read({
      'data/pages/tea.txt': 'x',
      ...Object.fromEntries(names.map((name) => [`data/pages/${name}`, 'secret'])),
      'data/pages/readme.md': 'no page',
    })
    expect(paths).to.deep.equal(['tea'])
    expect(notes).to.include('no address of DokuWiki leads to a file with such a name: 7')
  })

  it('gives no page a path with the prefix of a namespace', async () => {
    const { paths } = await read({ 'data/pages/category/tea.txt': 'x', 'data/pages/template.txt': 'y' })
    expect(paths.filter((path) => path.includes(':'))).to.deep.equal([])
  })

  it('gives the page guide:index the path that links can name', async () => {
    const { paths } = await read({
      'data/pages/guide/index.txt': 'x [[:tea:index]]',
      'data/pages/tea.txt': 'y',
      'data/pages/tea/index.txt': 'z',
    })
    expect(paths.sort()).to.deep.equal(['guide', 'tea', 'tea/index'])
  })

  it('does not follow symbolic links', async () => {
    await withDokuwiki(
      { ...OPEN_CONFIGURATION, ...GREEN, 'outside/secret.txt': 'secret' },
      async (folder) => {
        await symlink(join(folder, 'outside'), join(folder, 'data/pages/linked'))
        await symlink(join(folder, 'outside/secret.txt'), join(folder, 'data/pages/link.txt'))
        await rm(join(folder, 'data/attic/tea'), { recursive: true })
        await symlink(join(folder, 'outside'), join(folder, 'data/attic/tea'))
        await writeFile(join(folder, `outside/green.${T}.txt`), 'secret')
        const { records, notes } = await readDokuwiki(folder)
        expect(JSON.stringify(records)).to.not.include('secret')
        expect(notes).to.include('Symbolic links among the pages, which are not followed: 2')
      },
    )
  })

  it('puts namespaces of the plugin Translation into languages', async () => {
    const { pages, wiki, page } = await read({
      ...configured("$conf['plugin']['translation']['translations'] = 'de,fr';"),
      'data/pages/tea/green.txt': 'x',
      'data/pages/de/tea/green.txt': '[[:tea:green]] [[green]]',
      'data/pages/it/x.txt': 'y',
    })
    expect(
      pages.map(({ locale, path, translation_group }) => [locale, path, translation_group]),
    ).to.deep.equal([
      ['de', 'tea/green', 'tea/green'],
      ['en', 'it/x', 'it/x'],
      ['en', 'tea/green', 'tea/green'],
    ])
    expect(page('tea/green', 'de').revisions[0]!.markdown).to.equal(
      '[green](/en/tea/green) [green](/de/tea/green)\n',
    )
    expect(wiki).to.deep.include({
      locales: [
        { locale: 'de', name: 'Deutsch' },
        { locale: 'en', name: 'English' },
      ],
    })
  })

  it('takes title, language and license from the configuration, unless they are set', async () => {
    const files = {
      ...configured(
        "$conf['title'] = 'It\\'s tea'; $conf['lang'] = 'de-informal'; $conf['license'] = 'cc-by-sa';",
      ),
      'data/pages/tea.txt': 'x',
    }
    expect((await read(files)).wiki).to.include({
      name: "It's tea",
      default_locale: 'de',
      license: 'https://creativecommons.org/licenses/by-sa/4.0/',
    })
    const chosen = { name: 'Tea', locale: 'pt_BR', license: 'https://license.example/' }
    expect((await read(files, chosen)).wiki).to.include({
      name: 'Tea',
      default_locale: 'pt-br',
      license: 'https://license.example/',
    })
  })
})

describe('import dokuwiki: a second import', () => {
  const test = withService()
  before(clearWorld)

  const importFolder = async (folder: string) => {
    const { owner } = await testDatabase()
    const { summary } = await runImport(
      owner,
      (stored) => openDokuwikiSource(folder, { stored: () => stored }),
      { from: { name: 'dokuwiki', isConfirmed: true } },
    )
    test.service.invalidate()
    return summary
  }

  it('finds nothing new, then what is new, and removes what is gone', async () => {
    const old = dokuwikiPage('old', [{ time: T, text: 'old' }])
    await withDokuwiki({ ...OPEN_CONFIGURATION, ...GREEN, ...old }, async (folder) => {
      expect(await importFolder(folder)).to.include({ pages: 2, revisions: 3, newRevisions: 3 })
      const again = await importFolder(folder)
      expect(again).to.include({ newRevisions: 0, changedRevisions: 0 })
      expect(again.removed.pages).to.equal(0)
      await writeDokuwikiFile(folder, 'data/pages/new.txt', { text: 'new', time: T })
      await rm(join(folder, 'data/pages/old.txt'))
      await writeDokuwikiFile(
        folder,
        'data/meta/old.changes',
        `${T}\tx\tC\told\tada\t\t\n${T + 1}\tx\tD\told\tada\t\t\n`,
      )
      expect(await importFolder(folder)).to.include({ newRevisions: 1 })
    })
    expect((await test.get('/pages/new')).status).to.equal(200)
    expect((await test.get('/pages/tea/green')).body.title).to.equal('Green tea')
    expect((await test.get('/pages/old')).status).to.equal(404)
  })
})

describe('import dokuwiki: command and version', () => {
  it('reports what it read and what it left out', async () => {
    const { place, remove } = await copyTemplate(MIGRATED)
    await withDokuwiki({ ...OPEN_CONFIGURATION, ...GREEN, 'data/pages/Tea.txt': 'x' }, async (folder) => {
      const { status, stderr, stdout } = await lecternHere(
        ['import', 'dokuwiki', folder, '--source', 'tea-wiki'],
        environmentOf(place),
      )
      expect(status, stderr).to.equal(0)
      expect(stderr + stdout).to.match(/leads to a file with such a name: 1, first Tea\n/)
      expect(stderr + stdout).to.match(/Read 1 page, 1 category, 2 edits/)
    }).finally(remove)
  })

  it('a follower recognizes the folder of a DokuWiki, even in a git repository, and that of its data', async () => {
    await withDokuwiki({ ...OPEN_CONFIGURATION, ...GREEN, '.git/HEAD': '' }, async (folder) => {
      expect(await recognizeLocation(folder)).to.deep.equal({ kind: 'dokuwiki', location: folder })
      expect((await recognizeLocation(join(folder, 'data'))).kind).to.equal('dokuwiki')
      const connector = await recognizeSource(folder, {
        layouts: [],
        namespaces: [],
        redirects: true,
        sourcesFolder: folder,
        name: 'Followed',
      })
      expect(await connector.version()).to.equal(await dokuwikiVersion(folder))
      const stored = { knownRevisions: async () => new Set<string>() } as unknown as SourceContentQueries
      const source = await connector.open(() => stored)
      const records: ImportRecord[] = []
      for await (const record of source.records) records.push(record)
      expect(records[0]).to.include({ type: 'wiki', name: 'Followed' })
      expect(records).to.have.length(3)
    })
  })

  it('the version changes with pages, the changelog and the configuration, and only then', async () => {
    await withDokuwiki({ ...OPEN_CONFIGURATION, ...GREEN }, async (folder) => {
      const seen = [await dokuwikiVersion(folder)]
      expect(await dokuwikiVersion(folder)).to.equal(seen[0])
      for (const [path, text] of [
        ['data/pages/tea/green.txt', 'other'],
        ['data/meta/_dokuwiki.changes', 'line\n'],
        ['conf/local.php', '<?php\n'],
        ['conf/acl.auth.php', '* @ALL 1\n'],
        ['data/pages/new.txt', ''],
      ] as const) {
        await writeDokuwikiFile(folder, path, text)
        seen.push(await dokuwikiVersion(folder))
      }
      expect(new Set(seen).size).to.equal(6)
    })
  })
})
