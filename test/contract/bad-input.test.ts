import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import type { TestResponse } from '../support/client.ts'
import { testId } from '../support/ids.ts'
import { exchange, exchangeOne, type RawResponse } from '../support/raw.ts'
import { withService, withWorld } from '../support/service.ts'

const UNFIT = /[\p{Cc}\p{Cf}\u2028\u2029]/u

/** Checks the body of an error: JSON with code and message, without stack, HTML or misleading characters. */
const expectError = (response: TestResponse | RawResponse, status: number, what: string): string => {
  expect(response.status, what).to.equal(status)
  expect(response.headers['content-type'], what).to.equal('application/json; charset=utf-8')
  expect(response.headers['access-control-allow-origin'], what).to.equal('*')
  const body = typeof response.body === 'string' ? JSON.parse(response.body) : response.body
  expect(Object.keys(body), what).to.deep.equal(['error'])
  expect(Object.keys(body.error), what).to.deep.equal(['code', 'message'])
  const { message } = body.error
  expect(message, what).not.to.match(UNFIT)
  expect(message, what).not.to.match(/\bat \S+ \(|node_modules|\.[jt]s\b|<\w+/)
  return message
}

/** URLs of endpoints that take text, and the parameter with which the message must begin. */
const PLACES: [place: string, name: string][] = [
  ['/pages/%', 'path'],
  ['/pages/%/history', 'path'],
  ['/categories/%', 'key'],
  ['/revisions/%', 'id'],
  ...['/pages?ns=%', '/pages?locale=%', '/pages?limit=%', '/pages?after=%', '/pages/tea?format=%'],
  ...['/pages/tea/history?before=%', '/search?q=%', '/search?all=%', '/suggest?q=%', '/search?offset=%'],
  ...['/search?category=%', '/search?prefix=%', '/search?ns=%', '/recent?author=%', '/recent?ns=%'],
  ...['/recent?before=%', '/recent?locale=%', '/categories/tea?after=%', '/categories?after=%'],
  ...['/links?to=%', '/links?from=%', '/links?to=tea&after=%'],
].map(
  (place) => (typeof place === 'string' ? [place, /(\w+)=%/.exec(place)![1]!] : place) as [string, string],
)

const ID = testId(1)

/** Values that a parameter must not have, at `%` of the path, and the message that names it and what it must be. */
const REFUSED: [path: string, values: string[], message: RegExp][] = [
  ['/pages?ns=%', ['category', 'Main', 'main ', '', 'all'], /^ns: .*main, template, page_template, module/],
  ['/pages/tea?format=%', ['HTML', 'plain', '', 'html,markdown'], /^format: .*markdown, html, both, text/],
  [
    '/pages/tea?include=%',
    ['size', 'markdown,', 'Markdown', 'markdown html', ','],
    /^include: .*markdown, html, text, summary, sections, properties, categories/,
  ],
  [
    '/recent?include=%',
    ['categories', 'translations', 'links', 'contributors', 'size', 'markdown,categories'],
    /^include: must be one of markdown, html, text, summary, sections, properties, parent, or several with commas, not \w+$/,
  ],
  [`/revisions/${ID}?format=%`, ['xml'], /^format: /],
  [
    '/revisions/%',
    ['1', 'x', ID.replaceAll('-', ''), `{${ID}}`, `${ID}0`, `urn:uuid:${ID}`, ' ', 'a/b'],
    /^id: /,
  ],
  ['/revisions/%/diff', ['1'], /^id: /],
  [`/revisions/${ID}/diff?from=%`, ['1', ''], /^from: /],
  [`/revisions/${ID}/diff?format=%`, ['html'], /^format: /],
  [
    '/search?q=tea&all=%',
    ['yes', 'no', 'on', 't', '2', '-1', '01', '1.0', 'null', 'true ', '１', ''],
    /^all: .*true or false/,
  ],
  [
    '/search?q=tea&offset=%',
    ['-1', '1.5', 'x', '1001', '50000', '2147483648', '9'.repeat(30)],
    /^offset: .*0 to 1000/,
  ],
  ['/search?q=tea&ns=%', ['talk', 'Main', 'category', ''], /^ns: must be one of main, template/],
  ['/recent?ns=%', ['talk', 'Main', ''], /^ns: must be one of main, template/],
  ['/suggest?q=tea&limit=%', ['21', '0'], /^limit: .*1 to 20/],
  ['/links?to=tea&after=%', ['tea'], /^after: /],
  ['/links?to=tea&ns=%', ['talk'], /^ns: /],
  // No cursor, one with another number, one with padding, a negative number.
  [
    '/changes?after=%',
    ['tea', 'AAZHSEYgQALxbr_Fmpt', 'AAZHSEYgQALxbr_Fmps=', 'gAZHSEYgQALxbr_Fmps', 'AAZHSEYgQALxbr_FmpsAAAA'],
    /^after: must be the `cursor` of an earlier response$/,
  ],
  ['/changes?ns=%', ['talk'], /^ns: /],
  ...['/changes', '/links', '/categories', '/suggest', '/recent.atom'].map(
    (path): [string, string[], RegExp] => [`${path}?locale=%`, ['xx', 'e'], /^locale: /],
  ),
]

describe('invalid input', () => {
  const test = withService()
  withWorld(test, {
    categories: [{ locale: 'en', key: 'tea', name: 'Tea' }],
    pages: [
      { path: 'tea', revisions: [{ id: testId(1) }, { id: testId(2), created_at: '2024-01-02T00:00:00Z' }] },
    ],
  })
  const get = (target: string, more = '') =>
    `GET ${target} HTTP/1.1\r\nHost: wiki.example\r\nConnection: close\r\n${more}\r\n`
  const expectRefusal = async (path: string, message: RegExp) =>
    expect(expectError(await test.get(path), 400, path), path).to.match(message)
  const request = (request: string | Buffer) => exchangeOne(test.service.listeningUrl, request)

  describe('400: text that cannot be decoded, with the name of the parameter', () => {
    const unreadable: Record<string, string> = {
      'a malformed escape': '%zz',
      'a truncated escape': '%e',
      'a bare percent sign': '%',
      'a byte that is not UTF-8': '%ff',
      'an overlong encoding': '%c0%af',
      'a truncated character': '%e2%82',
      'a lone high surrogate': '%ED%A0%80',
      'a lone low surrogate': '%ED%BF%BF',
      'a character beyond U+10FFFF': '%f4%90%80%80',
      'a NUL': '%00',
      'a NUL inside a text': 'a%00b',
    }
    for (const [title, text] of Object.entries(unreadable)) {
      it(title, async () => {
        for (const [place, name] of PLACES)
          await expectRefusal(place.replace('%', text), new RegExp(`^${name}: `))
      })
    }

    it("400: bytes that must be percent-encoded, UTF-8 or not, which Node's parser refuses", async () => {
      for (const bytes of ['\xd1\x87\xd0\xb0\xd0\xb9', '\xff\xfe']) {
        for (const target of [`/api/v1/pages/${bytes}`, `/api/v1/pages?after=${bytes}`]) {
          const message = expectError(await request(get(target)), 400, target)
          expect(message).to.include('percent-encoded')
        }
      }
    })

    it('404, not 400, for a URL that no endpoint has', async () => {
      for (const path of ['/api/v1/nothing/%ff', '/%00', '/%', '/api/v1/%ED%A0%80']) {
        expectError(await test.call(path), 404, path)
      }
      expect((await test.get('/page/tea')).body.error.message).to.match(
        /Did you mean \S+\/pages\/\{path\}\{\?locale,\S+\? /,
      )
      for (const path of ['/openapi.json', '/api/v1/openapi.jsn', '/pages/tea']) {
        const { status, body } = await test.call(path)
        expect(status, path).to.equal(404)
        expect(body.error.message, path).to.match(
          /Did you mean http:\S+\/api\/v1\/(pages\/\{path\}\{\S+|openapi\.json)\? /,
        )
      }
      for (const path of ['/nothing', '/x/tea', '/media'])
        expect((await test.get(path)).body.error.message).not.to.include('Did you mean')
    })
  })

  describe('parameters', () => {
    for (const [path, values, message] of REFUSED) {
      it(`400: ${path} has another value`, async () => {
        for (const value of values) await expectRefusal(path.replace('%', encodeURIComponent(value)), message)
      })
    }

    const KNOWN = [
      ...['/pages?ns=main', '/pages?locale=en', '/pages?limit=1', '/pages?after=a', '/pages/tea?format=html'],
      ...['/pages/tea?locale=en', '/pages/tea/history?before=2024-01-01T00:00:00Z', '/search?q=tea'],
      ...[`/revisions/${ID}?format=html`, `/revisions/${ID}/diff?from=${ID}`, '/search?all=true'],
      ...['/search?offset=0', '/recent?limit=1', '/categories/tea?after=a'],
    ].map((known) => /^(.*)\?(\w+)=(.*)$/.exec(known)!.slice(1) as [string, string, string])

    it('400: a known parameter that appears twice, with its name', async () => {
      for (const [path, name, value] of KNOWN) {
        const encoded = [...name].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
        for (const more of [`${name}=${value}`, `x=1&${name}`, `${encoded}=`])
          await expectRefusal(`${path}?${name}=${value}&${more}`, new RegExp(`^${name}: `))
      }
    })

    it('400: a known parameter with brackets, with its name', async () => {
      for (const [path, name, value] of KNOWN)
        for (const brackets of ['[]', '[0]', '[a][b]', '%5B%5D', '['])
          await expectRefusal(`${path}?${name}${brackets}=${value}`, new RegExp(`^${name}: `))
    })

    it('400: include names the value that is wrong, unless it is no word', async () => {
      await expectRefusal('/pages?include=markdown,foo,html', /, or several with commas, not foo$/)
      for (const value of ['markdown,', 'a%20b', '%E2%80%AE', 'x'.repeat(50)])
        await expectRefusal(`/pages?include=${value}`, /, or several with commas$/)
    })

    it('400: a list that appears twice or with brackets, with the form that it needs', async () => {
      for (const query of ['include=text&include=summary', 'include[]=text&include[]=summary'])
        await expectRefusal(`/pages?${query}`, /takes values with commas: include=a,b$/)
    })

    it('400: several invalid parameters, each with its name, in one message', async () => {
      await expectRefusal(
        '/pages?ns=x&limit=0&limit=1&locale=xx&after=%ff',
        /^limit: appears more than once, [^;]*; after: contains [^;]*; ns: must be [^;]*; locale: must be [^;]*$/,
      )
      await expectRefusal('/pages?limit=0&ns=x', /^ns: must be one of [^;]*; limit: must be [^;]* to 200$/)
      await expectRefusal('/revisions/1/diff?from=2&format=xml', /^id: [^;]*; from: [^;]*; format: [^;]*$/)
    })

    it('ignores unknown parameters, whatever they contain', async () => {
      const plain = await test.get('/pages')
      const queries = `x=1 x=1&x=2 x[]=1 x=%ff %ff=1 %00=%00 = &&& =1 LIMIT=0 limits=0 __proto__=1
        constructor[prototype]=1 paths=x limit%20=0`
      for (const query of queries.split(/\s+/)) {
        const { status, text } = await test.get(`/pages?${query}`)
        expect(status, query).to.equal(200)
        expect(text, query).to.equal(plain.text)
      }
    })

    it('reads a known parameter after a thousand unknown ones', async () => {
      const many = Array.from({ length: 1_500 }, (_, i) => `x${i}`).join('&')
      expectError(await test.get(`/pages?${many}&limit=0`), 400, 'after many')
    })

    it('400: a text instead of a number, boolean, date or UUID', async () => {
      const attacks = [
        ...["1'--", '1;drop table wiki.page', '../../etc/passwd', '{{7*7}}', '<script>', 'null', 'NaN'],
        ...['[object Object]', '{"a":1}', '\u0661', '1\u00a0', '\ud83c\udf75'],
      ]
      for (const text of attacks.map(encodeURIComponent)) {
        for (const name of ['limit', 'ns', 'locale']) await expectRefusal(`/pages?${name}=${text}`, /^\w+: /)
        for (const name of ['offset', 'all']) await expectRefusal(`/search?${name}=${text}`, /^\w+: /)
        for (const place of ['recent?before=', 'pages/tea?format=', 'revisions/'])
          await expectRefusal(`/${place}${text}`, /^\w+: /)
      }
    })

    it('accepts any text for text parameters', async () => {
      const texts = [
        ...[
          "'; drop table wiki.page --",
          '%',
          '_',
          '\\',
          '\u0001\u001f\u007f',
          '\u202eabc',
          '\ufeff',
          '\uffff',
        ],
        ...['\u{10ffff}', ' ', '"', 'a & b | !c', ':*', '<->', 'or or or', '-a', '\u0301', '\u200b'],
        ...['-', '"', '('].map((sign) => sign.repeat(200)),
      ]
      for (const text of texts) {
        const encoded = encodeURIComponent(text)
        expect((await test.get(`/search?q=${encoded}&all=true`)).status, text).to.equal(200)
        expect((await test.get(`/pages?after=${encoded}`)).status, text).to.equal(200)
        expect((await test.get(`/categories/tea?after=${encoded}`)).status, text).to.equal(200)
        expectError(await test.get(`/pages/${encoded}`), 404, text)
        expectError(await test.get(`/pages/${encoded}/history`), 404, text)
        expectError(await test.get(`/categories/${encoded}`), 404, text)
      }
    })
  })

  describe('responses never repeat control or bidirectional characters', () => {
    const nasty = '%1b%5B31m%0d%0aSet-Cookie:%20a%3Db%E2%80%AE%E2%81%A6%C2%85'

    it('in the body or a header of any endpoint', async () => {
      for (const [place] of PLACES) {
        const path = place.replace('%', nasty)
        const response = await test.get(path)
        expect(response.status, path).to.be.below(500)
        expect(response.text, path).not.to.match(UNFIT)
        expect(response.headers, path).not.to.have.property('set-cookie')
        expect(JSON.stringify(response.headers), path).to.match(/^[\x20-\x7e]*$/)
      }
    })

    it('in the Link header, which repeats parameters', async () => {
      const { headers } = await test.get(`/recent?limit=1&x=${nasty}&%0d=%0a&<b>="`)
      expect(headers.link).to.match(/^<http[\x21-\x3b\x3d\x3f-\x7e]+>; rel="next", </)
    })

    it('in the headers of a preflight', async () => {
      const { headers } = await request(
        get('/api/v1/pages', 'Access-Control-Request-Headers: x-a\xe2\x80\xae, x\x85y\r\n').replace(
          'GET',
          'OPTIONS',
        ),
      )
      expect(JSON.stringify(headers)).to.match(/^[\x20-\x7e]*$/)
      expect(headers['access-control-allow-headers']).to.equal('*')
    })

    it('in X-Request-Id', async () => {
      const { headers } = await request(get('/api/v1/pages', 'X-Request-Id: a\xe2\x80\xaeb\r\n'))
      expect(headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/)
    })
  })

  describe("requests that Node's parser refuses get the error body of the API", () => {
    it('400: two Host headers', async () => {
      expectError(await request(get('/api/v1/', 'Host: wiki.example\r\n')), 400, 'the same twice')
      expectError(await request(get('/api/v1/', 'hOST: other.example\r\n')), 400, 'another')
    })

    it('400: HTTP/1.1 without a Host header', async () => {
      expectError(await request('GET /api/v1/ HTTP/1.1\r\nConnection: close\r\n\r\n'), 400, 'no Host')
    })

    it('200: HTTP/1.0 without a Host header', async () => {
      expect((await request('GET /api/v1/ HTTP/1.0\r\n\r\n')).status).to.equal(200)
    })

    const called = (host: string) =>
      request(`GET /api/v1/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

    it('200: an unknown Host that is valid, however odd', async () => {
      const hosts = [
        ...[
          '',
          ':80',
          'x:',
          '127.0.0.1:3000',
          '[::1]:3000',
          '[2001:db8::1]',
          '[::ffff:127.0.0.1]:',
          '[v1.a:b]',
        ],
        ...['a_b.example', 'xn--80ak6aa92e.example', 'a%20b', "a!$&'()*+,;=~", 'en.wiki.example:99999'],
        'x'.repeat(300),
      ]
      for (const host of hosts) {
        expect((await called(host)).status, host).to.equal(200)
      }
    })

    it('400: an invalid Host, with and without a port', async () => {
      const hosts = `x@y user:password@en.wiki.example a/b a/ a?b a#b a\\b a,b:80,c:80 a:b a:80:80 a:-1 ::1 [::1
        [::1]x [::1]:x [::12345] [127.0.0.1] [] [fe80::1%25eth0] [fe80::1%eth0] a%2 a%zz <a> "a" a|b a^b {a} \`a\`
        \xff http://en.wiki.example`
      for (const host of ['a b', ...hosts.split(/\s+/)]) {
        expect(expectError(await called(host), 400, host), host).to.match(/^Host: /)
      }
    })

    it('400: an invalid Host with every method and version, before any other check', async () => {
      for (const line of ['HEAD /api/v1/ HTTP/1.1', 'OPTIONS /api/v1/ HTTP/1.1', 'GET /api/v1/ HTTP/1.0']) {
        const response = await request(`${line}\r\nHost: x@y\r\nConnection: close\r\n\r\n`)
        expect(response.status, line).to.equal(400)
      }
    })

    it('400: a target in absolute form with an invalid host', async () => {
      for (const origin of 'http://x@y http:// https://:443 http://a:b http://[::1 http://a%2'.split(' ')) {
        expectError(await request(get(`${origin}/api/v1/`)), 400, origin)
      }
    })

    it('405: a method that HTTP does not define', async () => {
      for (const method of ['FOO', 'get', 'GETS']) {
        const response = await request(`${method} /api/v1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
        expectError(response, 405, method)
        expect(response.headers.allow, method).to.equal('GET, HEAD, OPTIONS')
      }
    })

    it('431: headers or a URL that are too long', async () => {
      expectError(await request(get('/api/v1/', `X-Long: ${'a'.repeat(20_000)}\r\n`)), 431, 'headers')
      expectError(await request(get(`/api/v1/pages/${'a'.repeat(20_000)}`)), 431, 'address')
    })

    it('431: while the client still sends', async () => {
      for (const bytes of [70_000, 1_000_000]) {
        expectError(await request(get(`/api/v1/pages/${'a'.repeat(bytes)}`)), 431, `${bytes} bytes`)
      }
    })

    it('431: to a client that reads only after it has sent everything', async () => {
      const { hostname, port } = new URL(test.service.listeningUrl)
      const socket = connect(Number(port), hostname).pause()
      const errors: Error[] = []
      socket.on('error', (error) => errors.push(error))
      socket.write(`GET /api/v1/${'a'.repeat(70_000)}`)
      for (let n = 0; n < 5; n++) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        socket.write('a'.repeat(70_000))
      }
      const [first] = (await once(socket.resume(), 'data')) as [Buffer]
      expect(first.toString('latin1')).to.match(/^HTTP\/1\.1 431 /)
      expect(errors).to.deep.equal([])
      socket.destroy()
    })

    it('refuses HEAD without a body', async () => {
      const before = 'GET /api/v1/pages/tea HTTP/1.1\r\nHost: x\r\n\r\n'
      const long = `HEAD /api/v1/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`
      for (const request of [long, before + long]) {
        const responses = await exchange(test.service.listeningUrl, request)
        const { status, body, headers } = responses.at(-1)!
        expect([responses.length, status, body]).to.deep.equal([request === long ? 1 : 2, 431, ''])
        expect(Number(headers['content-length'])).to.be.above(0)
      }
    })

    it('400: bytes that are not HTTP', async () => {
      const garbage = [
        'GET /api/v1/\r\n\r\n',
        'GET /api/v1/ HTTP/9.9\r\nHost: x\r\n\r\n',
        'GET /api/v1/ HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n',
        'GET /api/v1/ HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
        'GET /api/v1/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
        'GET /api/v1/ HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n',
        'GET /api/v1/pages/a b HTTP/1.1\r\nHost: x\r\n\r\n',
        'GET /api/v1/pages/\x00 HTTP/1.1\r\nHost: x\r\n\r\n',
      ]
      for (const bytes of garbage) expectError(await request(bytes), 400, JSON.stringify(bytes))
    })

    it('400 or 405: bytes of another protocol', async () => {
      for (const bytes of [
        '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        '\x00'.repeat(99),
      ]) {
        const response = await request(bytes)
        expect(response.status).to.be.oneOf([400, 405])
        expectError(response, response.status, JSON.stringify(bytes))
      }
    })

    it('garbage after a request: responds to the request, then refuses the garbage', async () => {
      const request = 'GET /api/v1/pages/tea HTTP/1.1\r\nHost: x\r\n\r\n'
      const responses = await exchange(
        test.service.listeningUrl,
        `${request}${request}GET / HTTP/9.9\r\n\r\n`,
      )
      expect(responses.map(({ status }) => status)).to.deep.equal([200, 200, 400])
      expectError(responses[2]!, 400, 'garbage')
    })

    it('the service still responds after all of these', async () => {
      expect((await test.get('/pages/tea')).status).to.equal(200)
    })
  })
})
