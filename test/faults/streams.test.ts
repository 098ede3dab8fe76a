import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { type FollowedChange, follow } from '../../clients/javascript/src/index.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { packagePath } from '../../src/paths.ts'
import { runImport } from '../../src/write/run-import.ts'
import { lectern as runLectern } from '../support/cli.ts'
import { randomChoices } from '../support/random-choices.ts'
import { importStep } from '../support/random-imports.ts'
import { rounds } from '../support/rounds.ts'
import { StreamClient } from '../support/stream-client.ts'
import { until } from '../support/until.ts'
import { Wikijs } from '../support/wikijs.ts'
import { type Lectern, request, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startPostgres, startWiki } from './support/postgres.ts'
import { freePort } from './support/server-process.ts'

const SEED = Number(process.env.LECTERN_TEST_SEED ?? Math.floor(Math.random() * 1e9))
const KILLS = rounds(3)
const IMPORTS_PER_KILL = 6

describe('streams of a service that is killed while imports run', () => {
  let postgres: Postgres
  let lectern: Lectern
  let port: number
  before(async () => {
    postgres = await startWiki()
    port = await freePort()
  })
  after(async () => {
    await lectern?.stop()
    await postgres?.remove()
  })
  const start = async () => {
    lectern = await startLectern({ DATABASE_URL: postgres.url, PORT: String(port), CACHE_SECONDS: '0' })
  }
  const base = () => `http://127.0.0.1:${port}/api/v1`

  /** The list from its beginning to its end. */
  const list = async (query: string): Promise<FollowedChange['item'][]> => {
    const items = []
    for (let next: string | undefined; next !== ''; ) {
      const { text } = await lectern.get(`/changes?limit=200&${query}&after=${next ?? ''}`)
      const part = JSON.parse(text)
      items.push(...part.items)
      next = part.next
    }
    return items
  }

  it(`clients that go on with their last cursors have exactly the list, in its order (seed ${SEED})`, async () => {
    const random = randomChoices(SEED)
    const nextImport = importStep(random)
    const owner = await openDatabase({ databaseUrl: postgres.url, dataDir: '' }, 'owner')
    await start()
    const queries = ['', '?limit=1', '?locale=en', '?ns=main&limit=3']
    const clients = queries.map((query) => new StreamClient((all) => `${base()}/changes${all}`, query))
    const followed = new Map<string, FollowedChange['item']>()
    const stop = new AbortController()
    const following = (async () => {
      for await (const { item } of follow({ base: base(), signal: stop.signal, firstPause: 0.1 }))
        followed.set(`${item.locale} ${item.path}`, item)
    })().catch((error: Error) => error)
    try {
      for (let n = 0; n < KILLS; n += 1) {
        for (let i = random.below(IMPORTS_PER_KILL); i >= 0; i -= 1) {
          const { source, options, fails } = nextImport()
          const importing = runImport(owner, async () => source, options).catch((error: unknown) => {
            if (!fails) throw error
          })
          if (random.once(2)) random.pick(clients).reconnect()
          if (i === 0) {
            // At any moment of an import, and of what the streams send of it.
            await pause(random.below(60))
            process.kill(lectern.pid, 'SIGKILL')
          }
          await importing
        }
        for (const client of clients) client.apply()
        await start()
        for (const client of clients) client.reconnect()
      }
      for (const client of clients) {
        const items = await list(client.query.replace(/[?&]limit=\d/, '').replace('?', ''))
        await until(`the client of ${client.query} has the list`, () => client.has(items))
      }
      const items = await list('')
      await until('follow() has the list', () => {
        const short = (all: Iterable<FollowedChange['item']>) =>
          [...all]
            .map(({ type, locale, path, changed_at }) => [type, locale, path, changed_at].join(' '))
            .sort()
        return short(followed.values()).join('\n') === short(items).join('\n')
      })
    } finally {
      stop.abort()
      await following
      for (const client of clients) client.close()
      await owner.close()
    }
  })
})

const CLIENTS = 1000
/** Bytes of memory that a client may cost. It ends what leaks, and is no promise. */
const CLIENT_BYTES_MAX = 60_000

describe(`streams of an attached Wiki.js, with ${CLIENTS} clients`, () => {
  let postgres: Postgres
  let lectern: Lectern
  let client: pg.Client
  let wikijs: Wikijs
  before(async () => {
    postgres = await startPostgres({ log_statement: 'all' })
    await postgres.query('create database wikijs')
    const url = postgres.url.replace(/postgres$/, 'wikijs')
    client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('set search_path = public')
    await client.query(readFileSync(packagePath('test', 'support', 'wikijs-2.5.sql'), 'utf8'))
    await client.query('set search_path = pg_catalog')
    wikijs = new Wikijs(client as unknown as pg.PoolClient)
    await wikijs.guests([{}])
    const attached = await runLectern(['attach', 'wikijs'], { DATABASE_URL: url })
    expect(attached.status, attached.stderr).to.equal(0)
    lectern = await startLectern({ DATABASE_URL: url, TRUSTED_PROXIES: '1' })
  })
  after(async () => {
    await lectern?.stop()
    await client?.end()
    await postgres?.remove()
  })

  const memory = async () => {
    const { text } = await request(`${lectern.internalUrl}/metrics`)
    return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1])
  }

  it('an edit is at all of them within 1 s, and costs them one query together', async () => {
    const arrivals = new Map<number, number>()
    let open = 0
    const connect = (n: number) => {
      const headers = { Accept: 'text/event-stream', 'X-Forwarded-For': `192.0.${n >> 8}.${n & 255}` }
      const sent = httpRequest(`${lectern.url}/changes?after=now`, { agent: false, headers })
      sent.on('error', () => {})
      sent.on('response', (response) => {
        expect(response.statusCode).to.equal(200)
        open += 1
        response.on('error', () => {})
        response.on('data', (chunk: Buffer) => {
          if (chunk.includes('event: upsert')) arrivals.set(n, arrivals.get(n) ?? performance.now())
        })
      })
      sent.end()
      return sent
    }
    const warm = Array.from({ length: 50 }, (_, n) => connect(CLIENTS + n))
    await until('the first are open', () => open === 50)
    const before = await memory()
    const clients = Array.from({ length: CLIENTS }, (_, n) => connect(n))
    try {
      await until('all are open', () => open === 50 + CLIENTS)
      expect(((await memory()) - before) / CLIENTS).to.be.below(CLIENT_BYTES_MAX)
      const reads = postgres.runs('changes')
      const editedAt = performance.now()
      await wikijs.create({ path: 'tea', title: 'Tea' })
      await until('all have the edit', () => arrivals.size === open)
      takesAtMost(
        1000,
        `an edit of Wiki.js is at 99 % of ${CLIENTS} streams`,
        [...arrivals.values()][Math.floor(0.99 * open)]! - editedAt,
      )
      // One for the edit, or for each of its two steps; a heartbeat, or the notice that its page is indexed, may bring another one.
      expect(postgres.runs('changes') - reads).to.be.within(1, 3)
    } finally {
      for (const one of [...warm, ...clients]) one.destroy()
    }
  })
})
