import { setTimeout } from 'node:timers/promises'
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

const WORDS = 'tea green black leaves water steep cup sencha matcha harvest brew white pot kettle'.split(' ')
const word = (n: number) => WORDS[n % WORDS.length]!

/** A request of each endpoint and form. No two numbers below 200 make the same request, so no response is cached. */
const ENDPOINTS: ((n: number, revision: string) => string)[] = [
  (n) => `/?n=${n}`,
  (n) => `/pages/sencha?format=both&n=${n}`,
  () => `/pages/sencha?include=summary,sections,links,contributors`,
  (n) => `/pages?limit=${n + 1}`,
  (n) =>
    `/pages?include=html,text,summary,sections,categories,translations,links,contributors&limit=${1 + (n % 20)}`,
  (n) => `/pages/sencha/history?limit=${n + 1}`,
  (_, revision) => `/revisions/${revision}?format=html`,
  (_, revision) => `/revisions/${revision}/diff`,
  (n) => `/recent?limit=${n + 1}`,
  () => '/recent.atom',
  (n) => `/search?q=${word(n)}+${word(n * 5 + 1)}&limit=${(n % 50) + 1}`,
  (n) => `/search?q=${word(n)}+${word(n * 3 + 1)}&all=true&offset=${n}`,
  (n) => `/search?q=unknown${n}`,
  (n) => `/search?q=${word(n)}&include=summary,html&limit=${(n % 50) + 1}`,
  (n) => `/suggest?q=${word(n).slice(0, 3)}&limit=${(n % 20) + 1}`,
  (n) => `/categories?limit=${n + 1}`,
  (n) => `/categories/green-tea?limit=${n + 1}`,
  (n) => `/links?to=sencha&limit=${n + 1}`,
  (n) => `/links?from=sencha&limit=${n + 1}`,
  (n) => `/changes?limit=${n + 1}`,
  (n) => `/changes?include=markdown,categories&limit=${n + 1}`,
]

/** Asks again while too many texts wait for the renderer, which has nothing to do with the database. */
const rendered = async (ask: () => ReturnType<Lectern['get']>) => {
  for (;;) {
    const response = await ask()
    if (response.status !== 503 || !response.text.includes('are being rendered')) return response
    await setTimeout(1000) // as Retry-After says
  }
}

describe('database 100 ms away', () => {
  let primary: Postgres
  let replica: Postgres
  let proxies: TcpProxy[]
  let lectern: Lectern

  before(async () => {
    primary = await startWiki()
    replica = await startReplica(primary)
    proxies = await Promise.all([primary, replica].map(({ port }) => startProxy(port, DELAY)))
    const [row] = await primary.query("select id from guest.revision where created_at > '2000-01-01' limit 1")
    revision = row!.id as string
    lectern = await startLectern({ DATABASE_URL: url(0) })
  })
  after(async () => {
    await lectern?.stop()
    await Promise.all((proxies ?? []).map((one) => one.stop()))
    await Promise.all([replica, primary].map((one) => one?.remove()))
  })
  let revision: string
  let requests = 0
  /** `clients` send one request after the other, `count` in all. @returns those that did not get 200 */
  const failuresOf = async (of: Lectern, clients: number, count: number): Promise<string[]> => {
    const failures: string[] = []
    const end = requests + count
    const visit = async () => {
      while (requests < end) {
        const n = requests++
        const path = ENDPOINTS[n % ENDPOINTS.length]!(Math.floor(n / ENDPOINTS.length), revision)
        const { status, text } = await rendered(() => of.get(path))
        if (status !== 200) failures.push(`${status} ${path} ${text}`)
      }
    }
    await Promise.all(Array.from({ length: clients }, visit))
    return failures
  }
  const expectMixServed = async (of: Lectern): Promise<void> => {
    requests = 0
    expect(await failuresOf(of, 2 * ENDPOINTS.length, 2 * ENDPOINTS.length)).to.deep.equal([])
    expect(await failuresOf(of, 24, 150)).to.deep.equal([])
  }
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

  it('a mix of all endpoints gets 200: right after the start, all at once, and 150 requests of 24 clients', async () => {
    const other = await startLectern({ DATABASE_URL: url(0) })
    await expectMixServed(other).finally(() => other.stop())
  })

  it('the mix gets 200 after a failover from a near server to a distant one', async () => {
    const servers = [primary.port, proxies[1]!.port].map((port) => `127.0.0.1:${port}`).join(',')
    const other = await startLectern({ DATABASE_URL: `postgresql://postgres@${servers}/postgres` })
    try {
      await primary.stop('immediate')
      await replica.promote()
      await until('the service reads from the other server', async () => {
        const { status } = await other.get(uncached())
        return status === 200 && (await other.ready()).status === 200
      })
      await expectMixServed(other)
    } finally {
      await other.stop()
    }
  })
})
