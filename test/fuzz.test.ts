import { connect } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import type { TestResponse } from './support/client.ts'
import { checkResponse } from './support/openapi-check.ts'
import { rounds } from './support/rounds.ts'
import { withService, withWorld } from './support/service.ts'
import type { PageSpec } from './support/world.ts'

const REQUESTS = rounds(250)
/** Concurrent requests. */
const CONCURRENCY = 25

const ID = '0190c1a0-7b1e-4d3a-9a54-0c5f1f0d2b11'
const pages: PageSpec[] = [
  { path: 'tea', translation_group: 'tea', revisions: [{ id: ID, categories: [{ key: 'green/tea' }] }] },
  { path: 'tea', locale: 'ru', translation_group: 'tea', revisions: [{ title: 'Чай' }, { markdown: '# Ч' }] },
  { path: 'a/b', revisions: [{ markdown: '<script>alert(1)</script>', categories: [{ key: 'green/tea' }] }] },
  { path: '100% +чай', revisions: [{}] },
  { path: 'template:note', revisions: [{}] },
]

/** Control characters: C0 except tab, line feed and carriage return, which JSON and HTTP use; C1; bidirectional marks. */
const CONTROL =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
/** The allowed statuses. 431 is the response to headers that are too large. */
const STATUSES = [200, 204, 304, 400, 404, 405, 431]

describe('Fuzzing the HTTP listener', () => {
  const test = withService({ cacheSeconds: 60 })
  withWorld(test, { pages })

  /** Checks what all responses have in common, and the format of errors. */
  const expectWellFormed = (request: string, { status, headers, text, body }: TestResponse): void => {
    const isText = /^(?:text\/(?:html|markdown|plain)|application\/atom\+xml); charset=utf-8$/.test(
      headers['content-type'] ?? '',
    )
    if (isText) expect(status, request).to.equal(200)
    const context = `${request}\n${status} ${JSON.stringify(headers)}\n${text.slice(0, 500)}`
    expect(status, context).to.be.oneOf(STATUSES)
    expect(headers['access-control-allow-origin'], context).to.equal('*')
    expect(headers['x-request-id'], context).to.match(/^[\w.:-]{1,64}$/)
    if (!isText) expect(text, context).not.to.match(CONTROL)
    // Node reads header values as Latin-1. Decode them as UTF-8 again.
    expect(Buffer.from(JSON.stringify(headers), 'latin1').toString(), context).not.to.match(CONTROL)
    if (text !== '' && !isText)
      expect(headers['content-type'], context).to.equal('application/json; charset=utf-8')
    if (status < 400 || text === '') return
    expect(Object.keys(body), context).to.deep.equal(['error'])
    expect(Object.keys(body.error), context).to.deep.equal(['code', 'message'])
    expect(body.error.code, context).to.be.oneOf(['bad_parameter', 'not_found', 'method_not_allowed'])
    expect(body.error.message, context)
      .to.be.a('string')
      .and.not.match(CONTROL)
      .and.not.match(/\n|<\w|\.[jt]s:\d/)
  }

  /** Sends requests, several at the same time. */
  const sendAll = <Request>(
    request: fc.Arbitrary<Request>,
    number: number,
    send: (request: Request) => Promise<void>,
  ) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: CONCURRENCY, maxLength: CONCURRENCY }),
        async (requests) => void (await Promise.all(requests.map(send))),
      ),
      { numRuns: Math.ceil(number / CONCURRENCY), interruptAfterTimeLimit: 180_000 },
    )

  it(`${REQUESTS} random requests get the documented responses, with status 200, 204, 304, 400, 404 or 405`, () =>
    sendAll(anyRequest, REQUESTS, async ({ method, path, headers }) => {
      const response = await test.call(path, { method, headers })
      expectWellFormed(`${method} ${path} ${JSON.stringify(headers)}`, response)
      if (path.startsWith('/api/v1/')) checkResponse(method, path.slice('/api/v1'.length), response)
    }))

  it(`${REQUESTS / 10} requests of random bytes get well-formed responses`, () =>
    sendAll(anyRequestBytes, REQUESTS / 10, async (bytes) => {
      const response = await firstResponse(test.service.listeningUrl, bytes)
      expectWellFormed(JSON.stringify(bytes.toString('latin1')), response)
    }))
})

/** One of these words. */
const oneOf = (words: string) => fc.constantFrom(...words.trim().split(/\s+/))
/** One of several arbitraries, some more often than others. */
const weighted = <Value>(...pairs: [weight: number, arbitrary: fc.Arbitrary<Value>][]) =>
  fc.oneof(...pairs.map(([weight, arbitrary]) => ({ weight, arbitrary })))
const characters = (min: number, max: number) =>
  fc.integer({ min, max }).map((code) => String.fromCharCode(code))

/** Characters that node:http lets a client send in a URL. Special characters are frequent. */
const urlCharacter = weighted(
  [9, fc.constantFrom(...'/%?#&=+[]:@\\"<>{}|^`\'.;~*')],
  [9, characters(0x21, 0x7e)],
  [1, characters(0x80, 0xff)],
)
const rawText = fc.string({ unit: urlCharacter, maxLength: 20 })

/** Percent-encoding: of any byte, so mostly invalid UTF-8; of NUL, surrogates and bidirectional marks; incomplete. */
const escapes = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`),
      oneOf('%00 %ED%A0%80 %E2%80%AE %C2%85 % %2 %zz %2F %25 %1F %F0%9F%8D%B5'),
      fc.string({ unit: 'binary', maxLength: 5 }).map((text) => encodeURIComponent(text.toWellFormed())),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const word = weighted(
  [4, oneOf(`tea a/b a%2Fb 100%25%20+%D1%87%D0%B0%D0%B9 template:note ${ID}`)],
  [1, rawText],
  [1, escapes],
)

const pathname = weighted(
  [3, oneOf('/ /pages /recent /recent.atom /changes /search /suggest /links /categories /openapi.json')],
  [1, fc.constantFrom('', '/categories/green%2Ftea')],
  [3, word.map((text) => `/pages/${text}`)],
  [2, word.map((text) => `/pages/${text}/history`)],
  [2, word.map((text) => `/categories/${text}`)],
  [2, word.map((text) => `/revisions/${text}`)],
  [2, word.map((text) => `/revisions/${text}/diff`)],
  [1, word.map((text) => `/${text}`)],
)

const parameterName = weighted(
  [6, oneOf('ns locale limit after before format q all offset section include to from')],
  [1, oneOf('limit[] locale[0] l%69mit Limit __proto__ constructor')],
  [1, fc.oneof(rawText, escapes)],
)

const VALUES = `main template category en ru EN de 1 2 50 200 201 0 -1 1e3 %D9%A3 markdown html both json unified ${ID}
  true false tea "tea tea+-page text%20of ${'9'.repeat(40)} 2024-01-01T00:00:00Z 2024-01-01T00:00:00.000001+02:00
  2024-02-30T00:00:00Z infinity now 9999-12-31T23:59:60Z 0000-01-01T00:00:00Z 2024-01-01 ${'-'.repeat(60)} %1F a%1Fb %22`
const parameterValue = weighted([40, oneOf(VALUES)], [1, fc.constant('')], [10, rawText], [10, escapes])

const queryString = fc
  .array(fc.tuple(parameterName, parameterValue), { maxLength: 3 })
  .map((pairs) =>
    pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`,
  )

const headerValue = fc.oneof(
  fc.string({ unit: characters(0x20, 0xff).map((one) => (one === '\x7f' ? 'x' : one)), maxLength: 30 }),
  oneOf('* text/markdown identity;q=0 " W/"x" en.wiki.example x\xe2\x80\xaey'),
  fc.constantFrom('br;q=0, gzip', 'text/*;q=0.5, */*;q=0.1', '::1, 1.2.3.4'),
)

const headers = fc.dictionary(
  oneOf(`Accept Accept-Encoding Accept-Language If-None-Match If-Modified-Since Range Origin X-Forwarded-For
    X-Request-Id Access-Control-Request-Headers Host Upgrade Cookie`),
  headerValue,
  { maxKeys: 3 },
)

const anyRequest = fc
  .record({
    method: weighted(
      [12, fc.constant('GET')],
      [2, oneOf('HEAD OPTIONS')],
      [1, oneOf('POST PUT DELETE PATCH TRACE PROPFIND PURGE')],
    ),
    path: weighted(
      [15, fc.tuple(pathname, queryString).map(([path, query]) => `/api/v1${path}${query}`)],
      [1, rawText.map((text) => `/${text}`)],
    ),
    headers,
  })
  // Node's parser refuses a URL that is not ASCII. Its response to HEAD has a body, which no client with persistent
  // connections can read.
  .map((request) =>
    request.method === 'HEAD' ? { ...request, path: request.path.replace(/[^\x21-\x7e]/g, 'x') } : request,
  )

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))
const latin1 = (maxLength: number) => bytes(maxLength).map((buffer) => buffer.toString('latin1'))

const headerLine = fc.constantFrom(
  ...['Host: a', 'Host: b', 'Host:', ' folded', 'No colon', 'Bad name: x', 'Content-Length: 5', 'Expect: x'],
  ...['Content-Length: x', 'Transfer-Encoding: chunked', 'Transfer-Encoding: x', 'Expect: 100-continue'],
  ...['Connection: Upgrade', 'Upgrade: websocket', 'X: \u0000', `X: ${'x'.repeat(20_000)}`],
)

/** Random bytes, and requests with bytes that no client library would send. */
const anyRequestBytes = fc.oneof(
  bytes(200),
  fc
    .record({
      method: fc.oneof(fc.constantFrom('GET', 'OPTIONS', 'CONNECT', 'get', 'G T'), latin1(6)),
      target: fc.oneof(
        oneOf('/api/v1/pages * http://x/api/v1/pages http://x /api/v1/pages/\u0000 /api/v1/pages/%ff'),
        latin1(30).map((text) => `/api/v1/pages/${text}`),
        fc.constant(`/api/v1/pages/${'x'.repeat(20_000)}`),
      ),
      version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''),
      headers: fc.array(fc.oneof(headerLine, latin1(30)), { maxLength: 4 }),
    })
    .map(({ method, target, version, headers }) =>
      Buffer.from([`${method} ${target} ${version}`, ...headers].join('\r\n'), 'latin1'),
    ),
)

/** Sent after the bytes, so that a server that waits for the rest of a request gets one. */
const ENDING = Buffer.from('\r\n\r\nGET /api/v1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')

/** The first response to bytes on a new connection. Rejects if the connection ends without a response. */
const firstResponse = (origin: string, sent: Buffer): Promise<TestResponse> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const socket = connect(Number(port), hostname)
    let received = Buffer.alloc(0)
    const fail = (reason: string) => () =>
      reject(
        new Error(`${reason} ${JSON.stringify(sent.toString('latin1'))}; received ${received.length} bytes`),
      )
    socket.setTimeout(120_000, fail('No response to'))
    socket.on('error', () => {})
    socket.on('close', fail('The server closed the connection after'))
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const response = parseResponse(received)
      if (!response) return
      resolve(response)
      socket.destroy()
    })
    socket.write(Buffer.concat([sent, ENDING]))
  })

/** The first complete final response in the received bytes; interim responses (1xx) are skipped. undefined: incomplete. */
const parseResponse = (received: Buffer): TestResponse | undefined => {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
  if (status < 200) return parseResponse(received.subarray(end + 4))
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const length = Number(headers['content-length'] ?? 0)
  const body = received.subarray(end + 4, end + 4 + length)
  if (body.length < length) return undefined
  const text = body.toString()
  const isJson = headers['content-type']?.startsWith('application/json') && text !== ''
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined }
}
