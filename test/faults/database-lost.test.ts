import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { makePool } from '../../src/db/pool.ts'
import { Unavailable } from '../../src/errors.ts'
import { lectern as command } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { type Lectern, type LecternResponse, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startWiki } from './support/postgres.ts'

/** Asked for before a fault, so that it is kept. */
const KEPT = '/pages/sencha?locale=en'
let asked = 0
/** Never asked for before. */
const uncached = () => `/pages?after=${asked++}`

const several = <Result>(number: number, one: () => Promise<Result>) =>
  Promise.all(Array.from({ length: number }, one))

describe('a lost database', () => {
  let postgres: Postgres
  let lectern: Lectern

  before(async () => {
    postgres = await startWiki()
    lectern = await startLectern({ DATABASE_URL: postgres.url })
  })
  after(async () => {
    await lectern?.stop()
    await postgres?.remove()
  })
  beforeEach(async () => {
    await back()
    expect((await lectern.get(KEPT)).status).to.equal(200)
  })

  const back = () =>
    until('an uncached request is answered', async () => (await lectern.get(uncached())).status === 200)
  const readyAgain = () => until('/ready says 200', async () => (await lectern.ready()).status === 200, 2000)

  const expectUnavailable = ({ status, headers, text, ms }: LecternResponse, most: number, what: string) => {
    expect(status).to.equal(503)
    expect(Number(headers.get('retry-after'))).to.be.at.least(1)
    expect(JSON.parse(text).error.code).to.equal('unavailable')
    takesAtMost(most, `503 from a ${what} database`, ms)
  }

  for (const mode of ['fast', 'immediate'] as const) {
    it(`stopped (${mode}): 503 with Retry-After within 1 s, kept answers go on, back within 2 s`, async () => {
      await postgres.stop(mode)
      for (const answer of await several(40, () => lectern.get(uncached())))
        expectUnavailable(answer, 1000, 'stopped')
      expect((await lectern.get(KEPT)).status).to.equal(200)
      expect((await lectern.live()).status).to.equal(200)
      expect((await lectern.ready()).status).to.equal(503)
      await postgres.start()
      takesAtMost(2000, "an answer after a stopped database's return", await back())
      await readyAgain()
      expect(lectern.isRunning()).to.equal(true)
    })
  }

  it('frozen: 503 with Retry-After within 3.5 s, kept answers go on, back within 2 s', async () => {
    postgres.freeze()
    try {
      const waiting = several(40, () => lectern.get(uncached()))
      expect((await lectern.get(KEPT)).ms).to.be.below(1000)
      expect((await lectern.live()).status).to.equal(200)
      const noticed = await until('/ready says 503', async () => (await lectern.ready()).status === 503)
      takesAtMost(2500, '/ready says 503 of a frozen database', noticed)
      for (const answer of await waiting) expectUnavailable(answer, 3500, 'frozen')
      expectUnavailable(await lectern.get(uncached()), 3500, 'frozen')
      expect((await lectern.get(KEPT)).status).to.equal(200)
    } finally {
      postgres.thaw()
    }
    takesAtMost(2000, "an answer after a frozen database's return", await back())
    await readyAgain()
  })

  it('20 statements wait for one of 10 connections, 500 ms at most; more are refused at once', async () => {
    const pool = makePool({
      config: () => ({ connectionString: postgres.url }),
      prepares: true,
      onConnect: async () => {},
      limits: { size: 10, lifetime: () => 60_000 },
      queryTimeout: 2750,
    })
    const failure = async () => {
      const began = performance.now()
      const error = await pool.query({ name: 'one', text: 'select 1' }, []).catch((thrown: unknown) => thrown)
      return { error, ms: performance.now() - began }
    }
    await several(10, () => pool.query({ name: 'nap', text: 'select pg_sleep(0.1)' }, []))
    expect(pool.counts()).to.deep.equal({ total: 10, idle: 10, waiting: 0 })
    postgres.freeze()
    try {
      const failing = several(100, failure)
      expect(pool.counts().queued).to.equal(20)
      const failures = await failing
      const refused = failures.filter(({ error }) => error instanceof Unavailable)
      const timedOut = failures.filter(({ error }) => !(error instanceof Unavailable))
      expect(refused).to.have.length(90)
      expect(timedOut.map(({ error }) => (error as Error).message)).to.deep.equal(
        Array(10).fill('Connection terminated'),
      )
      expect(refused.filter(({ ms }) => ms < 450)).to.have.length(70)
      expect(Math.max(...refused.map(({ ms }) => ms))).to.be.within(450, 1500)
    } finally {
      postgres.thaw()
      await pool.close()
    }
  })

  it('connections that the server ends, idle or not, do not end the process', async () => {
    await several(10, () => lectern.get(uncached()))
    await postgres.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lectern reader'",
    )
    takesAtMost(2000, 'an answer after the end of all connections', await back())
    await readyAgain()
    expect(lectern.isRunning()).to.equal(true)
  })

  const nameOfWiki = async () => JSON.parse((await lectern.get('/')).text).name

  it('what was written while nobody listened shows as soon as somebody does', async () => {
    expect(await nameOfWiki()).not.to.equal('Renamed in silence')
    process.kill(lectern.pid, 'SIGSTOP')
    await postgres.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lectern reader'",
    )
    await postgres.query("update wiki.wiki set name = 'Renamed in silence'")
    process.kill(lectern.pid, 'SIGCONT')
    await until('the new name shows', async () => (await nameOfWiki()) === 'Renamed in silence', 3000)
  })

  it('an import shows at once, also after the connection that hears of it was lost', async () => {
    await postgres.stop()
    await postgres.start()
    await back()
    await readyAgain()
    const folder = mkdtempSync(join(tmpdir(), 'lectern-faults-'))
    const file = join(folder, 'wiki.ndjson')
    const wiki = {
      type: 'wiki',
      name: 'Imported',
      default_locale: 'en',
      locales: [{ locale: 'en', name: 'English' }],
    }
    writeFileSync(file, `${JSON.stringify(wiki)}\n`)
    expect(await nameOfWiki()).not.to.equal('Imported')
    const { status, stderr } = await command(['import', 'ndjson', file], { DATABASE_URL: postgres.url })
    rmSync(folder, { recursive: true })
    expect(status, stderr).to.equal(0)
    await until('the new name shows', async () => (await nameOfWiki()) === 'Imported', 1000)
  })

  it('that lacks a migration, as after the restore of an old backup: 503 and the log says what to run; a newer one is served', async () => {
    const note = async (schema: number) => {
      await postgres.query(`comment on schema guest is 'Lectern, schema ${schema}'`)
    }
    await note(1)
    await until('/ready says 503', async () => (await lectern.ready()).status === 503, 2000)
    for (const answer of await several(5, () => lectern.get(uncached())))
      expectUnavailable(answer, 1000, 'not migrated')
    expect((await lectern.get(KEPT)).status).to.equal(200)
    expect(lectern.logged()).to.include('run `lectern migrate`')
    expect((await command(['migrate'], { DATABASE_URL: postgres.url })).status).to.equal(0)
    takesAtMost(2000, 'an answer after a migration', await back())
    await readyAgain()
    await note(9999)
    await postgres.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lectern reader'",
    )
    await back()
    await readyAgain()
  })
})
