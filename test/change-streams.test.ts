import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { ChangeStreams } from '../src/rest/stream/change-streams.ts'
import { openExchange } from '../src/rest/transport/exchange.ts'
import { JSON_TYPE, textResponse } from '../src/rest/transport/responses.ts'
import { EncodedResponse } from '../src/rest/transport/send.ts'
import { EventStream } from './support/event-stream.ts'
import { until } from './support/until.ts'

const LIMITS = {
  ...{ open: 3, perClient: 2, heartbeatMs: 3_600_000, retryMs: 5, closingRetryMs: 1, partBytes: 1 },
  ...{ unreadBytes: 1e9, graceMs: 100, bytesPerSecond: 1e9 },
}
/** More bytes than the buffers of the kernel hold on loopback. */
const LARGE = 'x'.repeat(16 * 1024 * 1024)

describe('streams of changes', () => {
  const closers: (() => void)[] = []
  afterEach(() => {
    for (const close of closers.splice(0)) close()
  })

  /** Streams over a list whose cursors are numbers. @param list its items; read once for each call of `read` */
  const start = async (list: object[], { limits = {}, read = async () => {} } = {}) => {
    const reads: string[] = []
    const streams = new ChangeStreams(
      {
        read: async ({ url }) => {
          reads.push(url)
          await read()
          const after = Number(new URL(url, 'http://x').searchParams.get('after') ?? 0)
          const items = list.slice(after, after + 1).map((item) => ({ ...item, cursor: `${after + 1}` }))
          const next = list.length > after + 1 ? `${after + 1}` : ''
          const body = JSON.stringify({ items, next, cursor: `${after + items.length}` })
          const response = new EncodedResponse(textResponse(body, JSON_TYPE, 0))
          return { response, createdAt: 0, expiresAt: 0, route: 'changes' }
        },
        sender: {
          countResponse: () => {},
          sendError: ({ response }, error) => {
            if (!response.headersSent) response.writeHead((error as Unavailable).status).end('{}')
            else response.destroy()
          },
        },
      },
      { ...LIMITS, ...limits },
    )
    const handle: RequestListener = (request, response) => {
      const exchange = openExchange(request, response, { trustedProxies: 1, knowsClients: true })!
      try {
        streams.handle(exchange)
      } catch (error) {
        response.writeHead((error as Unavailable).status, (error as Unavailable).headers).end('{}')
      }
    }
    const server = createServer(handle).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => {
      streams.close()
      server.close()
      server.closeAllConnections()
    })
    const connect = (headers = {}) => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/changes`
      const stream = new EventStream(url, headers)
      closers.push(() => stream.close())
      return stream
    }
    return { streams, reads, connect }
  }
  const item = (path: string, more = {}) => ({ type: 'upsert', path, ...more })

  it('503 beyond the streams of a process, 429 beyond those of a client', async () => {
    const { connect } = await start([])
    const of = async (client: string) => (await connect({ 'X-Forwarded-For': client }).untilOpen()).status
    const statuses = []
    for (const client of [1, 1, 1, 2, 3]) statuses.push(await of(`192.0.2.${client}`))
    expect(statuses).to.deep.equal([200, 200, 429, 200, 503])
  })

  it('a heartbeat keeps the connection awake, and finds a change of which no notice came', async () => {
    const list = [item('tea')]
    const { connect } = await start(list, { limits: { heartbeatMs: 20 } })
    const stream = connect()
    await stream.untilEvents(1)
    list.push(item('mate'))
    await stream.untilEvents(2)
    await until('a comment has come', () => stream.text.includes('\n\n:\n\n'))
    expect(stream.paths).to.deep.equal(['tea', 'mate'])
  })

  it('a wake-up during a read, and one during a failure, are not lost', async () => {
    const list = [item('tea')]
    let failures = 0
    let changes = 2
    const { streams, connect } = await start(list, {
      read: async () => {
        await pause(1)
        if (failures-- > 0) throw new Unavailable()
      },
    })
    const stream = connect()
    await stream.untilEvents(1)
    for (; changes > 0; changes -= 1) {
      failures = 3
      streams.wake()
      await pause(1)
      list.push(item(`page-${changes}`))
      streams.wake()
    }
    await stream.untilEvents(3)
    expect(stream.paths).to.deep.equal(['tea', 'page-2', 'page-1'])
  })

  it('clients at one cursor share a read', async () => {
    const list = [item('tea')]
    const { streams, reads, connect } = await start(list)
    const clients = [1, 2, 3].map((n) => connect({ 'X-Forwarded-For': `192.0.2.${n}` }))
    await Promise.all(clients.map((client) => client.untilEvents(1)))
    reads.length = 0
    list.push(item('mate'))
    streams.wake()
    await Promise.all(clients.map((client) => client.untilEvents(2)))
    expect(reads).to.deep.equal(['/api/v1/changes?after=1'])
  })

  for (const [what, limits] of Object.entries({
    'reads nothing': {},
    'leaves more unread than all may': { unreadBytes: 1024 * 1024, graceMs: 3_600_000 },
  }))
    it(`a client that ${what} is disconnected, and continues with its cursor`, async () => {
      const list = [item('tea'), item('large', { markdown: LARGE }), item('mate')]
      const { streams, reads, connect } = await start(list, { limits })
      const slow = connect()
      slow.pause()
      await until('the stream is closed', () => reads.length > 0 && streams.open === 0)
      expect(reads, 'nothing is read ahead').to.have.length(2)
      slow.resume()
      await slow.untilClosed()
      expect(slow.paths).to.deep.equal(['tea'].slice(0, slow.paths.length))
      const other = connect({ 'Last-Event-ID': '2' })
      await other.untilEvents(1)
      expect(other.paths).to.deep.equal(['mate'])
    })

  it('a client that reads gets a large item, and what follows it', async () => {
    const { connect } = await start([item('large', { markdown: LARGE.slice(0, 2 ** 20) }), item('mate')], {
      limits: { graceMs: 60_000 },
    })
    const stream = connect()
    await stream.untilEvents(2)
    expect(stream.paths).to.deep.equal(['large', 'mate'])
  })
})
