import { rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { openDatabase } from '../../src/db/open-database.ts'
import { lectern as runLectern } from '../support/cli.ts'
import { type Lectern, request, startLectern } from './support/lectern.ts'
import { percentile, runFaultLoad } from './support/load.ts'
import { type Postgres, startWiki } from './support/postgres.ts'

/**
 * The service aims at half a second for the requests that it accepts, and at 0.1 s of event loop lag. The results are in
 * docs/reliability.md. These bounds leave room for a busy machine. Without admission control, the last of these
 * requests would wait for eight seconds or more.
 */
const ACCEPTED_P99_MS = 2_000
const LAG_P99_SECONDS = 1

/** Words that occur in nearly every page of the large wiki. */
const COMMON = 'leaf water kettle saucer strainer caddy gaiwan tannin steam press roast blend'.split(' ')
/** The most expensive queries: many common words, as a phrase, with `or`, with exclusions, with typos, in pairs of characters. */
const EXPENSIVE_SEARCHES = [
  COMMON.join(' '),
  COMMON.join(' or '),
  `"${COMMON.slice(0, 6).join(' ')}"`,
  COMMON.slice(1)
    .map((word, n) => `"${COMMON[n]} ${word}"`)
    .slice(0, 10)
    .join(' or '),
  `${COMMON[0]} -"${COMMON[2]} ${COMMON[1]}" -"${COMMON[4]} ${COMMON[3]}" -"${COMMON[6]} ${COMMON[5]}"`,
  COMMON.map((word) => word.replace(/(.)(.)$/, '$2$1')).join(' '),
  `${COMMON.join(' ')} qqxzzyk`,
  '茶の木の葉を水で',
]

/** A wiki of `pages` pages that contain the common words in all orders. */
const crowd = (pages: number): string => {
  const lines = Array.from({ length: pages }, (_, n) => {
    const words = Array.from({ length: 240 }, (_, i) => COMMON[(i * (n + 1) + (i >> 3)) % COMMON.length])
    return JSON.stringify({
      type: 'page',
      locale: 'en',
      path: `crowd-${n}`,
      state: 'live',
      revisions: [
        {
          created_at: '2024-05-01T12:00:00Z',
          author: 'Ada',
          status: 'accepted',
          title: `${COMMON[n % 12]} ${COMMON[(n * 7 + 1) % 12]} ${n}`,
          markdown: `${words.slice(0, 120).join(' ')}\n\n## ${words.slice(0, 3).join(' ')}\n\n${words.slice(120).join(' ')} 茶の木の葉を水で ${n}`,
        },
      ],
    })
  })
  return `${lines.join('\n')}\n`
}

describe('overload', () => {
  let postgres: Postgres
  let lectern: Lectern
  before(async () => {
    postgres = await startWiki()
    const file = join(tmpdir(), `lectern-crowd-${process.pid}.ndjson`)
    writeFileSync(file, crowd(3_000))
    const imported = await runLectern(['import', 'ndjson', file], { DATABASE_URL: postgres.url })
    rmSync(file)
    expect(imported.status, imported.stderr).to.equal(0)
    lectern = await startLectern({ DATABASE_URL: postgres.url, TRUSTED_PROXIES: '1', RATE_LIMIT: '600000' })
  })
  after(async () => {
    await lectern?.stop()
    await postgres?.remove()
  })

  const metric = async (name: string): Promise<number> => {
    const { text } = await request(`${lectern.internalUrl}/metrics`)
    const line = text.split('\n').find((one) => one.startsWith(`${name} `))
    if (line === undefined) throw new Error(`no ${name}`)
    return Number(line.slice(name.length + 1))
  }

  const expensive: [string, string][] = [
    ['searches', '/search?q=tea%20-x{n}&limit=50'],
    ['lists', '/recent?limit=200&before=2024-09-15T12:13:00.{n}Z'],
  ]
  for (const [what, path] of expensive) {
    it(`${what} at three times the capacity: 503 with Retry-After for the excess, cached responses for everyone`, async () => {
      const load = { url: lectern.url, paths: [path], clients: 200 }
      await runFaultLoad({ ...load, connections: 32, seconds: 1 }) // until the code is compiled
      const { answered } = await runFaultLoad({ ...load, connections: 32, seconds: 2 })
      const capacity = answered.length / 2
      await metric('nodejs_eventloop_lag_p99_seconds') // each scrape resets the maximum
      const [excess, cached] = await Promise.all([
        runFaultLoad({ ...load, connections: 1_000, rate: 3 * capacity, seconds: 4 }),
        runFaultLoad({ url: lectern.url, paths: ['/pages/sencha'], connections: 10, rate: 50, seconds: 4 }),
      ])
      expect(excess.refused.length).to.be.above(0)
      expect([excess.broken, excess.withoutRetryAfter]).to.deep.equal([0, 0])
      expect(percentile(excess.answered, 0.99)).to.be.below(ACCEPTED_P99_MS)
      expect(percentile(excess.refused, 0.99)).to.be.below(ACCEPTED_P99_MS)
      expect(excess.answered.length / 4).to.be.above(capacity / 5)
      expect([cached.broken, cached.refused.length]).to.deep.equal([0, 0])
      expect(percentile(cached.answered, 0.99)).to.be.below(ACCEPTED_P99_MS)
      const lag = await metric('nodejs_eventloop_lag_p99_seconds')
      expect(lag).to.be.below(LAG_P99_SECONDS)
      console.log(
        `      ${what}: ${capacity.toFixed(0)}/s alone; of ${(3 * capacity).toFixed(0)}/s ${(excess.answered.length / 4).toFixed(0)}/s served, p99 ${percentile(excess.answered, 0.99).toFixed(0)} ms; ${(excess.refused.length / 4).toFixed(0)}/s shed, p50 ${percentile(excess.refused, 0.5).toFixed(0)} ms; cached responses p99 ${percentile(cached.answered, 0.99).toFixed(0)} ms; lag p99 ${(lag * 1000).toFixed(0)} ms`,
      )
    })
  }

  it('expensive searches of 200 clients within their rate limit: the excess gets 503, and pages and lists of others arrive in time', async () => {
    const searching = {
      url: lectern.url,
      paths: EXPENSIVE_SEARCHES.map((q) => `/search?limit=50&q=${encodeURIComponent(q)}%20-x{n}`),
      clients: 200,
    }
    /** Different pages and parts of lists for each client, so that no response is cached yet. */
    const reading = (of: string) => ({
      url: lectern.url,
      paths: [`/pages/${of}`, `/pages?limit=50&after=${of}`, `/pages/${of}/history`],
      clients: 100,
      connections: 20,
      rate: 30,
    })
    await runFaultLoad({ ...searching, connections: 4, seconds: 3 }) // until the code is compiled
    const alone = await runFaultLoad({ ...reading('crowd-2{n}'), seconds: 3 })
    await metric('nodejs_eventloop_lag_p99_seconds') // each scrape resets the maximum
    const flood = runFaultLoad({ ...searching, connections: 200, rate: 300, seconds: 5 })
    const others = runFaultLoad({ ...reading('crowd-1{n}'), seconds: 5 })
    const [searches, pages] = await Promise.all([flood, others])
    const lag = await metric('nodejs_eventloop_lag_p99_seconds')
    console.log(
      `      of 300 searches per second ${(searches.answered.length / 5).toFixed(0)} served, p99 ${percentile(searches.answered, 0.99).toFixed(0)} ms; ${(searches.refused.length / 5).toFixed(0)} shed, p50 ${percentile(searches.refused, 0.5).toFixed(0)} ms; pages and lists of others p99 ${percentile(alone.answered, 0.99).toFixed(0)} ms alone, then p50 ${percentile(pages.answered, 0.5).toFixed(0)} ms, p99 ${percentile(pages.answered, 0.99).toFixed(0)} ms; lag p99 ${(lag * 1000).toFixed(0)} ms`,
    )
    expect(searches.refused.length).to.be.above(0)
    expect([searches.broken, searches.withoutRetryAfter]).to.deep.equal([0, 0])
    expect(searches.answered.length).to.be.above(0)
    expect([pages.broken, pages.refused.length]).to.deep.equal([0, 0])
    expect(pages.answered.length).to.be.above(75)
    expect(percentile(pages.answered, 0.99)).to.be.below(ACCEPTED_P99_MS)
  })

  it('a statement with its own timeout ends after it, and the next on the connection has the common timeout', async () => {
    const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' }, 'reader')
    try {
      const slow = { name: 'slow', text: 'select pg_sleep(20)', timeoutMs: 50 }
      for (let n = 0; n < 12; n++) {
        const error = await database.query(slow, []).catch((error: unknown) => error)
        expect(error).to.be.instanceOf(Unavailable)
        expect((error as Error).cause).to.have.property('code', '57014')
      }
      const statement = { name: 'shown', text: "select current_setting('statement_timeout') as timeout" }
      expect(await database.query({ ...statement, timeoutMs: 700 }, [])).to.deep.equal([{ timeout: '700ms' }])
      expect(await database.query(statement, [])).to.deep.equal([{ timeout: '2500ms' }])
    } finally {
      await database.close()
    }
  })

  /** One request of each client from number `from` to `to`, as a proxy forwards them, 100 at a time on one connection. */
  const visit = (from: number, to: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port, pathname } = new URL(lectern.url)
      const socket = connect(Number(port), hostname)
      let next = from
      let waiting = 0
      let responses = 0
      const send = () => {
        let text = ''
        for (; waiting < 100 && next < to; next++, waiting++) {
          const address = `10.${(next >> 16) & 255}.${(next >> 8) & 255}.${next & 255}`
          text += `HEAD ${pathname}/pages/sencha HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`
        }
        if (text !== '') socket.write(text)
      }
      socket.setEncoding('latin1').on('data', (text: string) => {
        const more = text.split('HTTP/1.1 200').length - 1
        responses += more
        waiting -= more
        if (responses === to - from) {
          socket.destroy()
          resolve(responses)
        } else if (waiting === 0) send()
      })
      socket.on('error', reject)
      socket.on('close', () => reject(new Error(`closed after ${responses} of ${to - from}`)))
      send()
    })

  it('after 100,000 client addresses, the process uses at most 512 MB', async () => {
    const part = 12_500
    const counts = await Promise.all(Array.from({ length: 8 }, (_, n) => visit(n * part, (n + 1) * part)))
    expect(counts).to.deep.equal(Array(8).fill(part))
    const bytes = await metric('process_resident_memory_bytes')
    expect(bytes).to.be.below(512 * 1024 * 1024)
    console.log(`      ${(bytes / 1024 / 1024).toFixed(0)} MB`)
  })
})
