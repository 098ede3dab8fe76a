import { expect } from 'chai'
import { lectern as command } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startReplica, startWiki } from './support/postgres.ts'
import { startProxy, type TcpProxy } from './support/proxy.ts'

/** Each way, milliseconds: a database on another continent. */
const DELAY = 50

const PATHS = [
  '/',
  '/pages',
  '/pages/sencha?format=both',
  '/pages/sencha/history',
  '/recent',
  '/search?q=tea',
  '/search?q=steamed+leaves&all=true',
  '/categories/green-tea',
]
let asked = 0
/** Never asked for before, so that it is read from a database. */
const uncached = () => `/pages?after=${asked++}`

describe('a database 100 ms away', () => {
  let primary: Postgres
  let replica: Postgres
  let proxies: TcpProxy[]
  let lectern: Lectern

  before(async function () {
    this.timeout(120_000)
    primary = await startWiki()
    replica = await startReplica(primary)
    proxies = await Promise.all([primary, replica].map(({ port }) => startProxy(port, DELAY)))
    lectern = await startLectern({ DATABASE_URL: url(0) })
  })
  after(async () => {
    await lectern?.stop()
    await Promise.all((proxies ?? []).map((one) => one.stop()))
    await Promise.all([replica, primary].map((one) => one?.remove()))
  })
  const url = (i: number) => `postgresql://postgres@127.0.0.1:${proxies[i]!.port}/postgres`

  it('is ready, and answers the first requests of all, though their connections have still to be made', async () => {
    expect((await lectern.ready()).status).to.equal(200)
    const answers = await Promise.all(PATHS.map((path) => lectern.get(path)))
    expect(answers.map(({ status }) => status)).to.deep.equal(PATHS.map(() => 200))
    takesAtMost(3000, 'a first answer, database 100 ms away', Math.max(...answers.map(({ ms }) => ms)))
  })

  it('answers 40 uncached requests at once, and again after all connections were ended', async () => {
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => lectern.get(uncached())))
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(40).fill(200))
      takesAtMost(
        3000,
        'one of 40 answers at once, database 100 ms away',
        Math.max(...answers.map(({ ms }) => ms)),
      )
      if (round > 0) return
      await primary.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lectern reader'",
      )
      await until('that is noticed', () => lectern.logged().includes('is lost'))
      await until('/ready says 200', async () => (await lectern.ready()).status === 200)
    }
  })

  it('stays ready while it is asked for as many lists as are made at a time, and each is given', async () => {
    const statuses = new Map<number, number>()
    let readiness = 0
    const end = performance.now() + 3000
    const ask = async () => {
      while (performance.now() < end) {
        const { status } = await lectern.get(uncached())
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const look = async () => {
      while (performance.now() < end) {
        expect((await lectern.ready()).status).to.equal(200)
        readiness += 1
      }
    }
    await Promise.all([...Array.from({ length: 16 }, ask), look()])
    expect([...statuses.keys()]).to.deep.equal([200])
    expect(readiness).to.be.above(3)
  })

  it('shows an import within a second, and lets commands do their work', async () => {
    const name = async () => JSON.parse((await lectern.get('/')).text).name
    expect(await name()).not.to.equal('Far')
    await primary.query("begin; update wiki.wiki set name = 'Far'; notify lectern_changed; commit")
    takesAtMost(
      1500,
      'an import shows, database 100 ms away',
      await until('it shows', async () => (await name()) === 'Far'),
    )
    for (const args of [['migrate'], ['reindex'], ['check']]) {
      const { status, stderr, stdout } = await command(args, {
        DATABASE_URL: url(0),
        PORT: '0',
        INTERNAL_PORT: '0',
      })
      expect(status, stderr + stdout).to.equal(0)
    }
  })

  it('shares the reading with a replica that is as far away, which is read from again soon after an import', async () => {
    const other = await startLectern({ DATABASE_URL: url(0), DATABASE_REPLICA_URLS: url(1) })
    const isUp = async () =>
      (await (await fetch(`${other.internalUrl}/metrics`)).text()).includes(
        'lectern_database_up{server="replica 1"} 1',
      )
    try {
      await until('the replica is read from', isUp)
      await primary.query("begin; update wiki.wiki set name = 'Farther'; notify lectern_changed; commit")
      await until('it shows', async () => JSON.parse((await other.get('/')).text).name === 'Farther')
      takesAtMost(
        3000,
        'a replica 100 ms away is read from again',
        await until('the replica is read from', isUp),
      )
      const answers = await Promise.all(Array.from({ length: 40 }, () => other.get(uncached())))
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(40).fill(200))
    } finally {
      await other.stop()
    }
  })
})
