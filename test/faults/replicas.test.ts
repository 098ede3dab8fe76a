import { expect } from 'chai'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startReplica, startWiki } from './support/postgres.ts'

let asked = 0
/** Never asked for before, so that it is read from a database. */
const uncached = () => `/pages?after=${asked++}`
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
  beforeEach(() => until('both replicas are read from', async () => (await readFrom()).join() === '0,1'))

  /** Indices of the servers that were read from in four requests: 0 and 1 the replicas, 2 the primary. */
  const readFrom = async (): Promise<number[]> => {
    const servers = [...replicas, primary]
    const before = servers.map((one) => one.runs(STATEMENT))
    for (let i = 0; i < 4; i += 1) expect((await lectern.get(uncached())).status).to.equal(200)
    return servers.flatMap((one, i) => (one.runs(STATEMENT) > before[i]! ? [i] : []))
  }
  const onlyFrom = (...wanted: number[]) =>
    until(`only ${wanted} are read from`, async () => (await readFrom()).join() === wanted.join())

  /** Asks one after the other while something goes on. @returns the longest wait, milliseconds */
  const allAnsweredDuring = async (work: () => Promise<unknown>): Promise<number> => {
    let done = false
    let longest = 0
    const asking = Array.from({ length: 4 }, async () => {
      while (!done) {
        const { status, ms } = await lectern.get(uncached())
        expect(status).to.equal(200)
        longest = Math.max(longest, ms)
      }
    })
    await Promise.all([work().finally(() => (done = true)), ...asking])
    return longest
  }

  it('reads are spread over the replicas, and the primary has none', async () => {
    expect(await readFrom()).to.deep.equal([0, 1])
    const before = replicas.map((one) => one.runs(STATEMENT))
    for (let i = 0; i < 40; i += 1) await lectern.get(uncached())
    const each = replicas.map((one, i) => one.runs(STATEMENT) - before[i]!)
    expect(each).to.deep.equal([20, 20])
  })

  for (const mode of ['fast', 'immediate'] as const) {
    it(`a replica that is stopped (${mode}) costs no answer, and is taken back`, async () => {
      const longest = await allAnsweredDuring(async () => {
        await replicas[0].stop(mode)
        await onlyFrom(1)
      })
      takesAtMost(2000, 'the longest answer while a replica stops', longest)
      await replicas[0].start()
      takesAtMost(3000, 'a replica that was stopped is read from again', await onlyFrom(0, 1))
    })
  }

  it('a replica that is frozen costs no answer, is left within 2 s, and is taken back', async () => {
    let left = 0
    const longest = await allAnsweredDuring(async () => {
      replicas[1].freeze()
      left = await onlyFrom(0)
    })
    takesAtMost(3000, 'a frozen replica is left', left)
    takesAtMost(3000, 'the longest answer while a replica freezes', longest)
    replicas[1].thaw()
    takesAtMost(3000, 'a replica that was frozen is read from again', await onlyFrom(0, 1))
  })

  it('a replica that lags more than MAX_REPLICA_LAG is left, and taken back when it has caught up', async () => {
    await replicas[0].query('select pg_wal_replay_pause()')
    expect(await readFrom()).to.deep.equal([0, 1])
    await primary.query('create table public.anything (id int)')
    const left = await onlyFrom(1)
    expect(left).to.be.above(300)
    takesAtMost(3500, 'a lagging replica is left, the one second of MAX_REPLICA_LAG included', left)
    await replicas[0].query('select pg_wal_replay_resume()')
    takesAtMost(3000, 'a replica that lagged is read from again', await onlyFrom(0, 1))
  })

  it('what was imported shows at once, though no replica has it yet', async () => {
    const name = async () => JSON.parse((await lectern.get('/')).text).name
    expect(await name()).not.to.equal('Renamed')
    for (const replica of replicas) await replica.query('select pg_wal_replay_pause()')
    await primary.query("begin; update wiki.wiki set name = 'Renamed'; notify lectern_changed; commit")
    const shown = await until('the new name shows', async () => (await name()) === 'Renamed')
    takesAtMost(1000, 'an import shows, before any replica has it', shown)
    expect(await readFrom()).to.deep.equal([2])
    for (const replica of replicas) await replica.query('select pg_wal_replay_resume()')
    takesAtMost(3000, 'a replica that has replayed an import is read from again', await onlyFrom(0, 1))
    expect(await name()).to.equal('Renamed')
  })

  it('with no replica left the primary serves', async () => {
    const longest = await allAnsweredDuring(async () => {
      await Promise.all(replicas.map((one) => one.stop()))
      await onlyFrom(2)
    })
    takesAtMost(2500, 'the longest answer while all replicas stop', longest)
    await Promise.all(replicas.map((one) => one.start()))
    takesAtMost(3000, 'a replica that was stopped is read from again', await onlyFrom(0, 1))
  })

  it('with the primary lost the replicas serve on, and /ready says 200', async () => {
    await allAnsweredDuring(async () => {
      await primary.stop('immediate')
      expect((await lectern.ready()).status).to.equal(200)
      expect(await readFrom()).to.deep.equal([0, 1])
      await primary.start()
    })
    takesAtMost(3000, "replicas are read from again after the primary's return", await onlyFrom(0, 1))
  })

  it('started while the primary is away, it serves from the replicas', async () => {
    await primary.stop('immediate')
    const other = await startLectern({
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: replicas[0].url,
    })
    try {
      expect((await other.get(uncached())).status).to.equal(200)
      expect((await other.ready()).status).to.equal(200)
    } finally {
      await other.stop()
      await primary.start()
    }
  })
})
