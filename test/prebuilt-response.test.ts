import { once } from 'node:events'
import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import type { ConnectionTracker } from '../src/http/connections.ts'
import { canSendPrebuilt, sendsSameBytes } from '../src/http/prebuilt-response.ts'
import { Representation } from '../src/rest/representation.ts'
import { jsonResponse } from '../src/rest/responses.ts'
import { EncodedResponse, send } from '../src/rest/send.ts'
import { withTrackedServers } from './support/tracked-servers.ts'

const TEXT = JSON.stringify({ text: 'Té, чай, 茶. '.repeat(100) })
const api = (body: string) =>
  jsonResponse(body, 60, { Link: '<https://license.example/>; rel="license"', 'Content-Language': 'en' })
const ETAG = api(TEXT).headers.ETag!

describe('prebuilt responses', () => {
  const { start: startServer, open } = withTrackedServers()

  /** Whether each response was sent with `writeHead`, in the order of the requests. */
  let usesWriteHead: boolean[] = []
  const start = async (body = TEXT): Promise<{ server: Server; connections: ConnectionTracker }> => {
    usesWriteHead = []
    const cached = new EncodedResponse(api(body))
    const respond = (request: IncomingMessage, response: ServerResponse): void => {
      const n = usesWriteHead.push(false) - 1
      const { writeHead } = response
      response.writeHead = function (this: ServerResponse, ...values: unknown[]) {
        usesWriteHead[n] = true
        return writeHead.apply(this, values as [number])
      } as typeof writeHead
      const isUsual = request.url === '/usual'
      // As if somebody had set headers.
      if (isUsual) response.getHeaderNames = () => ['']
      const encoded = isUsual ? new EncodedResponse(api(body)) : cached
      send(request, response, encoded, ['X-Request-Id', 'some-id'], 3)
    }
    return startServer(respond)
  }
  /** All bytes until the server has sent `count` heads with their bodies, or has closed the connection. */
  const readAll = async (socket: Socket, isComplete: (text: string) => boolean): Promise<string> => {
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    while (!isComplete(text) && !socket.closed)
      await Promise.race([once(socket, 'data'), once(socket, 'close')])
    return text.replace(/^Date: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r$/gm, 'Date\r')
  }
  const isAnswered = (requests: number) => (text: string) => {
    let rest = text
    for (let n = 0; n < requests; n += 1) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return false
      const length = /^HTTP\/1.1 200/.test(rest) ? Number(/Content-Length: (\d+)/.exec(rest)?.[1]) : 0
      if (rest.length < end + 4 + length) return false
      rest = rest.slice(end + 4 + length)
    }
    return true
  }
  const bytesOf = async (server: Server, request: string, isComplete = isAnswered(1)) => {
    const socket = await open(server)
    socket.write(request)
    const bytes = await readAll(socket, isComplete)
    socket.destroy()
    return bytes
  }
  /** Expects the bytes that `writeHead` and `end` send, when a response is first sent, and again. */
  const compare = async (server: Server, request: (path: string) => string, isComplete = isAnswered(1)) => {
    const usual = await bytesOf(server, request('/usual'), isComplete)
    expect(usesWriteHead).to.not.include(false)
    for (let n = 1; n <= 3; n += 1) {
      usesWriteHead = []
      expect(await bytesOf(server, request('/prebuilt'), isComplete), `response ${n}`).to.equal(usual)
    }
    return { bytes: usual, usesWriteHead }
  }

  const never = () => false
  const cases: {
    name: string
    lines: string
    isPrebuilt: boolean
    until?: (text: string) => boolean
    expected: RegExp
  }[] = [
    { name: '200', lines: 'GET / HTTP/1.1', isPrebuilt: true, expected: /^HTTP\/1.1 200 OK\r\n/ },
    {
      name: '304',
      lines: `GET / HTTP/1.1\r\nIf-None-Match: ${ETAG}`,
      isPrebuilt: true,
      expected: /^HTTP\/1.1 304 Not Modified\r\n/,
    },
    {
      name: 'compressed',
      lines: 'GET / HTTP/1.1\r\nAccept-Encoding: gzip',
      isPrebuilt: true,
      expected: /\r\nContent-Encoding: gzip\r\n/,
    },
    {
      name: 'HEAD',
      lines: 'HEAD / HTTP/1.1',
      isPrebuilt: false,
      until: (text) => text.endsWith('\r\n\r\n'),
      expected: /\r\nContent-Length: \d+.*\r\n\r\n$/s,
    },
    {
      name: 'Connection: close',
      lines: 'GET / HTTP/1.1\r\nConnection: close',
      isPrebuilt: false,
      until: never,
      expected: /\r\nConnection: close\r\n/,
    },
    {
      name: 'HTTP/1.0',
      lines: 'GET / HTTP/1.0',
      isPrebuilt: false,
      until: never,
      expected: /\r\nConnection: close\r\n/,
    },
    {
      name: 'HTTP/1.0 with keep-alive',
      lines: 'GET / HTTP/1.0\r\nConnection: keep-alive',
      isPrebuilt: false,
      expected: /\r\nConnection: keep-alive\r\n/,
    },
    {
      name: '304 for HTTP/1.0 with keep-alive',
      lines: `GET / HTTP/1.0\r\nConnection: keep-alive\r\nIf-None-Match: ${ETAG}`,
      isPrebuilt: false,
      until: never,
      expected: /\r\nConnection: close\r\n/,
    },
  ]
  for (const { name, lines, isPrebuilt, until, expected } of cases) {
    it(`${name}: the same bytes as with writeHead`, async () => {
      const { server } = await start()
      const request = (path: string) => `${lines.replace(' / ', ` ${path} `)}\r\nHost: x\r\n\r\n`
      const { bytes, usesWriteHead } = await compare(server, request, until)
      expect(bytes)
        .to.match(expected)
        .and.match(/\r\nCache-Control: public, max-age=57\r\n.*Date\r\n/s)
      expect(usesWriteHead).to.deep.equal([!isPrebuilt])
    })
  }

  it('bodies of any length', async () => {
    for (const [bytes, isPrebuilt] of [
      [0, true],
      [14 * 1024, true],
      [14 * 1024 + 1, false],
      [400_000, false],
    ] as const) {
      const { server } = await start('x'.repeat(bytes))
      const result = await compare(server, (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      expect(result.bytes).to.match(new RegExp(`\r\nContent-Length: ${bytes}\r\n`))
      expect(result.usesWriteHead, `${bytes} bytes`).to.deep.equal([!isPrebuilt])
    }
  })

  it('keeps the texts of the responses that were sent again last, up to 8 MB', () => {
    const representationOf = (body: Buffer) =>
      new Representation(200, ['Content-Length', `${body.length}`], body)
    const sentTwice = (body: Buffer) => {
      const representation = representationOf(body)
      return { representation, texts: [representation.text, representation.text] }
    }
    const isKept = ({ representation, texts }: ReturnType<typeof sentTwice>) =>
      representation.text === texts[1]
    const first = sentTwice(Buffer.from('чай'))
    expect(first.texts[1]).to.deep.equal({
      head: 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n',
      body: Buffer.from('чай').toString('latin1'),
    })
    expect(first.texts[0]).to.deep.equal(first.texts[1])
    expect(first.texts[0]).to.not.equal(first.texts[1])
    const more = () => Array.from({ length: 8 * 64 }, () => sentTwice(Buffer.alloc(14 * 1024, 'x')))
    const others = more()
    expect([first, ...others].every(isKept)).to.equal(true)
    const newest = more()
    expect([first, ...others.slice(0, 400)].some(isKept)).to.equal(false)
    expect(newest.every(isKept)).to.equal(true)
  })

  it('pipelined requests: the responses come in order, whichever way each is sent', async () => {
    const { server } = await start()
    const request = (path: string) =>
      [`GET ${path}`, `GET ${path}`, `HEAD ${path}`, `GET ${path}`]
        .map((line, n) => `${line} HTTP/1.1\r\nHost: x\r\n${n === 3 ? `If-None-Match: ${ETAG}\r\n` : ''}\r\n`)
        .join('')
    const { bytes, usesWriteHead } = await compare(server, request, (text) => /304 .*\r\n\r\n$/s.test(text))
    expect(bytes.match(/HTTP\/1.1 \d{3}/g)).to.deep.equal(
      [200, 200, 200, 304].map((status) => `HTTP/1.1 ${status}`),
    )
    expect(usesWriteHead).to.deep.equal([false, true, true, true])
  })

  it('Expect: 100-continue', async () => {
    const { server } = await start()
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n`
    const { bytes } = await compare(server, request, isAnswered(2))
    expect(bytes).to.match(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/)
  })

  it('a response during shutdown closes the connection', async () => {
    const { server, connections } = await start()
    const get = 'GET /prebuilt HTTP/1.1\r\nHost: x\r\n\r\n'
    const socket = await open(server)
    for (let n = 0; n < 3; n += 1) {
      socket.write(get)
      await once(socket, 'data')
    }
    expect(usesWriteHead).to.deep.equal([false, false, false])
    const drained = connections.drain(2_000)
    socket.write(get)
    expect(await readAll(socket, never)).to.match(/\r\nConnection: close\r\n/)
    await drained
    expect(usesWriteHead).to.deep.equal([false, false, false, true])
  })

  it('a response on which headers were set has them', async () => {
    const { server } = await start()
    server.prependListener('request', (_, response) => response.setHeader('X-More', 'yes'))
    const { bytes } = await compare(server, (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(bytes).to.match(/\r\nX-More: yes\r\n/)
  })

  it('an event `finish` and `close`, a status and no open socket afterwards, as with writeHead', async () => {
    const { server } = await start()
    const events: string[] = []
    server.prependListener('request', (_, response) => {
      response.once('finish', () => events.push(`finish ${response.statusCode} ${response.statusMessage}`))
      response.once('close', () => events.push(`close ${response.writableFinished} ${response.socket}`))
    })
    for (let n = 0; n < 3; n += 1) await bytesOf(server, 'GET /prebuilt HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(usesWriteHead).to.deep.equal([false, false, false])
    expect(events).to.deep.equal(Array(3).fill(['finish 200 OK', 'close true null']).flat())
  })

  describe('a version of Node that works differently', () => {
    /** Makes the head in `end`, whatever `_header` is. */
    class OtherEnd extends ServerResponse {
      #isHeadWritten = false
      override writeHead(...values: unknown[]): this {
        this.#isHeadWritten = true
        return super.writeHead(...(values as [number]))
      }
      override end(...values: unknown[]): this {
        if (!this.#isHeadWritten) this.writeHead(this.statusCode)
        return super.end(...(values as []))
      }
    }
    /** Adds a header. */
    class MoreHeaders extends ServerResponse {
      override writeHead(...values: unknown[]): this {
        const [status, headers] = values as [number, string[]]
        return super.writeHead(status, [...headers, 'X-New', '1'])
      }
    }

    it('is noticed', () => {
      const classes = [ServerResponse, OtherEnd, MoreHeaders] as (typeof ServerResponse)[]
      expect(classes.map(sendsSameBytes)).to.deep.equal([true, false, false])
    })

    it('gets its responses through writeHead', async () => {
      const { writeHead } = ServerResponse.prototype
      ServerResponse.prototype.writeHead = function (
        this: ServerResponse,
        status: number,
        headers: string[],
      ) {
        return writeHead.call(this, status, [...headers, 'X-New', '1'] as never)
      } as typeof writeHead
      let other: typeof canSendPrebuilt
      try {
        const url = new URL('../src/http/prebuilt-response.js?other-node', import.meta.url)
        other = (await import(url.href)).canSendPrebuilt
      } finally {
        ServerResponse.prototype.writeHead = writeHead
      }
      const { server } = await start()
      const answers: boolean[] = []
      server.prependListener('request', (...exchange) =>
        answers.push(canSendPrebuilt(...exchange), other(...exchange)),
      )
      await bytesOf(server, 'GET /prebuilt HTTP/1.1\r\nHost: x\r\n\r\n')
      expect(answers).to.deep.equal([true, false])
    })
  })
})
