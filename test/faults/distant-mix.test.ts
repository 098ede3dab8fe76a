import { expect } from 'chai'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { type Postgres, startReplica, startWiki } from './support/postgres.ts'
import { startProxy, type TcpProxy } from './support/proxy.ts'

/** In each direction, milliseconds: a database on another continent. */
const DELAY = 50

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

describe('light mix of requests, database 100 ms away', () => {
  let primary: Postgres
  let standby: Postgres
  let proxies: TcpProxy[]
  let lectern: Lectern | undefined
  let revision: string
  let requests = 0

  beforeEach(async () => {
    primary = await startWiki()
    standby = await startReplica(primary)
    proxies = await Promise.all([primary, standby].map(({ port }) => startProxy(port, DELAY)))
    const [row] = await primary.query("select id from guest.revision where created_at > '2000-01-01' limit 1")
    revision = row!.id as string
    requests = 0
  })
  afterEach(async () => {
    await lectern?.stop()
    lectern = undefined
    await Promise.all((proxies ?? []).map((one) => one.stop()))
    await Promise.all([standby, primary].map((one) => one?.remove()))
  })

  /** `clients` send one request after the other, `count` in all. @returns those that did not get 200 */
  const failuresOf = async (clients: number, count: number): Promise<string[]> => {
    const failures: string[] = []
    const end = requests + count
    const visit = async () => {
      while (requests < end) {
        const n = requests++
        const path = ENDPOINTS[n % ENDPOINTS.length]!(Math.floor(n / ENDPOINTS.length), revision)
        const { status, text } = await lectern!.get(path)
        if (status !== 200) failures.push(`${status} ${path} ${text}`)
      }
    }
    await Promise.all(Array.from({ length: clients }, visit))
    return failures
  }

  it('all requests get 200: the first ones after the start, all at once, and 600 of 24 clients', async () => {
    lectern = await startLectern({
      DATABASE_URL: `postgresql://postgres@127.0.0.1:${proxies[0]!.port}/postgres`,
    })
    expect(await failuresOf(2 * ENDPOINTS.length, 2 * ENDPOINTS.length)).to.deep.equal([])
    expect(await failuresOf(24, 600)).to.deep.equal([])
  })

  it('all requests get 200 after a failover from a near server to a distant one', async () => {
    const servers = [primary.port, proxies[1]!.port].map((port) => `127.0.0.1:${port}`).join(',')
    lectern = await startLectern({ DATABASE_URL: `postgresql://postgres@${servers}/postgres` })
    await primary.stop('immediate')
    await standby.promote()
    await until('the service reads from the other server', async () => {
      const { status } = await lectern!.get(`/pages?limit=200&n=${requests++}`)
      return status === 200 && (await lectern!.ready()).status === 200
    })
    requests = 0
    expect(await failuresOf(2 * ENDPOINTS.length, 2 * ENDPOINTS.length)).to.deep.equal([])
    expect(await failuresOf(24, 600)).to.deep.equal([])
  })
})
