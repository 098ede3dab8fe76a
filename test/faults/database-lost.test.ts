import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import pg from 'pg'
import { makePool } from '../../src/db/pool.ts'
import { lectern as command } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { type Lectern, type LecternResponse, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startWiki } from './support/postgres.ts'

/** Requested before a fault, so that the response is cached. */
const CACHED = '/pages/sencha?locale=en'
let uncachedPaths = 0
/** A path that was not requested before. */
const uncached = () => `/pages?after=${uncachedPaths++}`

const times = <Result>(count: number, run: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, run))

describe('database that is lost', () => {
  let postgres: Postgres
  let lectern: Lectern
  let logStart = 0

  before(async () => {
    postgres = await startWiki()
    lectern = await startLectern({ DATABASE_URL: postgres.url, LOG_LEVEL: 'info' })
  })
  after(async () => {
    await lectern?.stop()
    await postgres?.remove()
  })
  beforeEach(async () => {
    await untilServed()
    expect((await lectern.get(CACHED)).status).to.equal(200)
    logStart = lectern.logged().length
  })

  const untilServed = () =>
    until('an uncached request gets 200', async () => (await lectern.get(uncached())).status === 200)
  const untilReady = async () =>
    takesAtMost(
      2000,
      '/ready responds with 200 when the database is back',
      await until('/ready responds with 200', async () => (await lectern.ready()).status === 200),
    )

  /** Lines of the log since the test began. */
  const logged = (
    pattern: RegExp,
  ): { msg: string; err?: { code?: string; message: string; stack?: string; statement?: string } }[] =>
    lectern
      .logged()
      .slice(logStart)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => JSON.parse(line))

  const expectUnavailable = ({ status, headers, text, ms }: LecternResponse, most: number, what: string) => {
    expect(status).to.equal(503)
    expect(Number(headers.get('retry-after'))).to.be.at.least(1)
    expect(JSON.parse(text).error.code).to.equal('unavailable')
    takesAtMost(most, `503 from a ${what} database`, ms)
  }

  for (const mode of ['fast', 'immediate'] as const) {
    it(`stopped (${mode}): responds with 503 and Retry-After within 1 s, serves cached responses, recovers within 2 s`, async () => {
      await postgres.stop(mode)
      for (const response of await times(40, () => lectern.get(uncached())))
        expectUnavailable(response, 1000, 'stopped')
      expect((await lectern.get(CACHED)).status).to.equal(200)
      expect((await lectern.live()).status).to.equal(200)
      for (const ready of await times(5, () => lectern.ready())) {
        expect(ready.status).to.equal(503)
        expect(JSON.parse(ready.text).reason).to.match(
          /^No database can be read from \(primary: .*\b(terminat|ECONN)/,
        )
      }
      await postgres.start()
      takesAtMost(2000, 'a stopped database is back, and a request gets 200', await untilServed())
      await untilReady()
      expect(lectern.isRunning()).to.equal(true)
      await until('the change is logged', () => logged(/Ready again/).length > 0)
      const changes = logged(/Lost a database server|Not ready|Ready again/)
      expect(changes.map(({ msg }) => msg)).to.deep.equal([
        'Lost a database server',
        'Not ready',
        'Ready again',
      ])
      const { code, message } = changes[0]!.err!
      expect(`${code} ${message}`).to.match(
        mode === 'fast'
          ? /^57P01 terminating connection due to administrator/
          : /Connection terminated unexpectedly$/,
      )
      expect(changes[0]!.err).not.to.have.property('stack')
    })
  }

  it('stopped: browsers get pages, which say where the wiki itself is missing; programs get JSON', async () => {
    const open = async (path: string, Accept = 'text/html') => {
      const response = await fetch(new URL(path, lectern.url), { headers: { Accept } })
      return { ...response, status: response.status, headers: response.headers, text: await response.text() }
    }
    await postgres.stop('fast')
    try {
      // Until then, the languages are known, without which no parameter is read.
      await until('all is forgotten', async () => (await open('/api/v1/pages?limit=0')).status === 503)
      const statuses = {
        ...{ '/': 200, '/api/v1/docs': 200, '/api/v1/docs/guide': 200, '/nope': 404 },
        ...{ '/wiki/en/Home': 503, '/api/v1/docs/reader?q=tea': 503 },
      }
      for (const [path, expected] of Object.entries(statuses)) {
        const { status, headers, text } = await open(path)
        expect(status, path).to.equal(expected)
        expect(headers.get('content-type'), path).to.equal('text/html; charset=utf-8')
        expect(text, path).to.include('class="site-header"')
        if (status === 503) {
          expect(Number(headers.get('retry-after')), path).to.be.at.least(1)
          expect(text).to.include('Its database cannot be read. Try again in a few seconds.')
        }
        const caching = { 200: 'public, max-age=0', 503: 'no-store' }[status] ?? 'public, max-age=10'
        expect(headers.get('cache-control'), path).to.equal(caching)
      }
      expect(JSON.parse((await open('/api/v1/pages?after=x')).text).error.code).to.equal('unavailable')
      expect(JSON.parse((await open('/api/v1/openapi.json')).text).openapi).to.match(/^3/)
    } finally {
      await postgres.start()
    }
    await untilReady()
    expect((await open('/wiki/en/Home')).text).not.to.include('Its database cannot be read')
  })

  it('its role may read drafts: responds with 503, and the log says so once, not that it is available again', async () => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const rights = 'usage on schema wiki'
    await client.query(`grant ${rights} to lectern_reader; grant select on wiki.revision to lectern_reader`)
    try {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
      )
      const refusals = () => logged(/may use the schema wiki.*Lost a database server/)
      await until('the refusal', async () => {
        expect((await lectern.get(uncached())).status).to.equal(503)
        return refusals().length > 0
      })
      // The connection that sends heartbeats was ended, too, and may tell so first.
      await until('30 requests add nothing to the log', async () => {
        const start = lectern.logged().length
        for (let n = 0; n < 30; n++) expect((await lectern.get(uncached())).status).to.equal(503)
        return !/available again|Lost a/.test(lectern.logged().slice(start))
      })
      expect(refusals()).to.have.length(1)
    } finally {
      await client.query(
        `revoke ${rights} from lectern_reader; revoke select on wiki.revision from lectern_reader`,
      )
      await client.end()
    }
    await untilServed()
  })

  for (const table of ['%', 'revision', 'wiki'])
    it(`slow: ${table} is locked: /ready responds with 503 within 2 s; timeouts are counted, and logged with route and statement`, async () => {
      const timeouts = async () => {
        const metrics = await fetch(`${lectern.internalUrl}/metrics`)
        return Number(
          /errors_total\{server="primary",reason="timeout"\} (\d+)/.exec(await metrics.text())![1],
        )
      }
      const before = await timeouts()
      const client = new pg.Client({ connectionString: postgres.url })
      await client.connect()
      await client.query(`begin; do $$ declare t text; begin
      for t in select tablename from pg_tables where schemaname = 'wiki' and tablename like '${table}' loop
        execute format('lock table wiki.%I in access exclusive mode', t);
      end loop; end $$`)
      try {
        // A result of the last second shows that the database responds.
        await until('/ready responds with 503', async () => (await lectern.ready()).status === 503)
        for (const { status, text, ms } of await times(5, () => lectern.ready())) {
          expect(status).to.equal(503)
          expect(JSON.parse(text).reason).to.equal(
            'No page can be read within a second: the database is slow or locked.',
          )
          takesAtMost(2000, '/ready responds with 503 while the database is slow', ms)
        }
        if (table === 'revision' || table === 'wiki') return // which some requests do without
        for (const response of await times(5, () => lectern.get(uncached())))
          expectUnavailable(response, 3500, 'slow')
        expect(await timeouts()).to.be.above(before)
        expect(logged(/Lost a database server/)).to.deep.equal([])
        const failures = () => logged(/57014.*A request failed/)
        await until(
          'a failure is in the log, which may arrive after the responses',
          () => failures().length > 0,
        )
        expect(failures()[0])
          .to.include({ route: 'pages' })
          .and.have.nested.property('err.statement')
          .that.is.oneOf(['wiki', 'pages_after', 'revisions_with_page'])
      } finally {
        await client.end()
      }
      await untilReady()
    })

  it('frozen: responds with 503 and Retry-After within 3.5 s, serves cached responses, recovers within 2 s', async () => {
    postgres.freeze()
    try {
      const requests = times(40, () => lectern.get(uncached()))
      expect((await lectern.get(CACHED)).status).to.equal(200)
      expect((await lectern.live()).status).to.equal(200)
      const noticed = await until(
        '/ready responds with 503',
        async () => (await lectern.ready()).status === 503,
      )
      takesAtMost(2500, '/ready responds with 503 while the database is frozen', noticed)
      for (const response of await requests) expectUnavailable(response, 3500, 'frozen')
      expectUnavailable(await lectern.get(uncached()), 3500, 'frozen')
      expect((await lectern.get(CACHED)).status).to.equal(200)
    } finally {
      postgres.thaw()
    }
    takesAtMost(2000, 'a frozen database is back, and a request gets 200', await untilServed())
    await untilReady()
  })

  it('20 statements wait for one of 10 connections, at most 500 ms; further statements fail at once', async () => {
    const pool = makePool({
      config: () => ({ connectionString: postgres.url }),
      prepares: true,
      onConnect: async () => {},
      limits: { size: 10, lifetime: () => 60_000 },
      queryTimeout: 2750,
    })
    let ended = 0
    const failure = async () => {
      const startedAt = performance.now()
      const error = await pool.query({ name: 'one', text: 'select 1' }, []).catch((thrown: unknown) => thrown)
      ended += 1
      return { error, ms: performance.now() - startedAt }
    }
    await times(10, () => pool.query({ name: 'nap', text: 'select pg_sleep(0.1)' }, []))
    expect(pool.counts()).to.deep.equal({ total: 10, idle: 10, queued: 0 })
    postgres.freeze()
    try {
      const failing = times(100, failure)
      expect(pool.counts().queued).to.equal(20)
      await new Promise((resolve) => setImmediate(resolve))
      expect(ended, 'fail at once').to.equal(70)
      const failures = await failing
      const shed = failures.filter(({ error }) => error instanceof Unavailable)
      const timedOut = failures.filter(({ error }) => !(error instanceof Unavailable))
      expect(shed).to.have.length(90)
      expect(timedOut.map(({ error }) => (error as Error).message)).to.deep.equal(
        Array(10).fill('Connection terminated'),
      )
      const waited = shed.map(({ ms }) => ms).sort((a, b) => a - b)
      expect(waited[70]).to.be.at.least(450)
      takesAtMost(1500, 'a statement waits for a connection in vain', waited.at(-1)!)
    } finally {
      postgres.thaw()
      await pool.close()
    }
  })

  it('connections that the server ends, idle or in use, do not end the process', async () => {
    await times(10, () => lectern.get(uncached()))
    await postgres.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lectern reader'",
    )
    takesAtMost(2000, 'all connections ended, and a request gets 200', await untilServed())
    await untilReady()
    expect(lectern.isRunning()).to.equal(true)
  })

  const nameOfWiki = async () => JSON.parse((await lectern.get('/')).text).name

  it('a change that was written while Lectern was stopped shows as soon as Lectern runs again', async () => {
    expect(await nameOfWiki()).not.to.equal('Renamed meanwhile')
    process.kill(lectern.pid, 'SIGSTOP')
    await postgres.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lectern reader'",
    )
    await postgres.query("update wiki.wiki set name = 'Renamed meanwhile'")
    process.kill(lectern.pid, 'SIGCONT')
    takesAtMost(
      3000,
      'a change shows, after the service was frozen and its connections ended',
      await until('the new name shows', async () => (await nameOfWiki()) === 'Renamed meanwhile'),
    )
  })

  it('a right of the reader role is withdrawn: requests and /ready get 503, and /ready names the right and the command', async () => {
    await postgres.query('revoke select on guest.file from lectern_reader')
    expectUnavailable(await lectern.get(`/files?after=${uncached().slice(-1)}`), 1000, 'narrowed')
    await until('/ready responds with 503', async () => (await lectern.ready()).status === 503)
    expect(JSON.parse((await lectern.ready()).text).reason).to.equal(
      'lectern_reader lacks select on guest.file: run `lectern migrate` with the DATABASE_URL of the owner in the environment.',
    )
    expect((await command(['migrate'], { DATABASE_URL: postgres.url })).status).to.equal(0)
    await untilReady()
  })

  it('without the newest migration, as after the restore of an old backup: responds with 503, and the log names the command; with a newer schema: is served', async () => {
    const note = async (number: number) => {
      await postgres.query(`comment on schema guest is 'Lectern, migration ${number}'`)
    }
    await note(0)
    await until('/ready responds with 503', async () => (await lectern.ready()).status === 503)
    expect(JSON.parse((await lectern.ready()).text).reason).to.include('run `lectern migrate`')
    for (const response of await times(5, () => lectern.get(uncached())))
      expectUnavailable(response, 1000, 'not migrated')
    expect((await lectern.get(CACHED)).status).to.equal(200)
    await until('the log names the command', () => lectern.logged().includes('run `lectern migrate`'))
    expect((await command(['migrate'], { DATABASE_URL: postgres.url })).status).to.equal(0)
    takesAtMost(2000, 'a migration ended, and a request gets 200', await untilServed())
    await untilReady()
    await note(9999)
    await postgres.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lectern reader'",
    )
    await untilServed()
    await untilReady()
  })
})
