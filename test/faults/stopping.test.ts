import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { until } from '../support/until.ts'
import { request as getText, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startWiki } from './support/postgres.ts'

const CLIENTS = 32

describe('stopping under load', () => {
  let postgres: Postgres
  before(async () => {
    postgres = await startWiki()
  })
  after(() => postgres?.remove())

  const start = (environment: Record<string, string> = {}) =>
    startLectern({ DATABASE_URL: postgres.url, ...environment }, { nodeOptions: [] })

  /** One request on a persistent connection. */
  const send = (agent: Agent, url: string) =>
    new Promise<{ status: number; connection?: string; isWhole: boolean }>((resolve, reject) => {
      request(url, { agent }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            connection: response.headers.connection,
            isWhole: response.complete && bytes === Number(response.headers['content-length']),
          }),
        )
      })
        .on('error', reject)
        .end()
    })

  it('SIGTERM: every accepted request gets its whole response, and the process ends within 10 s with status 0', async () => {
    const lectern = await start()
    const responses: { status: number; connection?: string; isWhole: boolean }[] = []
    const errors: string[] = []
    const paths = ['/pages/sencha?format=both', '/pages?limit=200', '/recent', '/search?q=tea', '/']
    const perClient: number[] = Array(CLIENTS).fill(0)
    const clients = perClient.map(async (_, n) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let i = n; ; i++) {
        try {
          responses.push(await send(agent, lectern.url + paths[i % paths.length]))
          perClient[n]! += 1
        } catch (error) {
          errors.push((error as NodeJS.ErrnoException).code ?? String(error))
          agent.destroy()
          return
        }
        await wait(n % 4) // some clients send all the time, others pause
      }
    })
    await until('every client has been answered three times', () => Math.min(...perClient) >= 3)
    responses.length = 0 // while the code was new, some requests were shed
    const began = performance.now()
    const { status, signal } = await lectern.stop()
    const ms = performance.now() - began
    console.log(`      ended after ${ms.toFixed(0)} ms, ${responses.length} answers`)
    await Promise.all(clients)
    expect([status, signal]).to.deep.equal([0, null])
    takesAtMost(10_000, 'the end after SIGTERM, under load', ms)
    expect(responses.filter(({ status, isWhole }) => status !== 200 || !isWhole)).to.deep.equal([])
    expect(responses.filter(({ connection }) => connection === 'close').length).to.be.at.least(CLIENTS)
    // Each client ends only because the server accepts no new connection.
    expect(new Set(errors)).to.deep.equal(new Set(['ECONNREFUSED']))
  })

  it('ends within 10 s with status 0 even if the database is frozen', async () => {
    const lectern = await start({ CACHE_SECONDS: '0' })
    expect((await lectern.get('/pages/sencha')).status).to.equal(200)
    postgres.freeze()
    try {
      const running = lectern.get('/pages/sencha')
      await until('the request runs', async () => {
        const { text } = await getText(`${lectern.internalUrl}/metrics`)
        return /^lectern_admission_running_requests\{class="page"\} 1$/m.test(text)
      })
      const began = performance.now()
      const { status } = await lectern.stop()
      expect(status).to.equal(0)
      takesAtMost(10_500, 'the end after SIGTERM, the database is frozen', performance.now() - began)
      expect((await running).status).to.equal(503)
    } finally {
      postgres.thaw()
    }
  })
})
