import { expect } from 'chai'
import { lectern as command } from '../support/cli.ts'
import { EventStream } from '../support/event-stream.ts'
import { until } from '../support/until.ts'
import { importWorld } from './support/import-world.ts'
import { type Lectern, request, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startReplica, startWiki } from './support/postgres.ts'

let uncachedPaths = 0
/** A path that was not requested before, so that a database server is read. */
const uncached = () => `/pages?after=${uncachedPaths++}`
const STATEMENT = 'pages_after'

describe('read replicas', () => {
  let primary: Postgres
  let replicas: [Postgres, Postgres]
  let lectern: Lectern

  before(async () => {
    const settings = { log_statement: 'all' }
    primary = await startWiki(settings)
    replicas = [await startReplica(primary, settings), await startReplica(primary, settings)]
    lectern = await startLectern({
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: replicas.map(({ url }) => url).join(','),
      MAX_REPLICA_LAG: '1',
    })
  })
  after(async () => {
    await lectern?.stop()
    await Promise.all([...(replicas ?? []), primary].map((one) => one?.remove()))
  })
  beforeEach(() =>
    until('the service reads from both replicas', async () => (await serversRead()).join() === '0,1'),
  )

  /** Indices of the servers that four requests read from: 0 and 1 are the replicas, 2 is the primary. */
  const serversRead = async (): Promise<number[]> => {
    const servers = [...replicas, primary]
    const before = servers.map((one) => one.runs(STATEMENT))
    for (let i = 0; i < 4; i += 1) expect((await lectern.get(uncached())).status).to.equal(200)
    return servers.flatMap((one, i) => (one.runs(STATEMENT) > before[i]! ? [i] : []))
  }
  const untilReadFrom = (...wanted: number[]) =>
    until(`the service reads only from ${wanted}`, async () => (await serversRead()).join() === wanted.join())

  /** Sends requests while `work` runs, and expects 200. @returns the longest time of a response, milliseconds */
  const expectServedDuring = async (work: () => Promise<unknown>): Promise<number> => {
    let isDone = false
    let longest = 0
    const requests = Array.from({ length: 4 }, async () => {
      while (!isDone) {
        const { status, ms } = await lectern.get(uncached())
        expect(status).to.equal(200)
        longest = Math.max(longest, ms)
      }
    })
    await Promise.all([work().finally(() => (isDone = true)), ...requests])
    return longest
  }

  it('the replicas share the reads, and the primary gets none', async () => {
    expect(await serversRead()).to.deep.equal([0, 1])
    const before = replicas.map((one) => one.runs(STATEMENT))
    for (let i = 0; i < 40; i += 1) await lectern.get(uncached())
    const each = replicas.map((one, i) => one.runs(STATEMENT) - before[i]!)
    expect(each[0]! + each[1]!).to.equal(40)
    // Statements take turns. Some of them choose the examples of the documentation, after the start.
    expect(Math.min(...each)).to.be.at.least(10)
  })

  it('a replica that stops makes no request fail, and is used again when it is back', async () => {
    const longest = await expectServedDuring(async () => {
      await replicas[0].stop('immediate')
      await untilReadFrom(1)
    })
    takesAtMost(2000, 'the slowest response while a replica stops', longest)
    await replicas[0].start()
    takesAtMost(3000, 'the service reads again from a replica that was stopped', await untilReadFrom(0, 1))
  })

  it('a replica that freezes makes no request fail, is not used after 3 s, and is used again when it is back', async () => {
    let unusedMs = 0
    const longest = await expectServedDuring(async () => {
      replicas[1].freeze()
      unusedMs = await untilReadFrom(0)
    })
    takesAtMost(3000, 'a frozen replica is not used any more', unusedMs)
    takesAtMost(3000, 'the slowest response while a replica freezes', longest)
    replicas[1].thaw()
    takesAtMost(3000, 'the service reads again from a replica that was frozen', await untilReadFrom(0, 1))
  })

  it('a replica that lags more than MAX_REPLICA_LAG is not used until it has caught up', async () => {
    await replicas[0].query('select pg_wal_replay_pause()')
    expect(await serversRead()).to.deep.equal([0, 1])
    const committing = performance.now()
    await primary.query('create table public.anything (id int)')
    await untilReadFrom(1)
    const unusedMs = performance.now() - committing
    expect(unusedMs).to.be.above(300)
    takesAtMost(
      3500,
      'a lagging replica is not used any more, the second of MAX_REPLICA_LAG included',
      unusedMs,
    )
    await replicas[0].query('select pg_wal_replay_resume()')
    takesAtMost(3000, 'the service reads again from a replica that lagged', await untilReadFrom(0, 1))
  })

  it('an import shows at once, although no replica has replayed it', async () => {
    const name = async () => JSON.parse((await lectern.get('/')).text).name
    expect(await name()).not.to.equal('Renamed')
    for (const replica of replicas) await replica.query('select pg_wal_replay_pause()')
    await primary.query("begin; update wiki.wiki set name = 'Renamed'; notify lectern_changed; commit")
    const shown = await until('the new name shows', async () => (await name()) === 'Renamed')
    takesAtMost(1000, 'an import shows, before any replica has replayed it', shown)
    expect(await serversRead()).to.deep.equal([2])
    for (const replica of replicas) await replica.query('select pg_wal_replay_resume()')
    takesAtMost(
      3000,
      'the service reads again from a replica that has replayed an import',
      await untilReadFrom(0, 1),
    )
    expect(await name()).to.equal('Renamed')
  })

  it('a change is at a stream within 1 s, although no replica has replayed it', async () => {
    const stream = await new EventStream(`${lectern.url}/changes?after=now`).untilOpen()
    try {
      for (const replica of replicas) await replica.query('select pg_wal_replay_pause()')
      await importWorld(primary.url, { pages: [{ path: 'stream' }] })
      const ms = await until('the stream has the change', () => stream.paths.join() === 'stream')
      takesAtMost(1000, 'a change is at a stream, although no replica has replayed it', ms)
    } finally {
      stream.close()
      for (const replica of replicas) await replica.query('select pg_wal_replay_resume()')
    }
  })

  it('a file is gone at once with its page, although the replicas still have it', async () => {
    const [file] = JSON.parse((await lectern.get('/files?prefix=images/oxidation')).text).items
    const bytes = new URL(new URL(file.url).pathname, lectern.url).href
    const statuses = async () => [
      (await request(bytes)).status,
      (await lectern.get(`/files/${file.path}`)).status,
    ]
    expect(await statuses()).to.deep.equal([200, 200])
    for (const replica of replicas) await replica.query('select pg_wal_replay_pause()')
    await primary.query(
      "begin; delete from wiki.live_page where path = 'oolong'; notify lectern_changed; commit",
    )
    for (const replica of replicas) {
      const rows = await replica.query(`select 1 from guest.file where path = '${file.path}'`)
      expect(rows, 'the replica still has the file').to.have.length(1)
    }
    await until('the file is gone', async () => (await statuses()).join() === '404,404')
    for (const replica of replicas) await replica.query('select pg_wal_replay_resume()')
    await untilReadFrom(0, 1)
    expect(await statuses()).to.deep.equal([404, 404])
  })

  it('the replicas serve while the primary is lost, and /ready responds with 200, and tells the loss', async () => {
    await expectServedDuring(async () => {
      await primary.stop('immediate')
      expect((await lectern.ready()).status).to.equal(200)
      await until('/ready tells it', async () => /"primary":"lost"/.test((await lectern.ready()).text))
      expect(await serversRead()).to.deep.equal([0, 1])
      await primary.start()
    })
    takesAtMost(
      3000,
      'the service reads again from replicas when the primary is back',
      await untilReadFrom(0, 1),
    )
  })
})

describe('replicas that are none', () => {
  let primary: Postgres
  let standby: Postgres
  let returned: Postgres
  let lectern: Lectern
  let urls: string[]

  before(async () => {
    primary = await startWiki()
    await primary.query('create database lectern2 template postgres')
    standby = await startReplica(primary)
    returned = await startReplica(primary)
    await returned.promote()
    // Its log is ahead.
    await returned.query('create table public.ahead as select generate_series(1, 100000)')
    const inOther = (url: string) => url.replace(/postgres$/, 'lectern2')
    urls = [inOther(standby.url), returned.url, inOther(primary.url), standby.url]
    lectern = await startLectern(settings())
  })
  after(async () => {
    await lectern?.stop()
    await Promise.all([returned, standby, primary].map((one) => one?.remove()))
  })
  const settings = () => ({
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URLS: urls.join(','),
    CACHE_SECONDS: '0',
  })
  const upOf = async (of: Lectern) => {
    const text = await (await fetch(`${of.internalUrl}/metrics`)).text()
    return [...text.matchAll(/^lectern_database_up\{server="replica \d"\} (\d)/gm)]
      .map(([, up]) => up)
      .join('')
  }
  const SENCHA = '/pages/sencha?locale=en'

  it('a withdrawn page stays away, and the metrics and one line of the log for each say why', async () => {
    await until('the service reads from the one replica', async () => (await upOf(lectern)) === '0001')
    await primary.query(
      "begin; delete from wiki.live_page where path = 'sencha'; notify lectern_changed; commit",
    )
    await until('the page is gone', async () => (await lectern.get(SENCHA)).status === 404)
    await standby.stop('immediate')
    await until('no replica is left', async () => (await upOf(lectern)) === '0000')
    for (let i = 0; i < 20; i += 1) expect((await lectern.get(SENCHA)).status).to.equal(404)
    await standby.start()
    await until('the replica is back', async () => (await upOf(lectern)) === '0001')
    for (let i = 0; i < 20; i += 1) expect((await lectern.get(SENCHA)).status).to.equal(404)
    const linesOf = (name: string) =>
      lectern
        .logged()
        .split('\n')
        .filter((line) => line.includes(`"${name}"`))
    for (const [name, reason] of [
      ['replica 1', /database [0-9]+.lectern2, not [0-9]*.postgres/],
      ['replica 2', /it accepts writes/],
      ['replica 3', /database [0-9]+.lectern2, not [0-9]*.postgres/],
    ] as const) {
      expect(linesOf(name)).to.have.length(1)
      expect(linesOf(name)[0]).to.match(reason)
    }
  })

  it('without the primary, a service starts from the replica with the name of the database', async () => {
    const path = 'matcha'
    await primary.query(`delete from wiki.live_page where path = '${path}'`)
    await until('the standby has replayed it', async () => {
      const rows = await standby.query(`select from wiki.live_page where path = '${path}'`)
      return rows.length === 0
    })
    await primary.stop('immediate')
    const other = await startLectern(settings())
    try {
      expect(await upOf(other)).to.equal('0001')
      for (let i = 0; i < 20; i += 1)
        expect((await other.get(`/pages/${path}?locale=en`)).status).to.equal(404)
    } finally {
      await other.stop()
      await primary.start()
    }
  })

  const checkReplicas = async () => {
    const { stdout } = await command(['check', '--json'], { ...settings(), PORT: '0', INTERNAL_PORT: '0' })
    const findings: { about: string; status: string; says: string }[] = JSON.parse(stdout).findings
    return findings.flatMap(({ about, status, says }) =>
      about.startsWith('replica') ? [`${status}: ${says}`.replaceAll(/\d+/g, 'n')] : [],
    )
  }

  it('`lectern check` says why', async () => {
    expect(await checkReplicas()).to.deep.equal([
      'wrong: It is database n/lecternn, not n/postgres.',
      'wrong: It is an independent server, not a streaming replica.',
      'wrong: It is database n/lecternn, not n/postgres.',
      'ok: caught up with the primary in n ms',
    ])
  })

  it('`lectern check` tells of a standby that does not replay what it receives', async () => {
    await standby.query('select pg_wal_replay_pause()')
    try {
      await primary.query('create table public.unreplayed ()')
      await until('the standby has received it', async () => {
        const [row] = await standby.query(
          'select pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn() as has',
        )
        return row!.has === true
      })
      expect((await checkReplicas())[3]).to.equal(
        'wrong: The standby has not replayed a change that is known to be committed',
      )
    } finally {
      await standby.query('select pg_wal_replay_resume()')
    }
  })
})
