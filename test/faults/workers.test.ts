import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import pg from 'pg'
import { EventStream } from '../support/event-stream.ts'
import { until } from '../support/until.ts'
import { importWorld } from './support/import-world.ts'
import { type Lectern, request, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startWiki } from './support/postgres.ts'
import { freePort } from './support/server-process.ts'

describe('workers', () => {
  let postgres: Postgres
  let lectern: Lectern

  before(async () => {
    postgres = await startWiki()
    lectern = await startLectern({ DATABASE_URL: postgres.url, WORKERS: '2', LOG_LEVEL: 'info' })
  })
  after(async () => {
    await lectern?.stop()
    await postgres?.remove()
  })

  const pids = (of = lectern) => [
    ...new Set(
      of
        .logged()
        .split('\n')
        .filter((line) => line.endsWith('"request"}'))
        .map((line): number => JSON.parse(line).pid),
    ),
  ]
  const servingCount = async (of = lectern) => JSON.parse((await of.ready()).text).workers.serving

  it('one port on two addresses: each has its own listener', async () => {
    const port = String(await freePort())
    const addresses = { HOST: '127.0.0.1', PORT: port, INTERNAL_HOST: '127.0.0.2', INTERNAL_PORT: port }
    const other = await startLectern({ DATABASE_URL: postgres.url, WORKERS: '2', ...addresses })
    expect((await other.get('/pages')).status).to.equal(200)
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).to.equal(404)
    expect((await other.ready()).status).to.equal(200)
    await other.stop()
  })

  it('a request that takes too long to arrive gets 408 from a worker, too', async () => {
    const { hostname, port } = new URL(lectern.url)
    const socket = connect(Number(port), hostname)
    socket.write('GET /api/v1/ HTTP/1.1\r\nHost: x\r\n')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).to.match(/^HTTP\/1\.1 408 /)
    socket.destroy()
  })

  it('a change is at the streams of both workers within 1 s', async () => {
    const streams = Array.from({ length: 8 }, () => new EventStream(`${lectern.url}/changes?after=now`))
    try {
      await Promise.all(streams.map((stream) => stream.untilOpen()))
      await importWorld(postgres.url, { pages: [{ path: 'stream' }] })
      const ms = await until('all have the change', () =>
        streams.every(({ paths }) => paths.join() === 'stream'),
      )
      takesAtMost(1000, 'a change is at the streams of all workers', ms)
      const { text } = await request(`${lectern.internalUrl}/metrics`)
      expect(Number(/^lectern_http_streams (\d+)$/m.exec(text)![1])).to.equal(8)
    } finally {
      for (const stream of streams) stream.close()
    }
  })

  it('a worker that does not respond is replaced within 15 s', async () => {
    const responses: Promise<unknown>[] = []
    await until('both have responded', async () => {
      responses.push(...Array.from({ length: 4 }, () => lectern.get('/pages')))
      await Promise.all(responses)
      return pids().length === 2
    })
    const [frozen] = pids()
    const frozenAt = performance.now()
    process.kill(frozen!, 'SIGSTOP')
    await until('the primary ends it', () => lectern.logged().includes('It did not respond for 10 s.'))
    const ms = performance.now() - frozenAt
    expect(ms).to.be.at.least(5_000)
    takesAtMost(15_000, 'a worker that does not respond is ended', ms)
    await until('two workers serve', async () => (await servingCount()) === 2)
  })

  it('a worker that cannot start does not stop the other, and serves again as soon as possible', async () => {
    const fresh = await startLectern({ DATABASE_URL: postgres.url, WORKERS: '2', LOG_LEVEL: 'info' })
    const lines = (pattern: RegExp) => [...fresh.logged().matchAll(pattern)]
    const allow = async (isAllowed: boolean) => {
      const client = new pg.Client({ connectionString: postgres.url.replace(/postgres$/, 'template1') })
      await client.connect()
      await client
        .query(`alter database postgres with allow_connections ${isAllowed}`)
        .finally(() => client.end())
    }
    await until('both have responded', async () => {
      await Promise.all(Array.from({ length: 8 }, () => fresh.get('/pages')))
      return pids(fresh).length === 2
    })
    await allow(false)
    try {
      process.kill(pids(fresh).at(-1)!, 'SIGKILL')
      await until('three starts fail', () => lines(/A worker has ended\. DATABASE_URL/g).length >= 3)
      expect((await fresh.get('/pages')).status).to.equal(200)
      expect(await servingCount(fresh)).to.equal(1)
      const pauses = lines(/"pause":(\d+)/g).map(([, pause]) => Number(pause))
      // The first pause is that of the killed worker. If it had served for 10 s, the next one is its first failure.
      expect(pauses[0]).to.equal(0)
      expect(pauses.filter((ms) => ms > 0).slice(0, 2)).to.deep.equal([100, 200])
    } finally {
      await allow(true)
    }
    await until('two workers serve', async () => (await servingCount(fresh)) === 2)
    await fresh.stop()
  })
})
