import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { lectern as runLectern } from '../support/cli.ts'
import { EventStream } from '../support/event-stream.ts'
import { SAMPLE_WIKI } from '../support/sample.ts'
import { until } from '../support/until.ts'
import { openHttp2Stream, sendHttp1, sendHttp2 } from './support/http-client.ts'
import { importWorldInto } from './support/import-world.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type ReverseProxy, startCaddy, startHaproxy, startNginx, type Upstream } from './support/proxies.ts'
import { freePort } from './support/server-process.ts'

const BASE_URL = 'https://api.wiki.example/api/v1'
/** Requests a minute, of each address. */
const RATE_LIMIT = 20

const DUMP = gzipSync(Buffer.from(Array.from({ length: 5000 }, (_, n) => `line ${n * n}`).join('\n')))

describe('proxies with the documented configurations', () => {
  let folder: string
  let lectern: Lectern
  let upstream: Upstream
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-proxies-'))
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'dumps'))
    writeFileSync(join(folder, 'dumps', 'wiki.ndjson.gz'), DUMP)
    writeFileSync(join(folder, 'dumps', 'wiki.ndjson.gz.partial'), 'x')
    // An import replaces the wiki of a first start, but adds to one that was imported.
    const imported = await runLectern(['import', 'ndjson', SAMPLE_WIKI], { DATA_DIR: join(folder, 'data') })
    expect(imported.status, imported.stderr).to.equal(0)
    upstream = { port: await freePort(), internalPort: await freePort() }
    lectern = await startLectern({
      DATA_DIR: join(folder, 'data'),
      PORT: String(upstream.port),
      INTERNAL_PORT: String(upstream.internalPort),
      BASE_URL,
      TRUSTED_PROXIES: '1',
      RATE_LIMIT: String(RATE_LIMIT),
    })
  })
  after(async () => {
    await lectern?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Each test has addresses of its own, because the rate limit counts them. */
  let clients = 1
  const newClient = () => `127.0.0.${++clients}`

  const STARTS: Record<string, () => Promise<ReverseProxy>> = {
    nginx: () => startNginx(upstream, join(folder, 'dumps')),
    Caddy: () => startCaddy(upstream, join(folder, 'dumps')),
    HAProxy: () => startHaproxy(upstream),
  }
  for (const [name, start] of Object.entries(STARTS)) {
    describe(name, () => {
      let proxy: ReverseProxy
      before(async () => {
        proxy = await start()
      })
      after(() => proxy?.stop())
      const get = (path: string, headers: Record<string, string> = {}, from = newClient()) =>
        sendHttp1({ port: proxy.port, tls: true, path: `/api/v1${path}`, headers, from })

      it('forwards a page, whose links have the public address, and its 304', async () => {
        const { status, headers, body } = await get('/pages/sencha')
        expect(status).to.equal(200)
        expect(headers['access-control-allow-origin']).to.equal('*')
        expect(headers['cache-control']).to.match(/^public, max-age=[1-6]?\d$/)
        expect(JSON.parse(body.toString()).url).to.match(/^https:\/\/api\.wiki\.example\/wiki\/en\//)
        const second = await get('/pages/sencha', { 'If-None-Match': headers.etag! })
        expect([second.status, second.body.length, second.headers.etag]).to.deep.equal([304, 0, headers.etag])
        expect((await get('/pages/none')).status).to.equal(404)
      })

      it('forwards a compressed response as it is, with its ETag', async () => {
        const { headers, body } = await get('/pages?limit=200', { 'Accept-Encoding': 'gzip' })
        expect(headers['content-encoding']).to.equal('gzip')
        expect(JSON.parse(gunzipSync(body).toString()).items).to.have.length.above(20)
        const direct = await sendHttp1({
          ...upstream,
          tls: false,
          path: '/api/v1/pages?limit=200',
          headers: { 'Accept-Encoding': 'gzip' },
        })
        expect(headers.etag).to.equal(direct.headers.etag)
        expect(headers.vary).to.equal(direct.headers.vary)
      })

      it('lets the rate limit count the address of the client, which no X-Forwarded-For can forge', async () => {
        const client = newClient()
        const statuses: number[] = []
        for (let n = 0; n < RATE_LIMIT + 2; n++)
          statuses.push(
            (await get('/', { 'X-Forwarded-For': `192.0.2.${n}, 198.51.100.${n}` }, client)).status,
          )
        expect(statuses).to.deep.equal([...Array(RATE_LIMIT).fill(200), 429, 429])
        expect((await get('/')).status, 'another client').to.equal(200)
      })

      it('speaks HTTP/2', async () => {
        expect(await sendHttp2(proxy.port, '/api/v1/pages/sencha')).to.equal(200)
      })

      it('passes each event of a stream on at once, over HTTP/1.1 and HTTP/2', async () => {
        const path = '/api/v1/changes?after=now'
        const direct = new EventStream(`http://127.0.0.1:${upstream.port}${path}`)
        const http1 = new EventStream(`https://127.0.0.1:${proxy.port}${path}`)
        const http2 = openHttp2Stream(proxy.port, path)
        try {
          await until('all streams have begun', () =>
            [direct.text, http1.text, http2.text()].every((text) => text.startsWith('retry: ')),
          )
          const environment = { DATA_DIR: join(folder, 'data') }
          await importWorldInto(environment, { pages: [{ path: `through ${name}` }] })
          await until('the event is there without a proxy', () => direct.text.includes(`through ${name}`))
          const ms = await until('the event has passed the proxy', () =>
            [http1.text, http2.text()].every((text) => text.includes(`through ${name}`)),
          )
          takesAtMost(1000, 'an event passes a proxy', ms)
          expect([http1.isClosed, http2.isEnded()]).to.deep.equal([false, false])
        } finally {
          direct.close()
          http1.close()
          http2.close()
        }
      })

      if (name === 'HAProxy') return
      it('serves dumps as they are, in parts too, and not the file of a running export', async () => {
        const dumps = { port: proxy.dumpsPort!, tls: true, from: newClient() }
        const path = proxy.dumpsPort === proxy.port ? '/dumps/wiki.ndjson.gz' : '/wiki.ndjson.gz'
        const { status, headers, body } = await sendHttp1({
          ...dumps,
          path,
          headers: { 'Accept-Encoding': 'gzip' },
        })
        expect([status, headers['content-encoding'], headers['access-control-allow-origin']]).to.deep.equal([
          200,
          undefined,
          '*',
        ])
        expect(body.equals(DUMP)).to.equal(true)
        const rest = await sendHttp1({ ...dumps, path, headers: { Range: 'bytes=100-' } })
        expect([rest.status, rest.body.equals(DUMP.subarray(100))]).to.deep.equal([206, true])
        expect((await sendHttp1({ ...dumps, path: `${path}.partial` })).status).to.equal(404)
      })
    })
  }
})
