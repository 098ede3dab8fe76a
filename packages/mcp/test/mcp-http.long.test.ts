import { request } from 'node:http'
import { expect } from 'chai'
import fc from 'fast-check'
import { rounds } from '../../../test/support/rounds.ts'
import { withService, withWorld } from '../../../test/support/service.ts'

interface Posted {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any
}

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

const post = (origin: string, body: string | Buffer, headers: Record<string, string> = {}, method = 'POST') =>
  new Promise<Posted>((resolve, reject) => {
    const outgoing = request(new URL('/mcp', origin), { method, headers: { ...HEADERS, ...headers } })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.startsWith('application/json') && text !== ''
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          body: isJson ? JSON.parse(text) : undefined,
        })
      })
    })
    outgoing.end(body)
  })

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
const call = (name: string, values: object, id = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: values } })

describe('MCP: HTTP', () => {
  const test = withService({ mcp: true })
  withWorld(test, { pages: [{ path: 'tea' }] })
  const send = (body: string | Buffer, headers?: Record<string, string>, method?: string) =>
    post(test.service.listeningUrl, body, headers, method)

  it('a request gets a JSON response that no cache stores, with the headers of every response', async () => {
    const { status, headers, body } = await send(LIST)
    expect(status).to.equal(200)
    expect(headers['content-type']).to.equal('application/json')
    expect(headers['cache-control']).to.equal('no-store')
    expect(headers['access-control-allow-origin']).to.equal('*')
    expect(headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/)
    expect(headers.ratelimit).to.match(/^"default";r=\d+;t=\d+$/)
    expect(body.result.tools.length).to.be.above(4)
  })

  it('/llms.txt, the landing page and the guide name the address', async () => {
    for (const [path, part] of [
      ['/llms.txt', ' http://localhost:3000/mcp '],
      ['/', '<a href="./api/v1/docs/guide#agents">http://localhost:3000/mcp</a>'],
      ['/api/v1/docs/guide.md', '`claude mcp add --transport http wiki http://localhost:3000/mcp`'],
    ] as const)
      expect((await test.call(path)).text).to.include(part)
  })

  it('a notification gets 202 without a body', async () => {
    const { status, text } = await send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    expect([status, text]).to.deep.equal([202, ''])
  })

  it('every other method gets 405 and Allow; a preflight gets the methods', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await send('', {}, method)
      expect([method, status, headers.allow]).to.deep.equal([method, 405, 'POST, OPTIONS'])
    }
    const { status, headers } = await send(
      '',
      { Origin: 'http://localhost:6274', 'Access-Control-Request-Headers': 'mcp-protocol-version' },
      'OPTIONS',
    )
    expect(status).to.equal(204)
    expect(headers['access-control-allow-methods']).to.equal('POST, OPTIONS')
    expect(headers['access-control-allow-headers']).to.equal('mcp-protocol-version')
  })

  it('refuses what is not a message, with an error of JSON-RPC', async () => {
    for (const [body, code] of [
      ['{"jsonrpc":', -32_700],
      ['', -32_700],
      ['"text"', -32_600],
      ['[]', -32_600],
      ['null', -32_600],
    ] as const) {
      const answer = await send(body)
      expect(answer.status, body).to.equal(400)
      expect(answer.body.error.code, body).to.equal(code)
    }
    expect((await send(PING, { 'Content-Type': 'text/plain' })).status).to.equal(415)
    expect((await send(PING, { Accept: 'text/html' })).status).to.equal(406)
    expect((await send(PING, { 'MCP-Protocol-Version': '1999-01-01' })).status).to.equal(400)
  })

  it('a body has at most 64 KB, whether its length is announced or not', async () => {
    const most = `${PING.slice(0, -1)}${' '.repeat(65_536 - PING.length)}}`
    expect((await send(most)).status).to.equal(200)
    for (const headers of [undefined, { 'Transfer-Encoding': 'chunked' }]) {
      const { status, body } = await send(`${most} `, headers)
      expect(status).to.equal(413)
      expect(body.error.message).to.include('at most 65536 bytes')
    }
  })

  it('takes batches in the one revision that has them, up to 20 messages', async () => {
    const batch = (count: number) =>
      JSON.stringify(Array.from({ length: count }, (_, i) => ({ jsonrpc: '2.0', id: i, method: 'ping' })))
    const { status, body } = await send(batch(20))
    expect(status).to.equal(200)
    expect(body).to.have.length(20)
    expect((await send(batch(21))).body.error.message).to.include('at most 20 messages')
    const newer = await send(batch(2), { 'MCP-Protocol-Version': '2025-11-25' })
    expect([newer.status, newer.body.error.code]).to.deep.equal([400, -32_600])
  })

  it('has no subscriptions', async () => {
    const { status, body } = await send(
      '{"jsonrpc":"2.0","id":"a","method":"subscriptions/listen","params":{"notifications":{}}}',
    )
    expect([status, body.id, body.error.code]).to.deep.equal([404, 'a', -32_601])
  })

  it('counts in the metrics by the name mcp', async () => {
    await send(PING)
    const text = await (await fetch(`${test.service.internalUrl}/metrics`)).text()
    expect(text).to.match(/lectern_http_requests_total\{[^}]*route="mcp"[^}]*\} \d+/)
  })

  it('damaged messages get 200, 202, 4xx, and never a stack or another shape', async () => {
    const messages = [LIST, PING, call('search', { query: 'tea' }), call('read_page', { path: 'tea' })]
    const origin = test.service.listeningUrl
    const damaged = fc
      .tuple(
        fc.constantFrom(...messages),
        fc.nat(120),
        fc.nat(10),
        fc.string({ unit: 'binary', maxLength: 8 }),
      )
      .map(([text, at, remove, insert]) => text.slice(0, at) + insert + text.slice(at + remove))
    const anyMessage = fc.oneof(
      damaged,
      fc.json(),
      fc.record({ method: fc.string(), id: fc.anything(), params: fc.anything() }).map((one) => {
        return JSON.stringify({ jsonrpc: '2.0', ...one }, (_, value) =>
          typeof value === 'bigint' ? 1 : value,
        )
      }),
      fc
        .tuple(
          fc.constantFrom('search', 'read_page', 'list_pages', 'links'),
          fc.dictionary(fc.string(), fc.jsonValue()),
        )
        .map(([name, values]) => call(name, values)),
      fc.constantFrom('['.repeat(30_000), `{"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_001)}`),
    )
    const anyHeaders = fc.constantFrom(
      {},
      { 'MCP-Protocol-Version': '2025-11-25' },
      { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyMessage, anyHeaders), { minLength: 25, maxLength: 25 }),
        async (all) => {
          await Promise.all(
            all.map(async ([message, headers]) => {
              const { status, text } = await post(origin, message, headers as Record<string, string>)
              expect(status, message).to.be.oneOf([200, 202, 400, 404, 406])
              expect(text, message).not.to.match(/\.[jt]s:\d|node_modules/)
            }),
          )
        },
      ),
      { numRuns: rounds(12) },
    )
  })
})

describe('MCP: who may call', () => {
  const local = withService({ mcp: true })
  const proxied = withService({ mcp: true, trustedProxies: 1 })
  const off = withService({})
  const limited = withService({ mcp: true, rateLimit: 5, trustedProxies: 1 })

  it('on the loopback interface, refuses hosts and origins of other sites (DNS rebinding)', async () => {
    const status = async (headers: Record<string, string>) =>
      (await post(local.service.listeningUrl, PING, headers)).status
    for (const headers of [
      { Host: 'evil.example' },
      { Host: 'evil.example:80', Origin: 'http://evil.example:80' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Host: '127.0.0.1.evil.example' },
    ])
      expect(await status(headers as Record<string, string>), JSON.stringify(headers)).to.equal(403)
    for (const headers of [
      {},
      { Host: 'localhost:3000', Origin: 'http://localhost:6274' },
      { Host: '[::1]:3000', Origin: 'http://127.0.0.1' },
      { Host: 'en.wiki.example', Origin: 'https://en.wiki.example' },
    ])
      expect(await status(headers as Record<string, string>), JSON.stringify(headers)).to.equal(200)
  })

  it('behind a proxy, takes every host and origin: the wiki is public, and has no keys', async () => {
    const { status } = await post(proxied.service.listeningUrl, PING, {
      Host: 'wiki.example',
      Origin: 'https://agent.example',
    })
    expect(status).to.equal(200)
  })

  it('without MCP=true, the path does not exist', async () => {
    expect((await post(off.service.listeningUrl, PING)).status).to.equal(405)
    expect((await off.call('/mcp')).status).to.equal(404)
  })

  it('a request counts in the rate limit of the API, and each message of a batch does', async () => {
    const send = (body: string, client: string) =>
      post(limited.service.listeningUrl, body, { 'X-Forwarded-For': client })
    expect((await send(PING, '192.0.2.1')).headers.ratelimit).to.equal('"default";r=4;t=60')
    const batch = `[${PING},${PING.replace('1,', '2,')},${PING.replace('1,', '3,')}]`
    expect((await send(batch, '192.0.2.1')).headers.ratelimit).to.match(/^"default";r=1;/)
    const refused = await send(batch, '192.0.2.1')
    expect(refused.status).to.equal(429)
    expect(refused.headers['retry-after']).to.match(/^\d+$/)
    expect((await send(PING, '192.0.2.2')).status).to.equal(200)
  })
})
