import { once } from 'node:events'
import { connect } from 'node:net'
import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { type Logger, pino } from 'pino'
import { readConfig } from '../src/config.ts'
import { LINE_FORMAT } from '../src/log/log.ts'
import type { Exchange } from '../src/rest/transport/exchange.ts'
import { makeRefusalLog, makeRequestLog } from '../src/rest/transport/request-log.ts'
import { makeExplainer } from '../src/rest/transport/response-sender.ts'
import { type Service, serve } from '../src/server/server.ts'
import { testDatabase } from './support/database.ts'
import { until } from './support/until.ts'
import { makeWorld } from './support/world.ts'

type Line = Record<string, unknown>

const logInto = (lines: Line[]) =>
  pino(
    { level: 'info', serializers: LINE_FORMAT.serializers },
    { write: (line) => lines.push(JSON.parse(line)) },
  )

describe('refused requests in the log', () => {
  describe('of a service with RATE_LIMIT=5', () => {
    const lines: Line[] = []
    let service: Service
    beforeEach(async () => {
      lines.length = 0
      const { reader, place } = await testDatabase()
      await makeWorld({ pages: [{ path: 'tea' }] })
      const config = {
        ...readConfig({}),
        ...place,
        port: 0,
        host: '127.0.0.1',
        internalPort: 0,
        rateLimit: 5,
      }
      service = await serve(config, reader, logInto(lines))
    })
    afterEach(() => service?.close())

    /** Sends the requests on one connection, and counts the responses. The last request closes the connection. */
    const send = async (requests: string[]): Promise<number> => {
      const socket = connect(Number(new URL(service.listeningUrl).port), '127.0.0.1')
      let text = ''
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk
      })
      for (const request of requests) {
        const before = text.length
        socket.write(request)
        while (!text.includes('\r\n\r\n', before)) await once(socket, 'data')
      }
      socket.destroy()
      return text.split('HTTP/1.1 429 ').length - 1
    }
    const get = (target: string, method = 'GET') => `${method} ${target} HTTP/1.1\r\nHost: x\r\n\r\n`

    it('are told apart from assets, which are logged at debug', async () => {
      const page = await (await fetch(service.listeningUrl)).text()
      const asset = /assets\/\w+\/landing\.js/.exec(page)![0]
      await send([get(`/api/v1/docs/${asset}`), get('/api/v1/docs/assets/none.css')])
      const logged = lines.splice(0).flatMap(({ url, status }) => (url ? [[url, status]] : []))
      expect(logged.slice(-2)).to.deep.equal([
        ['/', 200],
        ['/api/v1/docs/assets/none.css', 404],
      ])
    })

    it('a request has its size and user agent; one warning tells of an address in X-Forwarded-For that is not read, one of a host to which links do not lead', async () => {
      await fetch(service.listeningUrl)
      lines.length = 0
      const agent = `reader/1 ${'x'.repeat(1_000)}`
      const forwarded = (target: string) =>
        `GET ${target} HTTP/1.1\r\nHost: x\r\nUser-Agent: ${agent}\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n`
      const requests = (host: string, count: number) =>
        Array<string>(count).fill(forwarded('/robots.txt').replace('Host: x', `Host: ${host}`))
      await send([...requests('scanner', 9), ...requests('x', 9)])
      expect(lines.filter(({ level }) => level === 40)).to.have.length(1)
      await send([forwarded('/'), forwarded('/')])
      await until('all are logged', () => lines.filter(({ msg }) => msg === 'request').length >= 20)
      const warnings = lines.filter(({ level }) => level === 40)
      expect(warnings).to.have.length(2)
      expect(warnings[1]!.msg).to.include('Set BASE_URL')
      expect(warnings[1]!.host).to.equal('x')
      expect(warnings[0]!.msg).to.include('Behind a proxy, set TRUSTED_PROXIES=1')
      expect(warnings[0]!.proxy).to.equal('127.0.0.1')
      const robots = lines.find(({ url }) => url === '/robots.txt')
      expect(robots).to.include({ client: '127.0.0.1', agent: `${agent.slice(0, 200)}…` })
      expect(robots!.bytes).to.be.within(200, 2_000)
    })

    it('one warning tells that ten requests in a row passed fewer proxies than TRUSTED_PROXIES says', () => {
      const warnings: object[] = []
      const logger = { isLevelEnabled: () => false, warn: (found: object) => warnings.push(found) }
      const { logOnClose } = makeRequestLog(logger as unknown as Logger, 2, () => false)
      const send = (count: number, headers: object) => {
        for (let n = 0; n < count; n++) logOnClose({ request: { headers } } as Exchange)
      }
      send(9, { 'x-forwarded-for': '192.0.2.9' })
      send(1, { 'x-forwarded-for': '192.0.2.9, 192.0.2.10' })
      send(9, { 'x-forwarded-for': '192.0.2.9' })
      send(20, {})
      expect(warnings).to.deep.equal([])
      send(20, { 'x-forwarded-for': '192.0.2.9' })
      expect(warnings).to.deep.equal([{ passed: 1, trustedProxies: 2 }])
    })

    it('get ten lines per minute and client, then a summary; URLs are cut after 1,000 characters', async () => {
      const long = `/api/v1/pages?pad=${'x'.repeat(15_000)}`
      expect(await send(Array(5 + 200).fill(get(long)))).to.equal(200)
      await send(Array(100).fill(get('/api/v1/', 'OPTIONS')))
      for (let n = 0; n < 30; n++) await send(['nonsense\r\n\r\n'])
      await service.close()
      const requests = lines.filter(({ msg }) => msg === 'request')
      expect(requests.filter(({ status }) => status === 200)).to.have.length(5)
      expect(requests.filter(({ status }) => status === 429)).to.have.length(10)
      expect(requests).to.have.length(15)
      expect(new Set(requests.map(({ url }) => url))).to.deep.equal(new Set([`${long.slice(0, 1_000)}…`]))
      expect(lines.filter(({ msg }) => msg === 'refused')).to.deep.equal([])
      const summary = lines.find(({ msg }) => msg === 'more refused')!
      expect(summary.client).to.equal('127.0.0.1')
      expect(summary.statuses).to.deep.equal({ 204: 100, 400: 30, 429: 190 })
      expect(lines.map((line) => JSON.stringify(line).length).every((length) => length < 1_500)).to.equal(
        true,
      )
    })
  })

  it('the summary of a minute names the clients with most refusals, IPv6 by /64, and adds up the others', () => {
    const lines: Line[] = []
    const bounds = { windowMs: 60_000, perClient: 2, lines: 50, clients: 40, named: 3 }
    const log = makeRefusalLog(logInto(lines), bounds)
    const refuse = (client: string, times: number, status = 429) =>
      Array.from({ length: times }, () => log.shouldLog(client, status)).filter(Boolean).length
    expect(refuse('192.0.2.1', 10)).to.equal(2)
    expect(refuse('192.0.2.1', 3, 503)).to.equal(0)
    expect(refuse('2001:db8:1:2::5', 1)).to.equal(1)
    expect(refuse('2001:db8:1:2:ffff::6', 20)).to.equal(1)
    for (let n = 1; n <= 60; n++) refuse(`198.51.100.${n}`, 3)
    log.summarize()
    const summaries = lines.map(({ client, statuses, msg }) => ({ client, statuses, msg }))
    expect(summaries[0]).to.deep.equal({
      client: '2001:db8:1:2::/64',
      statuses: { 429: 19 },
      msg: 'more refused',
    })
    expect(summaries[1]).to.deep.equal({
      client: '192.0.2.1',
      statuses: { 429: 8, 503: 3 },
      msg: 'more refused',
    })
    expect(summaries).to.have.length(4)
    // Sixty clients were refused 180 times. Of the 50 lines, 4 belong to the clients above.
    expect(summaries[2]!.statuses).to.deep.equal({ 429: 3 })
    expect(summaries[3]!).to.deep.equal({
      client: undefined,
      statuses: { 429: 180 - 46 - 3 },
      msg: 'more refused',
    })
    lines.length = 0
    log.summarize()
    expect(lines).to.deep.equal([])
    expect(refuse('192.0.2.1', 10)).to.equal(2)
  })
})

describe('errors in the log', () => {
  it('are written once a second for each kind of 503, and each time for defects', () => {
    const lines: Line[] = []
    let now = 0
    const explain = makeExplainer(logInto(lines), () => now)
    const request = { id: 'x', route: 'pages' }
    const loseDatabase = () => explain(new Unavailable(undefined, 1, new Error('ECONNREFUSED')), request)
    for (let i = 0; i < 3; i++) loseDatabase()
    explain(new Unavailable('The service is stopping.'))
    const told = lines.map(({ msg, err }) => [msg, (err as Error).message])
    expect(told).to.deep.equal([
      ['A request failed', 'ECONNREFUSED'],
      ['A request failed', 'The service is stopping.'],
    ])
    expect(lines[0]).to.include(request)
    now = 1_000
    loseDatabase()
    for (let i = 0; i < 2; i++) explain(new Error('a defect'))
    expect(lines).to.have.length(5)
  })
})
