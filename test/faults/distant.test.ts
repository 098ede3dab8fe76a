import { expect } from 'chai'
import { lectern as command } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startReplica, startWiki } from './support/postgres.ts'
import { startProxy, type TcpProxy } from './support/proxy.ts'

/** In each direction, milliseconds: a database on another continent. */
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
let uncachedPaths = 0
/** A path that was not requested before, so that a database server is read. */
const uncached = () => `/pages?after=${uncachedPaths++}`

describe('database 100 ms away', () => {
  let primary: Postgres
  let replica: Postgres
  let proxies: TcpProxy[]
  let lectern: Lectern

  before(async () => {
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

  it('the service is ready, and serves the very first requests although it must first open their connections', async () => {
    expect((await lectern.ready()).status).to.equal(200)
    const responses = await Promise.all(PATHS.map((path) => lectern.get(path)))
    expect(responses.map(({ status }) => status)).to.deep.equal(PATHS.map(() => 200))
    takesAtMost(3000, 'a first response, database 100 ms away', Math.max(...responses.map(({ ms }) => ms)))
  })

  it('serves 40 uncached requests at once, and again after the server ended all connections', async () => {
    for (let round = 0; round < 2; round += 1) {
      const responses = await Promise.all(Array.from({ length: 40 }, () => lectern.get(uncached())))
      expect(responses.map(({ status }) => status)).to.deep.equal(Array(40).fill(200))
      takesAtMost(
        3000,
        'one of 40 responses at once, database 100 ms away',
        Math.max(...responses.map(({ ms }) => ms)),
      )
      if (round > 0) return
      await primary.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lectern reader'",
      )
      await until('the loss is logged', () => lectern.logged().includes('Lost a database server'))
      await until('/ready responds with 200', async () => (await lectern.ready()).status === 200)
    }
  })

  it('the service stays ready, and sheds nothing, while as many lists are requested as it admits at a time', async () => {
    const statuses = new Map<number, number>()
    let readyResponses = 0
    const end = performance.now() + 3000
    let isOver = false
    const requestLists = async () => {
      while (!isOver) {
        const { status } = await lectern.get(uncached())
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const requestReady = async () => {
      while (performance.now() < end || readyResponses < 4) {
        expect((await lectern.ready()).status).to.equal(200)
        readyResponses += 1
      }
    }
    const ready = requestReady().finally(() => (isOver = true))
    await Promise.all([...Array.from({ length: 16 }, requestLists), ready])
    expect([...statuses.keys()]).to.deep.equal([200])
  })

  it('an import shows within 1.5 s, and commands work', async () => {
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

  it('the service also reads from a replica as far away, and soon reads from it again after an import', async () => {
    const other = await startLectern({ DATABASE_URL: url(0), DATABASE_REPLICA_URLS: url(1) })
    const isUp = async () =>
      (await (await fetch(`${other.internalUrl}/metrics`)).text()).includes(
        'lectern_database_up{server="replica 1"} 1',
      )
    try {
      await until('the service reads from the replica', isUp)
      await primary.query("begin; update wiki.wiki set name = 'Farther'; notify lectern_changed; commit")
      await until('it shows', async () => JSON.parse((await other.get('/')).text).name === 'Farther')
      takesAtMost(
        3000,
        'the service reads from a replica 100 ms away again',
        await until('the service reads from the replica', isUp),
      )
      const responses = await Promise.all(Array.from({ length: 40 }, () => other.get(uncached())))
      expect(responses.map(({ status }) => status)).to.deep.equal(Array(40).fill(200))
    } finally {
      await other.stop()
    }
  })
})
