import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { CHECK_BASE } from '../../clients/javascript/src/errors.ts'
import { fileNameOf } from '../../clients/javascript/src/file-names.ts'
import { mirrorFolder } from '../../clients/javascript/src/folder.ts'
import { packagePath } from '../../src/paths.ts'
import { type ChangesServer, type Disturbance, startChangesServer } from '../support/changes-server.ts'
import { importFiles, makeWorldWithFiles, png } from '../support/files.ts'
import { pagesIn } from '../support/mirror-process.ts'
import { withService, withWorld } from '../support/service.ts'
import { itSurvivesKills } from '../support/survives-kills.ts'
import { withTemporaryFolder } from '../support/temporary-folder.ts'
import { runProgram } from './support/program.ts'
import { runPython, startPython } from './support/python.ts'

describe('the Python client', () => {
  const temporary = withTemporaryFolder()
  let server: ChangesServer
  beforeEach(async () => {
    server = await startChangesServer()
  })
  afterEach(() => server.close())

  /** The files of a mirror and its state, with their content. */
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [
        file.slice(folder.length),
        file.endsWith('.json') ? JSON.parse(readFileSync(file, 'utf8')) : readFileSync(file, 'utf8'),
      ])

  for (const transport of ['urllib', 'httpx', 'async']) {
    it(`mirrors through ${transport}, which survives refusals, lost connections and half bodies`, async () => {
      for (let i = 0; i < 30; i += 1) server.put(`page ${i}`, 'x')
      server.retryAfter = '0'
      const all: Disturbance[] = [
        'busy',
        'limited',
        'defect',
        'reset',
        'half',
        'cut',
        'garbage',
        'portal',
        'silence',
      ]
      for (const one of all.slice(0, 5)) server.disturb(one)
      server.disturb('none')
      for (const one of all.slice(5)) server.disturb(one)
      const lines = (await runPython('copy_all.py', [server.api, transport])) as { items: unknown[] }[]
      const reasons = lines.pop()
      expect(lines.flatMap(({ items }) => items)).to.have.length(30)
      expect(lines.at(-1)).to.include({ cursor: '1-30', is_current: true })
      expect(reasons).to.have.length(all.length)
    })

    it(`tells through ${transport} that a cursor is unknown, and what is gone since another one`, async () => {
      server.put('tea', 'a')
      expect(await runPython('copy_all.py', [server.api, transport, '9-1'])).to.deep.equal([
        { unknown: 'bad_parameter' },
        [],
      ])
      server.remove('tea')
      expect(await runPython('copy_all.py', [server.api, transport, '1-1'])).to.deep.equal([
        { items: [['gone', 'tea']], cursor: '1-2', is_current: true },
        [],
      ])
    })
  }

  it('waits as long as Retry-After and RateLimit say', async () => {
    for (let i = 0; i < 20; i += 1) server.put(`page ${i}`, 'x')
    server.disturb('busy', 'limited')
    server.rateLimit = '"default";r=0;t=1'
    await runPython('copy_all.py', [server.api, 'urllib'])
    const times = server.requests.map(({ at }) => at)
    expect(times).to.have.length(4)
    for (const [i, time] of times.slice(1).entries()) expect(time - times[i]!).to.be.at.least(990)
  })

  itSurvivesKills((api, folder) => startPython('follow.py', api, folder))

  it('writes the same folder as the JavaScript client, and goes on with one that it began', async () => {
    for (const path of [
      'tea',
      'tea/green',
      'Чай?',
      '..',
      'x'.repeat(300),
      'a/'.repeat(500),
      'con',
      'é\u007f"\\',
      'half \ud83c of a pair \udf75',
      'half \ud83d of a pair \udf75',
      'a/\0',
      'a/',
    ])
      server.put(path, `Text of\n${path}\r\n🍵`)
    server.put('tea', 'ru', 'ru')
    const folders = [temporary.path('javascript'), temporary.path('python')] as const
    await mirrorFolder({ base: server.api, folder: folders[0] })
    const [batch] = await runPython('once.py', [server.api, folders[1]])
    expect((batch as string[][])[0]).to.have.length(13)
    expect(filesIn(folders[1])).to.deep.equal(filesIn(folders[0]))
    server.put('tea', 'new')
    server.remove('tea/green')
    await mirrorFolder({ base: server.api, folder: folders[1] })
    expect(await runPython('once.py', [server.api, folders[0]])).to.deep.equal([
      [['en/tea.md'], ['en/tea/green.md'], true],
    ])
    expect(filesIn(folders[1])).to.deep.equal(filesIn(folders[0]))
    server.restore()
    await runPython('once.py', [server.api, folders[0]])
    const pages = [...server.pages()].map(([page, text]): [string, string] => [page, text.toWellFormed()])
    expect(await pagesIn(folders[0])).to.deep.equal(new Map(pages))
  })

  it('names files in UTF-8, whatever the locale of the process is', async () => {
    server.put('Чай', 'x')
    const folder = temporary.path('latin')
    const ascii = { LC_ALL: 'C', PYTHONCOERCECLOCALE: '0', PYTHONUTF8: '0' }
    await runPython('once.py', [server.api, folder], '', ascii)
    server.restore()
    server.put('Зелёный', 'x')
    server.remove('Чай')
    await runPython('once.py', [server.api, folder], '', ascii)
    expect(filesIn(folder).map(([file]) => file)).to.deep.equal(['/.mirror.json', '/en/Зелёный.md'])
  })

  it('says at once that a response is not what was asked for, and what an error tells', async () => {
    server.disturb('portal', 'cut', 'none', 'none', 'missing', 'limited')
    server.put('tea', 'x')
    server.retryAfter = '7'
    const [portal, cut, feed, missing, limited] = (await runPython('unexpected.py', [
      server.api,
    ])) as unknown[][]
    expect(portal![0]).to.equal(
      `${server.api}/changes: expected application/json, received a response without Content-Type: '<h1>Please log in</h1>'. ${CHECK_BASE}`,
    )
    expect(portal!.slice(1)).to.deep.equal([null, '<h1>Please log in</h1>'])
    expect(cut!.slice(0, 2)).to.match(/\/changes: expected application\/json.*,application\/json$/)
    expect(feed![0]).to.match(/\/recent\.atom: expected application\/atom\+xml, received application\/json/)
    expect(missing![1]).to.equal(`status 404. ${CHECK_BASE}`)
    expect(limited).to.deep.equal([429, 'x', 7, null, []])
    expect(server.requests).to.have.length(6)
  })

  it('computes the same names of files as the JavaScript client', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('/', '.', ' ', 'Tea', '.md', 'con', 'x'.repeat(150), 'Ω', '\ud800', '\udfff'))
        .map((all) => all.join('')),
    )
    // Each character of the planes that have letters with case, whichever version of Unicode the two programs have.
    const characters = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code)).filter(
      (character) => character.isWellFormed(),
    )
    const every: [string, string, string, boolean][] = []
    for (let at = 0; at < characters.length; at += 10)
      every.push(['en', characters.slice(at, at + 10).join(''), '.md', true])
    const inputs = [...fc.sample(fc.tuple(text, text, fc.constant('.md'), fc.boolean()), 2000), ...every]
    const lines = inputs.map((input) => `${JSON.stringify(input)}\n`).join('')
    const names = inputs.map((input) => fileNameOf(...input))
    expect(await runPython('names.py', [], lines)).to.deep.equal(names)
  })

  it('has types that mypy finds nothing wrong with, strictly', async () => {
    const source = packagePath('clients', 'python', 'src')
    const settings = packagePath('clients', 'python', 'pyproject.toml')
    const values = ['--config-file', settings, '--strict', '--cache-dir=/dev/null']
    const programs = [
      'follow.py',
      'follow_changes.py',
      'events.py',
      'once.py',
      'copy_all.py',
      'operations.py',
      'async_operations.py',
      'unexpected.py',
      'leave.py',
      'cancelled.py',
    ]
    expect(
      await runProgram(
        'python-mirror',
        'mypy',
        [...values, '--python-executable', '/usr/bin/python3', source, ...programs],
        { MYPYPATH: source },
      ),
    ).to.include('no issues found')
  })

  describe('with a service that has files', () => {
    const test = withService({ baseUrl: undefined, wikiAddresses: {} })
    const files = [
      { path: 'images/cup.png', data: png(4, 3) },
      { path: 'Kännchen: "1".png', data: png(5, 3) },
    ]
    const importPages = async (...texts: string[]) => {
      await importFiles(
        { pages: texts.map((markdown, i) => ({ path: `page ${i}`, revisions: [{ markdown }] })) },
        files,
      )
      test.service.invalidate()
    }
    before(() => makeWorldWithFiles({ pages: [] }, []))

    it('writes the same files as the JavaScript client, and removes those that no page has any more', async () => {
      const api = `${test.service.listeningUrl}/api/v1`
      const folders = [temporary.path('javascript-files'), temporary.path('python-files')] as const
      const mirrorBoth = async () => {
        await mirrorFolder({ base: api, folder: folders[0], files: true })
        await runPython('once.py', [api, folders[1], 'files'])
        expect(filesIn(folders[1])).to.deep.equal(filesIn(folders[0]))
        return filesIn(folders[1]).filter(([file]) => String(file).startsWith('/files/'))
      }
      await importPages('![](images/cup.png) ![](<Kännchen: "1".png>)', '![](/images/cup.png)')
      expect(await mirrorBoth()).to.have.length(2)
      await importPages('None.', '![](/images/cup.png)')
      expect(await mirrorBoth()).to.have.length(1)
      await importPages('None.', 'None.')
      expect(await mirrorBoth()).to.have.length(0)
    })
  })

  describe('with a service', () => {
    const test = withService({ cacheSeconds: 0 })
    withWorld(test, {
      pages: ['tea', 'is it?', ...Array.from({ length: 30 }, (_, i) => `page ${i}`)].map((path) => ({
        path,
      })),
    })

    it('has a method for each operation', async () => {
      const api = `${test.service.listeningUrl}/api/v1`
      const { body } = await test.get('/recent?limit=1')
      const [result] = (await runPython('operations.py', [api, body.items[0].id])) as unknown[][]
      const [titles, html, hits, status, code, wrong, patch, feed] = result!
      expect(titles).to.have.length(32)
      expect(html).to.equal('<p>Text of is it?.</p>\n')
      expect(hits).to.equal(20)
      expect([status, code]).to.deep.equal([404, 'not_found'])
      expect(wrong).to.deep.equal([true, ['locale', 'limit'], null, null])
      expect(patch).to.match(/^--- .*\n\+\+\+ .*\n@@ /)
      expect(feed).to.equal('<?xml')
    })

    it('has the same methods for asyncio', async () => {
      const api = `${test.service.listeningUrl}/api/v1`
      const { body } = await test.get('/recent?limit=1')
      const [result] = (await runPython('async_operations.py', [api, body.items[0].id])) as unknown[][]
      const [titles, hits, html, patch, missing, closed, leftOpen] = result!
      expect(titles).to.have.length(32)
      expect([hits, html]).to.deep.equal([20, '<p>Text of is it?.</p>\n'])
      expect(patch).to.match(/^--- .*\n\+\+\+ .*\n@@ /)
      expect([missing, closed, leftOpen]).to.deep.equal([404, true, true])
    })
  })
})
