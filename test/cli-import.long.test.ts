import { execFileSync } from 'node:child_process'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { expect } from 'chai'
import type { Database } from '../src/db/database.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { runImport } from '../src/write/run-import.ts'
import { endProcesses, environmentOf, expectFailure, lecternHere, start } from './support/cli.ts'
import { copyTemplate, MIGRATED } from './support/database.ts'
import { png } from './support/files.ts'
import { commit, git, newRepository } from './support/git.ts'
import { exportText, importText, linesOfFile } from './support/importing.ts'
import { dump, dumpedPage } from './support/mediawiki.ts'
import { FakeMediawiki } from './support/mediawiki-api.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'
import { emptyDatabase, onePageFile, recordsOf } from './support/world.ts'

describe('lectern: import and export', () => {
  const folder = withTemporaryFolder()
  afterEach(endProcesses)

  let owner: Database
  let environment: Record<string, string>
  let remove: () => Promise<void>

  before(async () => {
    const database = await copyTemplate(MIGRATED)
    remove = database.remove
    owner = await openDatabase(database.place, 'owner')
    environment = environmentOf(database.place)
  })
  after(async () => {
    await owner?.close()
    await remove?.()
  })
  beforeEach(async () => {
    await emptyDatabase(owner)
    await importText(owner, onePageFile('tea'))
  })

  it('import ndjson reports what it read, what was new, how long it took and how fast it was', async () => {
    const file = folder.write(
      'two.ndjson',
      linesOfFile(...recordsOf({ pages: [{ path: 'a' }, { path: 'b' }] })),
    )
    const { status, stderr } = await lecternHere(['import', 'ndjson', file], environment)
    expect(stderr).to.match(
      /Read 2 pages, 0 categories, 2 edits \(2 new, 0 changed\) in \d+\.\d s: \d+ edits\/s\n(.* rendered.*\n)*(To serve the wiki: .* serve|Another Lectern .*)\n$/,
    )
    expect(status).to.equal(0)
    const html = { name: 'test_html', text: 'select html from guest.page_html' }
    expect(await owner.query(html, [])).to.have.lengthOf(3)
    const one = folder.write('one.ndjson', linesOfFile(...recordsOf({ pages: [{ path: 'a' }] })))
    const removed = await lecternHere(['import', 'ndjson', one], environment)
    expect(removed.stderr).to.include('Removed 1 page that the source "main" no longer has: b (en).\n')
  })

  it('import folder reports the files that it stored, what it left out and why, and what it does not have', async () => {
    const files = {
      'tea.md':
        '# Tea\n\n[Leaves](leaves.md) [Cup](b/cup.md) ![](cup.png) [](big.pdf) [](tool.bin) [](link.png) ![](a.png) ![](b.png) ![](c.png) ![](d.png)',
      'cup.png': png(4, 3),
      'big.pdf': `%PDF-1.7${'x'.repeat(3000)}`,
      'tool.bin': Buffer.alloc(9, 1),
    }
    mkdirSync(folder.path('wiki'))
    for (const [name, content] of Object.entries(files)) writeFileSync(folder.path(`wiki/${name}`), content)
    symlinkSync('/etc/hostname', folder.path('wiki/link.png'))
    const { stderr } = await lecternHere(['import', 'folder', folder.path('wiki'), '--yes'], {
      ...environment,
      FILE_BYTES_MAX: '2000',
    })
    for (const line of [
      'Files left out: 1 larger than FILE_BYTES_MAX (big.pdf); 1 a symbolic link that leads to no file of the source (link.png); 1 of a type that FILES_ALLOW does not have (tool.bin).',
      '4 references to files that the source does not have: a.png in tea, b.png in tea, c.png in tea, ….',
      'Pages use 1 file with 1 kB (1 new or changed).',
      '2 links to pages that do not exist: b/cup in tea, leaves in tea.',
    ])
      expect(stderr).to.include(`${line}\n`)
    mkdirSync(folder.path('other/cups'), { recursive: true })
    folder.write('other/mate.md', '# Mate\n\n[Gone](gone.md) [](a.md) [](b.md) [](c.md) [Cups](cups/)')
    folder.write('other/cups/tall.md', '# Tall')
    const args = ['import', 'folder', folder.path('other'), '--source', 'other']
    const dead = '\n4 links to pages that do not exist: a in mate, b in mate, c in mate, '
    expect((await lecternHere(args, environment)).stderr).to.include(
      `${dead}…. To see them all, set LOG_LEVEL=debug.\n`,
    )
    const all = await lecternHere(args, { ...environment, LOG_LEVEL: 'debug' })
    expect(all.stderr).to.include(`${dead}gone in mate.\n`).and.include('nothing new')
  })

  it('import mediawiki reads a URL completely, then what changed', async () => {
    const wiki = new FakeMediawiki()
    await wiki.start()
    const page = (id: number) => ({ id, title: `Tea ${id}`, revisions: [{ id, text: 'Leaves' }] })
    try {
      wiki.pages = [page(1), page(2)]
      const importing = () =>
        lecternHere(
          ['import', 'mediawiki', `${wiki.url}/`, '--contact', 'ada@tea.example', '--yes'],
          environment,
        )
      const first = await importing()
      expect(first.stderr).to.include(`Reading ${wiki.url}/w/api.php\n`).and.include('2 edits (2 new')
      expect([...wiki.userAgents].join()).to.include('(ada@tea.example; ')
      wiki.pages.push(page(3))
      expect((await importing()).stderr).to.include('Read 1 page, 0 categories, 1 edit (1 new')
      let edits = 3
      wiki.onRequest = (parameters) => {
        if (!parameters.has('revids') || edits > 3) return
        edits += 1
        wiki.pages.push(page(edits))
      }
      const all = await lecternHere(['import', 'mediawiki', wiki.url, '--read-all'], environment)
      expect(all.stderr).to.match(/Read 3 pages.*changed meanwhile.*Read 1 page,/s)
    } finally {
      await wiki.stop()
    }
  })

  it('import ndjson that is killed halfway stores nothing, and the next import works', async () => {
    const before = await exportText(owner)
    const pipe = folder.path('pipe.ndjson')
    execFileSync('mkfifo', [pipe])
    const importing = start(['import', 'ndjson', pipe], environment)
    const writing = createWriteStream(pipe)
    const many = Array.from({ length: 2_000 }, (_, i) => ({ path: `p${i}` }))
    const hasEnded = importing.ended.then(() => true)
    writing.on('error', () => {}) // its reader is killed
    const written = new Promise((resolve) =>
      writing.write(linesOfFile(...recordsOf({ pages: many })), resolve),
    )
    expect(await Promise.race([written, hasEnded]), importing.printed()).not.to.equal(true)
    importing.process.kill('SIGKILL')
    expect((await importing.ended).signal).to.equal('SIGKILL')
    writing.destroy()
    expect(await exportText(owner)).to.equal(before)
    await importText(owner, onePageFile('tea', 'next'))
    expect(await exportText(owner)).to.include('"next"')
  })

  it('import mediawiki reports what it read, what it left out and what stayed wikitext', async () => {
    const pages = [
      dumpedPage('Sencha', 'Steamed. {{Tea box}}'),
      dumpedPage('Steamed tea', '#REDIRECT [[Sencha]]', { redirect: 'Sencha' }),
      dumpedPage('Help:Water', 'hot', { ns: 12 }),
    ]
    const xml = folder.write('dump.xml', dump(pages))
    const { status, stderr } = await lecternHere(
      ['import', 'mediawiki', xml, '--no-redirects', '--name', 'Media Wiki'],
      environment,
    )
    expect(stderr).to.include('Redirects left out: 1, first Steamed tea\n')
    expect(stderr).to.include('left out (--namespace imports them): 1, first Help:Water\n')
    expect(stderr).to.include('Template calls')
    expect(stderr).to.match(
      /Read 1 page, 0 categories, 1 edit \(1 new, 0 changed\) in .*\n(.* rendered.*\n)*(To serve|Another Lectern).*\n$/,
    )
    expect(status).to.equal(0)
    expect(await exportText(owner))
      .to.include('"Media Wiki"')
      .and.include('`{{Tea box}}`')
    const more = ['import', 'mediawiki', xml, '--add', '--namespace', 'Help']
    expect((await lecternHere(more, environment)).stderr).to.include(
      'Read 3 pages, 0 categories, 3 edits (2 new, 0 changed)',
    )
    expect(await exportText(owner))
      .to.include('"Media Wiki"')
      .and.include('Help:Water')
  })

  it('import git reads a repository, and nothing of the same commit, except with other options and limits of files', async () => {
    const repository = newRepository()
    const files = { 'matcha.md': '# Matcha\n\n![](cup.png)', 'cup.png': png(4, 3) }
    commit(repository, files, { message: 'first' })
    const named = ['import', 'git', repository, '--source', 'git', '--name', 'Git Wiki']
    const importing = (options: string[] = [], more = {}) =>
      lecternHere([...named, ...options], { ...environment, ...more })
    const first = await importing()
    expect(first.stderr).to.match(/Read 1 page, 0 categories, 1 edit \(1 new, 0 changed\)/)
    expect(await exportText(owner))
      .to.include('"Git Wiki"')
      .and.include('"author":"Ada","comment":"first"')
    const blob = git(repository, ['rev-parse', 'HEAD:matcha.md']).trim()
    rmSync(`${repository}/.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`)
    const { status, stderr } = await importing()
    const told = (text: string) =>
      text.replace(/The name of the wiki was .*\n|.* rendered.*\n|\d new or changed|Read .*/g, '')
    expect(told(stderr)).to.equal(told(first.stderr))
    expect(stderr).to.match(
      /\nRead 0 pages, 0 categories, 0 edits \(nothing new\) in \d+\.\d s: 0 edits\/s\n(To serve|Another Lectern).*\n$/,
    )
    expect(status).to.equal(0)
    expectFailure(await importing(['--locale', 'fr']), 'git')
    expectFailure(await importing([], { FILE_BYTES_MAX: '5000' }), 'git')
  })

  describe('on the embedded database', () => {
    let settings: { DATA_DIR: string }
    let control: string
    before(() => {
      settings = { DATA_DIR: folder.path('embedded') }
      control = `${settings.DATA_DIR}/postgres/global/pg_control`
    })
    /** Imports, expects that it succeeds. @returns what it told, and whether it opened the database */
    const importing = async (args: string[], more = {}) => {
      const before = existsSync(control) && readFileSync(control, 'base64')
      const { status, stderr } = await lecternHere(['import', ...args], { ...settings, ...more })
      expect(status, stderr).to.equal(0)
      return {
        told: stderr.replace(/Read .*|.* rendered.*\n/g, ''),
        isOpened: readFileSync(control, 'base64') !== before,
      }
    }

    it('import git of the same commit does not open it, unless something else has changed; looks for uncommitted files when it is closed; asks a remote repository for its version once', async () => {
      const repository = newRepository()
      commit(repository, { 'matcha.md': '# Matcha\n\n[Sencha](sencha.md)' })
      const [calls, copy] = [folder.path('calls'), folder.path('control')]
      const script = `#!/bin/sh
echo "$*" >> '${calls}'
case "$*" in *' status '*) cp '${control}' '${copy}' ;; esac
PATH='${process.env.PATH}' exec git "$@"
`
      mkdirSync(folder.path('programs'))
      writeFileSync(folder.path('programs/git'), script, { mode: 0o755 })
      const importingGit = (...args: string[]) =>
        importing(['git', ...args], { PATH: `${folder.path('programs')}:${process.env.PATH}` })
      const { told } = await importingGit(repository)
      expect(readFileSync(copy).equals(readFileSync(control)), 'closed').to.equal(true)
      expect(told).to.include('sencha')
      expect(await importingGit(repository)).to.deep.equal({ told, isOpened: false })
      const one = folder.write('one.ndjson', linesOfFile(...recordsOf({ pages: [{ path: 'sencha' }] })))
      await importing(['ndjson', one, '--source', 'other'])
      expect((await importingGit(repository)).told).not.to.include('sencha')
      const remote = [`file://${repository}`, '--ref', 'main', '--source', 'remote', '--adopt']
      expect(await importingGit(...remote)).to.include({ isOpened: true })
      writeFileSync(calls, '')
      expect(await importingGit(...remote.slice(0, -1))).to.include({ isOpened: false })
      expect(readFileSync(calls, 'utf8').match(/ ls-remote /g)).to.have.length(1)
    })

    it('import folder of the same files does not open it, unless one may change again unseen', async () => {
      mkdirSync(folder.path('notes'))
      const file = folder.write('notes/mate.md', '# Mate\n\n[Gyokuro](gyokuro.md)')
      const importingNotes = () => importing(['folder', folder.path('notes'), '--source', 'notes'])
      const setTime = (secondsAgo: number) => {
        const time = Date.now() / 1_000 - secondsAgo
        utimesSync(file, time, time)
      }
      setTime(60)
      const { told } = await importingNotes()
      expect(told).to.include('Recognized').and.include('gyokuro').and.include('Each change of a file')
      const again = told.replace(/^Each change of a file.*\n/m, '')
      expect(await importingNotes()).to.deep.equal({ told: again, isOpened: false })
      // The same size and time.
      const { mtime } = statSync(file)
      writeFileSync(file, '# Mete\n\n[Gyokuro](gyokuro.md)')
      utimesSync(file, mtime, mtime)
      expect(await importingNotes()).to.include({ isOpened: true })
      setTime(-60)
      for (let i = 0; i < 2; i += 1)
        expect(await importingNotes(), 'a time to come').to.include({ isOpened: true })
    })
  })

  it('import says that it would remove most of its source, what it keeps, and what it takes over', async () => {
    await emptyDatabase(owner)
    const importing = (paths: string[], ...options: string[]) => {
      const pages = paths.map((path) => ({ path }))
      const file = folder.write('some.ndjson', linesOfFile(...recordsOf({ pages })))
      return lecternHere(['import', 'ndjson', file, ...options], environment)
    }
    const tea = folder.write(
      'tea.ndjson',
      linesOfFile(...recordsOf({ pages: [{ path: 'sencha' }, { path: 'matcha' }] })),
    )
    await runImport(owner, () => openNdjsonSource(tea), { from: { name: 'main' } })
    expectFailure(
      await importing(['mocha']),
      'The import would remove 2 of 2 live pages of the source "main", because the source no longer has them: matcha (en), sencha (en). Nothing was changed.',
    )
    const kept = await importing(['sencha'], '--keep-missing')
    expect(kept.stderr).to.include(
      '1 live page of the database not in this source, but still public: matcha (en).\n',
    )
    const adopting = await importing(['sencha', 'assam'], '--source', 'same', '--adopt')
    expect(adopting.stderr).to.include('Took over 1 page: sencha (en) of the source "main".\n')
  })

  it('export writes what an import reads, and reports how much', async () => {
    const target = folder.path('out.ndjson')
    const { status, stderr } = await lecternHere(['export', target], environment)
    expect(status).to.equal(0)
    expect(readFileSync(target, 'utf8')).to.equal(await exportText(owner))
    expect(stderr).to.match(/Exported \d+ pages? and \d+ edits? to .*out\.ndjson \(\d+ bytes\)/)
  })

  it('export --public writes what a guest can see, compressed with --gzip', async () => {
    const hidden = { path: 'hidden', state: 'draft' as const, revisions: [{ title: 'kanarienvogel' }] }
    await importText(owner, linesOfFile(...recordsOf({ pages: [hidden] })))
    const target = folder.path('public.dump')
    const { status, stderr } = await lecternHere(['export', '--public', '--gzip', target], {
      ...environment,
      LICENSE_URL: 'https://other.example/',
    })
    expect(status, stderr).to.equal(0)
    const text = gunzipSync(readFileSync(target)).toString()
    expect(text)
      .to.include('"path":"tea"')
      .and.include('"license":"https://other.example/"')
      .and.not.include('kanarienvogel')
    const printed = await lecternHere(['export', '--public', '-'], environment)
    expect(printed.stdout).to.include('"path":"tea"').and.not.include('kanarienvogel')
    expect(printed.stderr).to.match(/^Exported .* to standard output\n$/)
  })
})
