import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { endEmptyRequest } from '../src/http/empty-requests.ts'
import { listen, makeHttpServer, portOf } from '../src/http/server.ts'
import { exchange } from './support/raw.ts'

/** What node:http knows of a connection: the request that its parser reads. */
type ParsedSocket = Socket & { parser: { incoming: IncomingMessage | null } }

describe('requests without a body', () => {
  let server: Server
  const requests: { name: string; events: string[]; request: IncomingMessage }[] = []
  before(async () => {
    server = makeHttpServer(0)
    server.on('request', (request, response) => {
      const events: string[] = []
      const name = `${request.method} ${request.url}`
      requests.push({ name, events, request })
      endEmptyRequest(request)
      for (const event of ['end', 'close']) request.on(event, () => events.push(event))
      if (request.url === '/wait') return
      response.end(name)
    })
    await listen(server, 0, '127.0.0.1', 'PORT')
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  beforeEach(() => {
    requests.length = 0
  })
  const origin = () => `http://127.0.0.1:${portOf(server)}`
  const head = (line: string, ...more: string[]) =>
    [`${line} HTTP/1.1`, 'Host: x', ...more].map((text) => `${text}\r\n`).join('')
  const last = `${head('GET /last', 'Connection: close')}\r\n`

  it('of a GET or HEAD have ended when they arrive, and run through no state of a stream', async () => {
    const responses = await exchange(origin(), `${head('GET /a')}\r\n${head('HEAD /b')}\r\n${last}`)
    expect(responses.map(({ status }) => status)).to.deep.equal([200, 200, 200])
    expect(requests.map(({ name }) => name)).to.deep.equal(['GET /a', 'HEAD /b', 'GET /last'])
    for (const { events, request } of requests) {
      expect(events).to.deep.equal([])
      expect([request.complete, request.readableEnded, request.readableFlowing]).to.deep.equal([
        true,
        true,
        null,
      ])
    }
  })

  it('are not kept in memory by their connection', async () => {
    const socket = connect(portOf(server), '127.0.0.1')
    socket.write(`${head('GET /a')}\r\n`)
    await once(socket, 'data')
    const { parser } = requests[0]!.request.socket as ParsedSocket
    expect(parser.incoming).to.equal(null)
    socket.destroy()
  })

  it('a body is discarded, and the connection stays usable', async () => {
    const body = 'x'.repeat(100_000)
    const withLength = `${head('GET /a', `Content-Length: ${body.length}`)}\r\n${body}`
    const chunked = `${head('GET /b', 'Transfer-Encoding: chunked')}\r\n5\r\nhello\r\n0\r\n\r\n`
    const responses = await exchange(origin(), withLength + chunked + last)
    expect(responses.map((response) => response.body)).to.deep.equal(['GET /a', 'GET /b', 'GET /last'])
    expect(requests.map(({ events }) => events)).to.deep.equal([['end', 'close'], ['end', 'close'], []])
  })

  it('of other methods end as a stream, for those who read them', async () => {
    await exchange(origin(), `${head('POST /a')}\r\n${last}`)
    expect(requests[0]!.events).to.deep.equal(['end', 'close'])
  })

  it('a client that leaves before its response ends the request', async () => {
    const socket = connect(portOf(server), '127.0.0.1')
    socket.write(`${head('GET /wait')}\r\n`)
    await once(server, 'request')
    const { request } = requests[0]!
    const closed = new Promise((resolve) => request.once('close', resolve)) // `once` would listen to errors, too
    socket.destroy()
    await closed
    expect(request.destroyed).to.equal(true)
  })
})
