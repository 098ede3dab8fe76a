import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openEmbeddedDatabase } from '@lectern/embedded/embedded'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { expect } from 'chai'
import pg from 'pg'
import { followedSources } from '../src/db/followed-sources.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { runImport } from '../src/write/run-import.ts'
import { endProcesses, environmentOf, lectern, lecternHere, serviceUrl, start } from './support/cli.ts'
import { copyTemplate, MIGRATED, type TemporaryDatabase } from './support/database.ts'
import { commit, git, newRepository } from './support/git.ts'
import { linesOfFile } from './support/importing.ts'
import { FakeMediawiki } from './support/mediawiki-api.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'
import { until } from './support/until.ts'
import { recordsOf } from './support/world.ts'

const wikiOf = (...paths: string[]): string =>
  linesOfFile(...recordsOf({ pages: paths.map((path) => ({ path })) }))

/** Whether the process that has opened the database accepts no new connection, because it ends. */
const isRefused = async ({ host, port }: { host: string; port: number }): Promise<boolean> => {
  const client = new pg.Client({ host, port, user: 'postgres', database: 'postgres' })
  return client.connect().then(
    () => client.end().then(() => false),
    ({ code }) => code === '57P03',
  )
}

const IS_EMBEDDED = process.env.LECTERN_TEST_DATABASE_URL === undefined

describe('lectern serve <source> and lectern follow', () => {
  const folder = withTemporaryFolder()
  let database: TemporaryDatabase
  let environment: Record<string, string>

  beforeEach(async () => {
    database = await copyTemplate(MIGRATED)
    environment = { ...environmentOf(database.place), PORT: '0', INTERNAL_PORT: '0', HOST: '127.0.0.1' }
  })
  afterEach(async () => {
    await endProcesses()
    await database.remove()
  })

  const pathsAt = async (url: string): Promise<string[]> => {
    const response = await fetch(`${url}/pages?limit=200`, { headers: { 'Cache-Control': 'no-cache' } })
    return ((await response.json()) as { items: { path: string }[] }).items.map(({ path }) => path)
  }

  it('imports a git repository into a new database, serves it, and shows new commits; a second start serves what it has while the source cannot be reached, and continues; one without the source warns', async () => {
    if (IS_EMBEDDED) environment.DATA_DIR = folder.path('new')
    const repository = folder.path("tea's docs")
    renameSync(newRepository(), repository)
    const draft = { 'draft.md': '---\ndraft: true\n---\n' }
    commit(repository, {
      'sencha.md': '# Sencha',
      'matcha.md': '# Matcha',
      'mate.md': `[gone](gone.md) ${'long '.repeat(99)}`,
      ...draft,
    })
    commit(repository, { 'empty.md': '' })
    writeFileSync(join(repository, 'sencha.md'), '# Not committed')
    const service = start(['serve', repository, '--every', '1h'], environment)
    const url = await serviceUrl(service)
    expect(service.printed()).to.include('The source is a git repository.')
    expect(service.printed()).to.match(/^Read 5 pages \(1 hidden draft\), /m)
    expect(service.printed(), 'a page with text').to.include("/pages/mate?locale=en'")
    expect(service.printed()).to.include(`The wiki: ${url.replace('/api/v1', '/wiki/')}\n`)
    await until('it tells', () =>
      service.logged().includes('Changes of 1 file are not shown until you commit them: sencha.md.'),
    )
    expect(service.printed()).to.match(/^1 link to pages that do not exist: gone in mate\.$/m)
    expect(service.printed()).not.to.include('sample')
    expect(await pathsAt(url)).to.deep.equal(['empty', 'matcha', 'mate', 'sencha'])
    commit(repository, { 'assam.md': '# Assam [a](lost.md)\n\n%%a%%', 'mate.md': null, LICENSE: 'x' })
    await until('the commit', async () => (await pathsAt(url)).join() === 'assam,empty,matcha,sencha')
    await until('its link', () =>
      service.logged().includes('"1 link to pages that do not exist: lost in assam."'),
    )
    await until('the warning', () => /"level":"warn"[^\n]*"edits with %%/.test(service.logged()))
    commit(repository, {
      'assam.md': '# Assam again [m](x/Matcha.md)',
      'chai.md': '[[x/Matcha]]',
      'x/Matcha.md': 'x',
    })
    await until(
      'two imports',
      () => service.logged().match(/"commit":"[0-9a-f]{12}"[^\n]*"msg":"imported"/g)?.length === 2,
    )
    commit(repository, { 'x/Matcha.md': null })
    await until('the links that they broke', () =>
      service.logged().includes('"2 links to pages that do not exist: x/Matcha in assam, x/Matcha in chai."'),
    )
    git(repository, ['checkout', '-qb', 'other'])
    commit(repository, { 'assam.md': '# Assam of the branch' })
    await until('the branch', () =>
      service
        .logged()
        .includes('The branch other is checked out, and no longer main: the wiki has its pages now.'),
    )
    git(repository, ['checkout', '-q', 'main'])
    await until('the branch before', () => service.logged().includes('--ref other follows that branch only'))
    expect(service.logged().match(/set --license to its URL/g), 'what is known').to.have.length(1)
    expect(service.logged(), 'what is known').to.not.include('Recognized')
    commit(repository, { 'mkdocs.yml': 'docs_dir: .' })
    await until('another layout', () => service.logged().includes('Recognized MkDocs'))
    service.process.kill('SIGTERM')
    expect((await service.ended).status).to.equal(0)

    commit(repository, { 'oolong.md': '# Oolong' })
    renameSync(repository, `${repository} away`)
    const second = start(['serve', repository, '--every', '1s'], environment)
    const again = await serviceUrl(second)
    expect(second.printed()).not.to.match(/^Read /m)
    expect(await pathsAt(again))
      .to.include('assam')
      .and.not.include('oolong')
    await until('the warning', () => second.logged().includes('The source cannot be followed now'))
    const failing = await lecternHere(['check'], environment)
    expect(failing.stdout).to.match(/source main +Following it has failed for .*does not exist/)
    renameSync(`${repository} away`, repository)
    await until('the recovery', () => second.logged().includes('The source can be followed again'))
    await until('the commit', async () => (await pathsAt(again)).includes('oolong'))
    expect(second.logged()).not.to.include('not followed')
    commit(repository, { 'assam.md': null, 'chai.md': null, 'matcha.md': null, 'oolong.md': null })
    await until('the warning', () => /"level":"warn"[^\n]*"4 of 6 pages were deleted/.test(second.logged()))
    second.process.kill('SIGTERM')
    await second.ended

    const without = start(['serve'], environment)
    await serviceUrl(without)
    const internal = without.printed().match(/(http:\S+)\/graphql/)![1]!
    const { sources } = (await (await fetch(`${internal}/ready`)).json()) as { sources: object[] }
    expect(sources)
      .to.have.length(1)
      .and.property('0')
      .to.include.keys('checked_seconds_ago', 'ended_seconds_ago')
    const metrics = await (await fetch(`${internal}/metrics`)).text()
    expect(metrics).to.match(/^lectern_source_checked_age_seconds\{source="main"\} \d/m)
    const checked = await lecternHere(['check'], environment)
    expect(checked.stdout).to.match(/source main +Its follower ended \d+ s ago \(last checked \d+ s ago\)/)

    // On a server, a guest does not see where the source is.
    const warnings = without.logged().match(/imported from .*, which is not followed now.* serve .*(?=")/g)
    const quoted = JSON.stringify(`serve '${repository.replace("'", "'\\''")}'`).slice(1, -1)
    if (IS_EMBEDDED)
      expect(warnings)
        .to.have.length(1)
        .and.property('0')
        .to.match(/ DATA_DIR=\S.* serve /)
        .and.include(quoted)
    else expect(without.logged()).to.match(/"source":"main","endedSecondsAgo":\d+,"msg":"This source is not/)

    // An import without a follower retires it.
    without.process.kill('SIGTERM')
    await without.ended
    expect((await lecternHere(['import', 'git', repository], environment)).status).to.equal(0)
    const owner = await openDatabase(database.place, 'owner')
    expect(await followedSources(owner).finally(() => owner.close())).to.deep.equal([])
  })

  it('imports a folder, serves it, and shows each change; the follower starts again if it ends, and ends with the service', async () => {
    const notes = folder.path("Ada's notes")
    mkdirSync(notes)
    folder.write("Ada's notes/sencha.md", '# Sencha')
    folder.write("Ada's notes/matcha.md", '# Matcha')
    const service = start(['serve', notes, '--every', '1h'], environment)
    const url = await serviceUrl(service)
    expect(service.printed()).to.include('The source is a folder.')
    expect(await pathsAt(url)).to.deep.equal(['matcha', 'sencha'])
    folder.write("Ada's notes/assam.md", '# Assam')
    await until('the new file', async () => (await pathsAt(url)).join() === 'assam,matcha,sencha')
    rmSync(folder.path("Ada's notes/matcha.md"))
    await until('the end of the file', async () => (await pathsAt(url)).join() === 'assam,sencha')
    const owner = await openDatabase(database.place, 'owner')
    const html = { name: 'test_html', text: 'select html from guest.page_html' }
    await until('the HTML', async () => (await owner.query(html, [])).length === 2)
    await owner.close()
    for (const name of ['assam', 'sencha']) rmSync(folder.path(`Ada's notes/${name}.md`))
    await until('the warning', () => service.logged().includes('contains no Markdown files'))
    folder.write("Ada's notes/other.md", '# Other')
    await until('the error', () => service.logged().includes('would remove 2 of 2 live pages'))
    expect(await pathsAt(url)).to.deep.equal(['assam', 'sencha'])
    const quoted = `'${notes.replace("'", "'\\''")}'`
    const advice = JSON.stringify(` import folder ${quoted} --source main --yes\``).slice(1, -1)
    expect(service.logged()).to.include(advice).and.not.include('`lectern import')
    const confirmed = ['import', 'folder', notes, '--source', 'main', '--yes']
    expect(await lecternHere(confirmed, environment)).to.include({ status: 0 })
    folder.write("Ada's notes/another.md", '# Another')
    await until('the recovery', () => service.logged().includes('The source can be followed again'))
    expect(service.printed() + service.logged()).to.not.match(/"stack"|^\s+at /m)
    const followers = () => {
      const lines = service.logged().matchAll(/"pid":(\d+)[^\n]*"msg":"(?:following|waiting: )/g)
      return [...new Set([...lines].map(([, pid]) => Number(pid)))] // one that waits first has two lines
    }
    await until('the follower', () => followers().length === 1)
    process.kill(followers()[0]!, 'SIGKILL')
    await until('another follower', () => followers().length === 2)
    service.process.kill('SIGKILL')
    await until('the end of the follower', () => {
      try {
        process.kill(followers()[1]!, 0)
        return false
      } catch {
        return true
      }
    })
  })

  if (IS_EMBEDDED)
    it('a service beside a follower takes over the embedded database when the follower ends, and logs why, without a stack', async () => {
      const file = folder.write('wiki.ndjson', wikiOf('sencha'))
      const follower = start(['follow', file, '--every', '1h'], environment)
      await until('the follower', () => follower.logged().includes('"msg":"following"'))
      const service = start(['serve'], environment)
      const url = await serviceUrl(service)
      expect(service.logged()).not.to.include('not followed')
      follower.process.kill('SIGTERM')
      await follower.ended
      expect(follower.logged()).to.match(/"source":"main","signal":"SIGTERM","msg":"stopping"}\n$/)
      await until('the end of the loss', () => service.logged().includes('is available again'))
      const [loss] = service.logged().match(/.*Lost a database server.*/)!
      expect(loss).to.include(
        'the process that had opened the embedded database ends; another one opens it now',
      )
      expect(loss).not.to.include('"stack"')
      expect(await pathsAt(url)).to.deep.equal(['sencha'])
    })

  if (IS_EMBEDDED)
    it('a service starts while the process that has opened the embedded database ends', async () => {
      const before = await openEmbeddedDatabase(database.place.dataDir)
      const client = new pg.Client({
        host: before.host,
        port: before.port,
        user: 'postgres',
        database: 'postgres',
      })
      client.on('error', () => {}) // it is ended after its transaction
      await client.connect()
      const wiki = new FakeMediawiki()
      wiki.pages = [{ id: 1, title: 'Sencha', revisions: [{ id: 1, text: 'Tea' }] }]
      await wiki.start()
      // The follower has read the database when it asks the source. Then no new connection is accepted until `commit`.
      let closed: Promise<void> | undefined
      const end = async () => {
        await client.query('begin')
        closed = before.close()
        await until('the refusal', () => isRefused(before))
      }
      let ending: Promise<void> | undefined
      const proxy = createServer(async ({ url }, response) => {
        ending ??= end()
        await ending
        const answer = await fetch(wiki.url + url)
        const type = answer.headers.get('content-type') ?? ''
        response.writeHead(answer.status, { 'content-type': type }).end(await answer.text())
      })
      proxy.listen(0, '127.0.0.1')
      await once(proxy, 'listening')
      const { port } = proxy.address() as AddressInfo
      const service = start(['serve', `http://127.0.0.1:${port}/w/api.php`, '--every', '1h'], environment)
      await until('the source is read', () => wiki.requests.length > 0)
      await client.query('commit')
      expect(await pathsAt(await serviceUrl(service))).to.deep.equal(['Sencha'])
      await closed
      proxy.close()
      await wiki.stop()
    })

  it('checks the source at once on POST /follow; /ready, /metrics and check tell its age; with LOG_FORMAT=json, or with output and errors in one file, prints nothing but records, also of the first import', async () => {
    if (IS_EMBEDDED) environment.DATA_DIR = folder.path('json')
    const file = folder.write('wiki.ndjson', wikiOf('sencha'))
    const secret = 'a long enough secret'
    const service = start(['serve', file, '--every', '1h'], {
      ...environment,
      LOG_FORMAT: 'json',
      BASE_URL: 'https://api.wiki.example/api/v1',
      FOLLOW_SECRET: secret,
      HOST: '',
      WORKERS: '2',
    })
    await until('it tells its settings', () => service.logged().includes('"msg":"settings"'))
    const records = service
      .logged()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    const [warning, importing, imported] = records
    expect(warning.msg).to.include('clients share one rate limit. Set TRUSTED_PROXIES to')
    expect(records.map(({ msg }) => msg).join()).to.include('To prevent that, set HOST=127.0.0.1')
    const { settings } = records.find(({ msg }) => msg === 'settings')
    expect(settings)
      .to.include('LOG_FORMAT=json  (environment)')
      .and.include('FOLLOW_SECRET=…  (environment)')
    expect(importing).to.include({ msg: 'importing', source: 'main', location: file })
    expect(imported).to.include({ msg: 'imported', source: 'main', pages: 1 })
    expect(imported).to.not.have.any.keys('changedRevisions', 'deletedPages')
    expect(service.printed(), 'beside the log').to.equal('')
    const { listeningUrl, internalUrl } = records.find(({ msg }) => msg === 'serving')
    const readiness = async () => (await fetch(`${internalUrl}/ready`)).json()
    await until('the first check', async () => {
      const { sources } = (await readiness()) as { sources?: { checked_seconds_ago: number | null }[] }
      return sources?.[0]?.checked_seconds_ago != null
    })
    expect((await fetch(`${internalUrl}/follow`, { method: 'POST' })).status).to.equal(401)
    folder.write('wiki.ndjson', wikiOf('sencha', 'matcha'))
    const headers = { Authorization: `Bearer ${secret}` }
    expect((await fetch(`${internalUrl}/follow`, { method: 'POST', headers })).status).to.equal(202)
    await until(
      'the change',
      async () => (await pathsAt(`${listeningUrl}/api/v1`)).join() === 'matcha,sencha',
    )
    const metrics = await (await fetch(`${internalUrl}/metrics`)).text()
    expect(metrics).to.match(/^lectern_source_checked_age_seconds\{source="main"\} \d/m)
    expect(metrics).to.match(/^lectern_source_failing_seconds\{source="main"\} 0$/m)
    const { stdout } = await lecternHere(['check'], environment)
    expect(stdout).to.match(/source main +up to date, last checked \d+ s ago/)
    const joined = await start(['follow', '/nowhere'], environment, { shell: { after: '2>&1' } }).ended
    expect(JSON.parse(joined.stdout).msg).to.include('does not exist')
    expect(joined.status).to.equal(1)
  })

  it('serve: SIGTERM during the first import ends it with status 0', async () => {
    const silent = createServer().listen(0, '127.0.0.1') // accepts the request of the follower, and waits
    try {
      await once(silent, 'listening')
      const asked = once(silent, 'request')
      const source = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/wiki.git`
      const service = start(['serve', source], environment)
      await Promise.race([asked, service.ended])
      service.process.kill('SIGTERM')
      const { status, signal, stderr } = await service.ended
      expect([status, signal], stderr).to.deep.equal([0, null])
      expect(stderr).not.to.match(/could not be imported|unsettled/)
    } finally {
      silent.close()
      silent.closeAllConnections()
    }
  })

  it('follow stops before it adds a source whose pages are those of another one, and names that one; serve ends if the first import fails, as of another source under the same name', async () => {
    const owner = await openDatabase(database.place, 'owner')
    try {
      const one = folder.write('one.ndjson', wikiOf('sencha', 'matcha', 'assam'))
      await runImport(owner, () => openNdjsonSource(one), { from: { name: 'tea' } })
      const followed = await lectern(['follow', one], environment)
      expect(followed.stderr).to.match(
        /^lectern: Of 3 pages, the source "tea" .* already has 3\. .* use --source tea\. /m,
      )
      expect(followed.status).to.equal(1)
      const sources = await owner.query<{ name: string }>(
        { name: 'names', text: 'select name from wiki.source' },
        [],
      )
      expect(sources).to.deep.equal([{ name: 'tea' }])
      const other = folder.write('other.ndjson', wikiOf('oolong'))
      const { status, stderr } = await lectern(['serve', other, '--source', 'tea'], environment)
      expect(status).to.equal(1)
      expect(stderr).to.match(/^lectern: The import would remove 3 of 3 live pages .*--source/m)
      expect(stderr).to.include('the service does not start')
      const wrong = folder.write('wrong.ndjson', '{"type":"page"}')
      expect((await lectern(['follow', wrong], environment)).stderr).to.include('Line 1')
      const [source] = await followedSources(owner)
      expect(source).to.include({ name: 'main', checkedAgo: null })
      expect([source!.failingFor, source!.endedAgo]).to.not.include(null)
    } finally {
      await owner.close()
    }
  })

  it('serve: says that there is no such commit before it creates a database', async () => {
    const DATA_DIR = folder.path('untouched')
    const repository = newRepository()
    commit(repository, { 'tea.md': 'Tea' })
    const settings = { DATA_DIR, PORT: '0', INTERNAL_PORT: '0' }
    const { status, stderr } = await lecternHere(['serve', repository, '--ref', 'mian'], settings)
    expect([status, existsSync(DATA_DIR)]).to.deep.equal([1, false])
    expect(stderr).to.match(/^lectern: mian is not a commit of [^\n]*, such as main\.\n$/)
  })
})
