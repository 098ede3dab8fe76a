import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { fileNameOf } from '../../clients/javascript/src/file-names.ts'
import { mirrorFolder } from '../../clients/javascript/src/folder.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { until } from '../support/until.ts'
import { importIntoDatabase, recordsOf } from '../support/world.ts'
import { type Balancer, startBalancer } from './support/balancer.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { canMakeNetworks, type Host, makeNetwork, type Network } from './support/network.ts'
import { newFolder, type Postgres, startReplica, startWiki } from './support/postgres.ts'
import { type RedisServer, startRedis } from './support/redis.ts'
import { freePort } from './support/server-process.ts'

/** Requests that readers send. Each is sent again and again, so that some come from caches. */
const PATHS = [
  '/pages?limit=50',
  '/pages/sencha',
  '/pages/sencha?format=html',
  '/pages/sencha/history',
  '/recent?limit=20',
  '/search?q=green',
  '/changes?limit=20',
]

/** How many readers there are, and how long each waits after a response, milliseconds. */
const READERS = 3
const READER_PAUSE_MS = 20

/** How long a part is frozen or cut off, and how long readers read at least after any other event, milliseconds. */
const AWAY_MS = 3_000
const READ_MS = 1_500

interface Row {
  part: string
  event: string
  requests: number
  /** Of requests without a 200. */
  failures: string[]
  p99: number
  slowest: number
  /** From the end of an import to the response that shows it, milliseconds; undefined if nothing could be imported. */
  shownAfter: number | undefined
}

/** A gateway on its host. It keeps its ports when it is started again. */
interface Gateway {
  host: Host
  port: number
  internalPort: number
  process: Lectern
}

;(canMakeNetworks ? describe : describe.skip)('two zones with a part that fails', () => {
  let network: Network
  let hosts: Record<'primary' | 'replica' | 'redis', Host>
  let primary: Postgres
  let replica: Postgres
  let redis: RedisServer
  let balancer: Balancer
  const gateways: Gateway[] = []
  const folder = newFolder()
  const rows: Row[] = []
  const mirroring = new AbortController()
  let mirror: Promise<unknown>
  let edits = 0

  const startGateway = ({ host, port, internalPort }: Omit<Gateway, 'process'>): Promise<Lectern> =>
    startLectern(
      {
        HOST: host.address,
        INTERNAL_HOST: host.address,
        PORT: String(port),
        INTERNAL_PORT: String(internalPort),
        DATABASE_URL: databases(),
        DATABASE_REPLICA_URLS: [primary, replica].map(({ url }) => url).join(),
        REDIS_URL: redis.url,
        RATE_LIMIT: '1000000',
        TRUSTED_PROXIES: '1',
      },
      { through: host.through, nodeOptions: [] },
    )
  /** Both servers in one URL: Lectern uses the one that is the primary. */
  const databases = () =>
    `postgresql://postgres@${[primary, replica].map((one) => `${one.address}:${one.port}`).join()}/postgres`

  before(async () => {
    network = makeNetwork()
    hosts = { primary: network.host(0), replica: network.host(1), redis: network.host(0) }
    primary = await startWiki({}, { host: hosts.primary })
    replica = await startReplica(primary, {}, { host: hosts.replica })
    redis = await startRedis(hosts.redis)
    for (const zone of [0, 0, 1] as const) {
      const place = { host: network.host(zone), port: await freePort(), internalPort: await freePort() }
      gateways.push({ ...place, process: await startGateway(place) })
    }
    balancer = await startBalancer(
      gateways.map(({ host, port, internalPort }) => ({ address: host.address, port, internalPort })),
      { host: network.host(0) },
    )
    mirror = mirrorFolder({
      base: balancer.url,
      folder: join(folder.path, 'mirror'),
      poll: 1,
      signal: mirroring.signal,
    }).catch((error: unknown) => error)
  })
  after(async () => {
    mirroring.abort()
    await mirror
    await balancer?.stop()
    for (const { process } of gateways) if (process.isRunning()) await process.stop()
    await redis?.stop()
    await Promise.all([primary, replica].map((one) => one?.remove()))
    network?.remove()
    folder.remove()
    if (rows.length > 0) process.stdout.write(`${table(rows)}\n`)
  })

  /** Imports an edit. @returns its title */
  const edit = async (): Promise<string> => {
    const title = `Edit ${++edits}`
    const created = new Date(Date.UTC(2026, 0, 1, 0, 0, edits)).toISOString()
    const owner = await openDatabase({ databaseUrl: databases(), dataDir: '' }, 'owner')
    try {
      const pages = [{ path: 'edited', revisions: [{ title, created_at: created }] }]
      await importIntoDatabase(owner, recordsOf({ pages }))
    } finally {
      await owner.close()
    }
    return title
  }
  const isShown = async (url: string, title: string): Promise<boolean> => {
    const response = await fetch(`${url}/pages/edited`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => undefined,
    )
    return response?.status === 200 && ((await response.json()) as { title: string }).title === title
  }

  const during = async (begin: () => unknown, end: () => unknown) => {
    begin()
    await pause(AWAY_MS)
    end()
  }

  /** Waits until gateways read from the replica, and it has everything: else readers get 503 rather than old pages. */
  const untilReplicated = async () => {
    const [{ lsn } = {}] = await primary.query('select pg_current_wal_lsn() as lsn')
    await until('the replica has everything', async () => {
      const [row] = await replica.query(`select pg_last_wal_replay_lsn() >= '${lsn}' as has`)
      return row!.has === true
    })
    await untilInUse('replica 2')
  }

  const untilInUse = async (server: string) => {
    const isUp = `lectern_database_up{server="${server}"} 1`
    for (const { process } of gateways)
      await until(`the gateway reads from ${server}`, async () =>
        (await (await fetch(`${process.internalUrl}/metrics`)).text()).includes(isUp),
      )
  }

  /** What readers get while something happens, and how soon they see an edit. */
  const observe = async (
    part: string,
    event: string,
    happen: () => unknown,
    { canEdit = true } = {},
  ): Promise<Row> => {
    const times: number[] = []
    const failures: string[] = []
    let isOver = false
    const readers = Array.from({ length: READERS }, async (_, reader) => {
      for (let i = reader; !isOver; i += 1) {
        const startedAt = performance.now()
        const failure = await fetch(balancer.url + PATHS[i % PATHS.length]!)
          .then((response) =>
            response.text().then((text) => (response.ok ? '' : `${response.status} ${text}`)),
          )
          .catch((error: Error) => `${error.message} ${error.cause}`)
        times.push(performance.now() - startedAt)
        if (failure !== '') failures.push(`${PATHS[i % PATHS.length]}: ${failure}`)
        await pause(READER_PAUSE_MS)
      }
    })
    const ended = pause(READ_MS)
    await happen()
    let shownAfter: number | undefined
    if (canEdit) {
      const title = await edit()
      const editedAt = performance.now()
      await until('the edit is shown', () => isShown(balancer.url, title))
      shownAfter = performance.now() - editedAt
    }
    await ended
    isOver = true
    await Promise.all(readers)
    times.sort((a, b) => a - b)
    const row = {
      ...{ part, event, failures, shownAfter, requests: times.length },
      ...{ p99: times[Math.floor(times.length * 0.99)]!, slowest: times.at(-1)! },
    }
    rows.push(row)
    return row
  }
  const expectNoFailure = async (...[part, event, happen, options]: Parameters<typeof observe>) => {
    const { failures, requests } = await observe(part, event, happen, options)
    expect(requests, `${part} ${event}`).to.be.above(READERS)
    const logged = gateways.flatMap(({ process }) => process.logged().match(/.*"A request failed".*/g) ?? [])
    expect([...failures, ...(failures.length > 0 ? logged : [])].join('\n'), `${part} ${event}`).to.equal('')
  }

  it('with nothing wrong, every request gets 200', () => expectNoFailure('–', 'nothing happens', () => {}))

  it('the rate limit uses the client address that the balancer writes last', async () => {
    const forged = ['192.0.2.1', '192.0.2.2', '192.0.2.2, 192.0.2.1']
    for (const address of forged)
      expect((await fetch(`${balancer.url}/`, { headers: { 'X-Forwarded-For': address } })).ok).to.equal(true)
    expect(await redis.command('EXISTS lectern:rate:192.0.2.1 lectern:rate:192.0.2.2')).to.equal(':0')
    expect((await redis.command('KEYS lectern:rate:*')).startsWith('*0')).to.equal(false)
  })

  it('a gateway that is killed, frozen, cut off, or comes back costs no request', async () => {
    const gateway = gateways[0]!
    const signal = (name: NodeJS.Signals) => process.kill(gateway.process.pid, name)
    await expectNoFailure('gateway', 'killed', () => signal('SIGKILL'))
    await expectNoFailure('gateway', 'back', async () => {
      gateway.process = await startGateway(gateway)
    })
    await expectNoFailure('gateway', 'frozen, then back', () =>
      during(
        () => signal('SIGSTOP'),
        () => signal('SIGCONT'),
      ),
    )
    await expectNoFailure('gateway', 'cut off, then back', () =>
      during(gateway.host.cutOff, gateway.host.reconnect),
    )
  })

  it('Redis that is killed, frozen or cut off, or comes back costs no request', async () => {
    await expectNoFailure('Redis', 'killed', redis.stop)
    await expectNoFailure('Redis', 'back', redis.start)
    await expectNoFailure('Redis', 'frozen, then back', () => during(redis.freeze, redis.thaw))
    await expectNoFailure('Redis', 'cut off, then back', () =>
      during(hosts.redis.cutOff, hosts.redis.reconnect),
    )
  })

  it('a replica that is killed, frozen or cut off, or comes back costs no request', async () => {
    await expectNoFailure('replica', 'killed', () => replica.stop('immediate'))
    await expectNoFailure('replica', 'back', replica.start)
    await expectNoFailure('replica', 'frozen, then back', () => during(replica.freeze, replica.thaw))
    await expectNoFailure('replica', 'cut off, then back', () =>
      during(hosts.replica.cutOff, hosts.replica.reconnect),
    )
  })

  it('a primary that is killed, frozen or cut off, or comes back costs no request', async () => {
    await untilReplicated()
    await expectNoFailure('primary', 'killed', () => primary.stop('immediate'), { canEdit: false })
    await expectNoFailure('primary', 'back', primary.start)
    await expectNoFailure('primary', 'frozen, then back', () => during(primary.freeze, primary.thaw))
    await expectNoFailure('primary', 'cut off, then back', () =>
      during(hosts.primary.cutOff, hosts.primary.reconnect),
    )
  })

  it('a zone that is cut off, and comes back, costs no request', async () => {
    // It has the replica. If the primary were not back in use, nobody could read.
    await untilInUse('primary')
    await expectNoFailure('second zone', 'cut off, then back', () =>
      during(network.cutLine, network.mendLine),
    )
  })

  it('gateways that are replaced one after the other cost no request', () =>
    expectNoFailure('gateways', 'replaced one by one', async () => {
      for (const gateway of gateways) {
        expect((await gateway.process.stop()).status).to.equal(0)
        gateway.process = await startGateway(gateway)
        await until('the gateway is ready', async () => (await gateway.process.ready()).status === 200)
      }
    }))

  it('a balancer that is killed takes all requests with it; all get 200 when it is back', async () => {
    const { failures } = await observe('balancer', 'killed, then back', async () => {
      await balancer.kill()
      await pause(1_000)
      await balancer.start()
    })
    expect(failures).not.to.deep.equal([])
    await expectNoFailure('balancer', 'back', () => {})
  })

  it('a replica that is promoted when the primary is lost: requests get 200, and edits show', async () => {
    await untilReplicated()
    await expectNoFailure('primary', 'killed for good', () => primary.stop('immediate'), { canEdit: false })
    await expectNoFailure('replica', 'promoted', replica.promote)
  })

  it('a mirror that followed the changes through all of this has the last edit, and all pages', async () => {
    const file = (path: string) => join(folder.path, 'mirror', fileNameOf('en', path, '.md', false))
    await until('the mirror has the last edit', () =>
      readFileSync(file('edited'), 'utf8').includes(`title: "Edit ${edits}"`),
    )
    const { items } = JSON.parse((await gateways[0]!.process.get('/pages?limit=200')).text)
    expect(items.length).to.be.above(10)
    for (const { path, title } of items)
      expect(readFileSync(file(path), 'utf8'), path).to.include(`title: ${JSON.stringify(title)}`)
  })

  it('all databases lost: the gateways respond, from their caches or with an error of the API', async () => {
    const cached = async (url: string) => (await fetch(`${url}/pages?limit=7`)).status
    for (const { process } of gateways) expect(await cached(process.url)).to.equal(200)
    const { length } = balancer.printed()
    await replica.stop('immediate')
    await until('no gateway is ready', () =>
      balancer.printed().slice(length).includes("backend 'gateways' has no server available"),
    )
    const response = await fetch(`${balancer.url}/suggest?q=senc`)
    expect([response.status, (await response.json()).error.code]).to.deep.equal([503, 'unavailable'])
    expect(response.headers.get('access-control-allow-origin')).to.equal('*')
    expect(response.headers.get('retry-after')).to.equal('1')
    expect(await cached(balancer.url)).to.equal(200)
  })
})

const table = (rows: readonly Row[]): string =>
  [
    '| Part | Event | Requests | Without a 200 | p99 | Slowest | An edit shows after |',
    '|---|---|---:|---:|---:|---:|---:|',
    ...rows.map(({ part, event, requests, failures, p99, slowest, shownAfter }) => {
      const seconds = (ms: number | undefined) => (ms === undefined ? '–' : `${(ms / 1000).toFixed(2)} s`)
      return `| ${part} | ${event} | ${requests} | ${failures.length} | ${seconds(p99)} | ${seconds(slowest)} | ${seconds(shownAfter)} |`
    }),
  ].join('\n')
