import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { exchange, exchangeOne } from '../support/raw.ts'
import { withService, withWorld } from '../support/service.ts'
import { until } from '../support/until.ts'

const EXPOSED =
  'Age, Allow, Deprecation, ETag, Lectern-Ignored-Parameters, Lectern-Invalid-Parameters, Link, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Request-Id'.split(
    ', ',
  )

describe('HTTP', () => {
  const test = withService()
  withWorld(test, {
    pages: [
      { path: 'tea', revisions: [{ id: testId(1), title: 'Tea' }] },
      { path: 'long', revisions: [{ markdown: 'Leaves in hot water. '.repeat(300) }] },
      { path: 'чай' },
    ],
  })
  /** Matches the same `Cache-Control` with any number of seconds. */
  const cacheControlPattern = (cacheControl: string) => new RegExp(`^${cacheControl.replace(/\d+/, '\\d+')}$`)
  const send = (head: string) => exchange(test.service.listeningUrl, head)
  const sendOne = (head: string) => exchangeOne(test.service.listeningUrl, head)

  describe('methods', () => {
    it('HEAD returns the headers of GET without a body', async () => {
      for (const path of ['/', '/pages', '/pages/tea', '/pages/never', '/pages?limit=0', '/openapi.json']) {
        const get = await test.get(path)
        const head = await test.get(path, { method: 'HEAD' })
        expect(head.status, path).to.equal(get.status)
        expect(head.text, path).to.equal('')
        const { 'x-request-id': _, date, ratelimit, 'cache-control': cacheControl, ...headers } = get.headers
        expect(head.headers, path)
          .to.have.property('cache-control')
          .which.match(cacheControlPattern(cacheControl!))
        expect(head.headers, path).to.deep.include(headers)
      }
    })

    it('OPTIONS is a preflight: 204 without a body, cached for a day', async () => {
      const { status, headers, text } = await test.get('/pages/tea', {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://elsewhere.example',
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'if-none-match, x-request-id',
        },
      })
      expect(status).to.equal(204)
      expect(text).to.equal('')
      expect(headers['access-control-allow-origin']).to.equal('*')
      expect(headers['access-control-allow-methods']).to.equal('GET, HEAD, OPTIONS')
      expect(headers.allow).to.equal('GET, HEAD, OPTIONS')
      expect(headers['access-control-allow-headers']).to.equal('if-none-match, x-request-id')
      expect(headers['access-control-max-age']).to.equal('86400')
    })

    it('a preflight allows every valid header name, and returns * for an invalid list', async () => {
      const allowed = async (names: string) => {
        const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Headers': names }
        const response = await test.get('/', { method: 'OPTIONS', headers })
        return response.headers['access-control-allow-headers']
      }
      for (const names of ['authorization', 'a.b,x_y', "!#$%&'*+-.^_`|~0a, b"]) {
        expect(await allowed(names)).to.equal(names)
      }
      for (const names of ['a"b', 'a:b', 'a/b', '<b>']) expect(await allowed(names)).to.equal('*')
      // For every URL, so that a script can read the 404.
      expect((await test.get('/nothing', { method: 'OPTIONS' })).status).to.equal(204)
    })

    it('405 with Allow for any other method at any URL', async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
        for (const path of ['/api/v1/pages', '/api/v1/nothing', '/']) {
          const { status, headers, body } = await test.call(path, { method })
          expect(status, method).to.equal(405)
          expect(headers.allow).to.equal('GET, HEAD, OPTIONS')
          expect(headers['access-control-allow-origin']).to.equal('*')
          expect(headers['cache-control']).to.equal('no-store')
          expect(body.error.code).to.equal('method_not_allowed')
        }
      }
    })

    it('405 for a POST to MCP, which is not turned on, with how its operator can', async () => {
      const { status, body } = await test.call('/mcp', { method: 'POST' })
      expect(status).to.equal(405)
      expect(body.error.message).to.equal(
        'This server does not serve MCP. Its operator can turn it on: MCP=true.',
      )
    })

    it('405 for CONNECT', async () => {
      const { status, headers, body } = await sendOne(
        'CONNECT wiki.example:443 HTTP/1.1\r\nHost: wiki.example:443\r\n\r\n',
      )
      expect(status).to.equal(405)
      expect(headers.allow).to.equal('GET, HEAD, OPTIONS')
      expect(headers['access-control-allow-origin']).to.equal('*')
      expect(JSON.parse(body).error.code).to.equal('method_not_allowed')
    })

    it('405 for a method with a body; the connection stays usable', async () => {
      const responses = await send(
        'POST /api/v1/pages HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /api/v1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      )
      expect(responses.map(({ status }) => status)).to.deep.equal([405, 200])
    })

    it('ignores the body of a GET, and Upgrade', async () => {
      for (const rest of [
        'Content-Length: 5\r\nConnection: close\r\n\r\nhello',
        'Connection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n',
      ])
        expect((await sendOne(`GET /api/v1/ HTTP/1.1\r\nHost: x\r\n${rest}`)).status, rest).to.equal(200)
    })
  })

  describe('CORS', () => {
    it('every response has the CORS headers, including errors and 304', async () => {
      const { headers } = await test.get('/pages/tea')
      const responses = [
        await test.get('/pages/tea', { headers: { Origin: 'https://elsewhere.example' } }),
        await test.get('/pages/tea', { headers: { 'If-None-Match': headers.etag! } }),
        await test.get('/pages/tea', { method: 'HEAD' }),
        await test.get('/pages/tea', { method: 'OPTIONS' }),
        await test.get('/pages/never'),
        await test.get('/pages?limit=0'),
        await test.call('/nothing'),
        await test.call('/api/v1/pages', { method: 'POST' }),
      ]
      expect(responses.map(({ status }) => status)).to.deep.equal([200, 304, 200, 204, 404, 400, 404, 405])
      for (const response of responses) {
        expect(response.headers['access-control-allow-origin']).to.equal('*')
        expect(response.headers['access-control-expose-headers']!.split(', ')).to.have.members(EXPOSED)
        expect(response.headers).not.to.have.property('access-control-allow-credentials')
      }
    })
  })

  describe('X-Request-Id', () => {
    it('is another UUID for each request', async () => {
      const requests = Array.from({ length: 130 }, () => test.get('/'))
      const ids = (await Promise.all(requests)).map(({ headers }) => headers['x-request-id'])
      expect(new Set(ids)).to.have.lengthOf(130)
      for (const id of ids)
        expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    })

    it('repeats the value of the client if it is short and has no special characters', async () => {
      const { headers } = await test.get('/', { headers: { 'X-Request-Id': 'trace-1:a.b' } })
      expect(headers['x-request-id']).to.equal('trace-1:a.b')
      for (const id of ['a b', 'x'.repeat(65), '{"a":1}', '\u00e9', '<b>']) {
        const response = await test.get('/', { headers: { 'X-Request-Id': id } })
        expect(response.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/)
      }
    })
  })

  describe('caching', () => {
    it('200: public, cached for one minute', async () => {
      for (const path of ['/', '/pages', '/pages/tea', '/recent', '/search?q=tea', '/openapi.json']) {
        test.service.invalidate()
        const { headers } = await test.get(path)
        expect(headers['cache-control'], path).to.equal('public, max-age=60')
        const vary = path === '/pages/tea' ? 'Accept, Accept-Encoding' : 'Accept-Encoding'
        expect(headers.vary, path).to.equal(vary)
        expect(headers.etag, path).to.match(/^W\/"[^"]+"$/)
      }
    })

    it('404: cached for 10 s, without an ETag', async () => {
      for (const path of ['/pages/never', `/revisions/${testId(9)}`, '/categories/never', '/nothing']) {
        test.service.invalidate()
        const { headers } = await test.get(path)
        expect(headers['cache-control'], path).to.equal('public, max-age=10')
        expect(headers, path).not.to.have.property('etag')
      }
    })

    it('a cached response has the remaining max-age, and no Age that would outdate RateLimit', async () => {
      for (const [path, whole] of [
        ['/pages/tea', 'public, max-age=60'],
        ['/pages/never', 'public, max-age=10'],
      ] as const) {
        test.service.invalidate()
        const { headers } = await test.get(path)
        expect(headers['cache-control']).to.equal(whole)
        const known = { 'If-None-Match': headers.etag ?? '"none"' }
        await until(
          'a second has passed',
          async () => (await test.get(path)).headers['cache-control'] !== whole,
        )
        for (const options of [{}, { method: 'HEAD' }, { headers: known }]) {
          const { headers: otherHeaders, status } = await test.get(path, options)
          expect(otherHeaders, `${status}`).to.not.have.property('age')
          expect(otherHeaders['cache-control']).to.match(cacheControlPattern(whole)).and.not.equal(whole)
          expect(otherHeaders).to.include.keys('ratelimit', 'ratelimit-policy', 'date')
        }
      }
    })

    it('400: no-store, without an ETag', async () => {
      const { headers } = await test.get('/pages?limit=0')
      expect(headers['cache-control']).to.equal('no-store')
      expect(headers).not.to.have.property('etag')
    })

    it('ETag: equal for equal responses, different for different ones', async () => {
      const [one, two] = [await test.get('/pages'), await test.get('/pages')]
      const other = await test.get('/recent')
      expect(one.headers.etag).to.equal(two.headers.etag)
      expect(one.headers.etag).not.to.equal(other.headers.etag)
    })

    it('If-None-Match: 304 for the tag, the tag as a strong one, a list with it, and *', async () => {
      const { etag, ...headers } = (await test.get('/pages/tea')).headers
      for (const tag of [etag!, etag!.replace('W/', ''), `"other", ${etag}`, `W/"x",${etag} , "y"`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const response = await test.get('/pages/tea', { method, headers: { 'If-None-Match': tag } })
          expect(response.status, tag).to.equal(304)
          expect(response.text).to.equal('')
          expect(response.headers.etag).to.equal(etag)
          expect(response.headers['cache-control']).to.match(cacheControlPattern(headers['cache-control']!))
          for (const name of ['vary', 'link', 'content-language']) {
            expect(response.headers[name], name).to.equal(headers[name])
          }
          expect(response.headers).not.to.have.property('content-type')
          expect(response.headers).not.to.have.property('content-encoding')
        }
      }
    })

    it('If-None-Match: 200 for another tag or an invalid one', async () => {
      for (const tag of ['"other"', 'W/"other"', '', 'W/', ',,,', '"*"']) {
        const { status } = await test.get('/pages/tea', { headers: { 'If-None-Match': tag } })
        expect(status, tag).to.equal(200)
      }
    })

    it('If-None-Match: works with Cache-Control: no-cache, and never turns an error into 304', async () => {
      const { etag } = (await test.get('/pages/tea')).headers
      const reload = { 'If-None-Match': etag!, 'Cache-Control': 'no-cache' }
      expect((await test.get('/pages/tea', { headers: reload })).status).to.equal(304)
      expect((await test.get('/pages/never', { headers: { 'If-None-Match': '*' } })).status).to.equal(404)
      expect((await test.get('/pages?limit=0', { headers: { 'If-None-Match': '*' } })).status).to.equal(400)
    })
  })

  describe('compression', () => {
    const encoding = async (path: string, accepted?: string, method = 'GET') => {
      const headers: Record<string, string> = accepted === undefined ? {} : { 'Accept-Encoding': accepted }
      const response = await test.get(path, { headers, method })
      return response.headers['content-encoding'] ?? 'identity'
    }

    it('prefers br to gzip if the client accepts both', async () => {
      expect(await encoding('/pages/long', 'gzip, deflate, br, zstd')).to.equal('br')
      expect(await encoding('/pages/long', 'gzip, deflate')).to.equal('gzip')
      expect(await encoding('/pages/long', '*')).to.equal('br')
    })

    it('follows the weights of the client first', async () => {
      expect(await encoding('/pages/long', 'gzip;q=1, br;q=0.5')).to.equal('gzip')
      expect(await encoding('/pages/long', 'br;q=0, *')).to.equal('gzip')
      expect(await encoding('/pages/long', 'identity, gzip;q=0.5')).to.equal('identity')
    })

    it('none if the client accepts no encoding, or sends no Accept-Encoding', async () => {
      const refusing = ['', 'identity', 'zstd', 'br;q=0, gzip;q=0', '*;q=0', ';;;q=', 'gzip;q=0']
      for (const accepted of [undefined, ...refusing])
        expect(await encoding('/pages/long', accepted), accepted).to.equal('identity')
    })

    it('none for a small body, unless the client refuses that', async () => {
      expect(await encoding('/pages/tea', 'gzip, br')).to.equal('identity')
      expect(await encoding('/pages/tea', 'gzip, identity;q=0')).to.equal('gzip')
      expect(await encoding('/pages/never', 'br, *;q=0')).to.equal('br')
    })

    it('body and ETag are the same in all encodings', async () => {
      const plain = await test.get('/pages/long')
      for (const accepted of ['br', 'gzip']) {
        const response = await test.get('/pages/long', { headers: { 'Accept-Encoding': accepted } })
        expect(response.text).to.equal(plain.text)
        expect(response.headers.etag).to.equal(plain.headers.etag)
        const [packed, whole] = [response, plain].map(({ headers }) => Number(headers['content-length']))
        expect(packed).to.be.below(whole!)
      }
      expect(await encoding('/pages/long', 'br', 'HEAD')).to.equal('br')
    })
  })

  describe('links and languages', () => {
    it('every response with content has Link: <license>; rel="license"', async () => {
      const paths = `/pages /pages/tea /pages/tea/history /revisions/${testId(1)} /revisions/${testId(1)}/diff /recent`
      for (const path of paths.split(' ')) {
        const { headers } = await test.get(path)
        expect(headers.link, path).to.equal('<https://license.example/>; rel="license"')
      }
    })

    it('the base URL also has links to the description and the documentation of the API', async () => {
      const base = 'http://localhost:3000/api/v1'
      expect((await test.get('/')).headers.link).to.equal(
        `<https://license.example/>; rel="license", <${base}/openapi.json>; rel="service-desc", <${base}/docs>; rel="service-doc"`,
      )
    })

    it('lists have Link: <…>; rel="next" until the end, without unknown parameters', async () => {
      const { headers, body } = await test.get('/pages?limit=1&foo=bar')
      expect(body.next).to.equal('long')
      expect(headers.link).to.equal(
        '<http://localhost:3000/api/v1/pages?limit=1&after=long>; rel="next", <https://license.example/>; rel="license"',
      )
      expect((await test.get('/pages?limit=1&after=tea')).headers.link).to.equal(
        '<https://license.example/>; rel="license"',
      )
    })

    it('Lectern-Ignored-Parameters names parameters that the endpoint does not have, also of a cached response', async () => {
      const ignoredBy = async (query: string) =>
        (await test.get(`/pages${query}`)).headers['lectern-ignored-parameters']
      for (const query of ['?limit=3', '?limit=3&after=a'])
        for (let i = 0; i < 2; i++) expect(await ignoredBy(query)).to.equal(undefined)
      for (let i = 0; i < 2; i++) {
        expect(await ignoredBy('?limt=3&x[]=1&x=2')).to.equal('limt;known=limit, x')
        expect(await ignoredBy('?limits=3')).to.equal('limits;known=limit')
        expect(await ignoredBy('?limitation=3')).to.equal('limitation;known=limit')
        expect(await ignoredBy('?lang=de&cursor=a&user=b')).to.equal(
          'lang;known=locale, cursor;known=after, user',
        )
        expect(await ignoredBy('?%22%0d%0ax%E4%B8%AD=1')).to.equal('%22%0D%0Ax%E4%B8%AD')
      }
      const many = Array.from({ length: 100 }, (_, i) => `${'y'.repeat(100)}${i}=1`).join('&')
      expect((await ignoredBy(`?${many}`))!.length).to.be.below(600)
    })

    it('Prefer: handling=strict refuses what is ignored otherwise, whatever is cached', async () => {
      const read = async (path: string, prefer?: string) => {
        const { status, body, headers } = await test.get(path, { headers: prefer ? { Prefer: prefer } : {} })
        return [
          status,
          body.error?.message,
          headers['preference-applied'],
          headers['lectern-invalid-parameters'],
        ]
      }
      const strict = 'handling=strict'
      const fine = [200, undefined, undefined, undefined]
      for (let i = 0; i < 2; i++)
        for (const [path, message, names] of [
          ['/search?query=tea&q=tea', 'query: is unknown; did you mean q?', 'query'],
          ['/search', 'q: is required', 'q'],
          ['/suggest?limit=3', 'q: is required', 'q'],
          ['/search?query=tea', 'query: is unknown; did you mean q?; q: is required', 'query, q'],
          ['/pages/tea?x%0d%0a[]=1', 'x%0D%0A: is unknown', 'x%0D%0A'],
          ['/pages?limt=3', 'limt: is unknown; did you mean limit?', 'limt'],
        ]) {
          expect(await read(path!), path).to.deep.equal(fine)
          for (const prefer of [strict, 'respond-async, Handling = "strict"; x'])
            expect(await read(path!, prefer), path).to.deep.equal([400, message, strict, names])
          for (const prefer of ['handling=lenient', 'strict', 'x-handling=strict'])
            expect(await read(path!, prefer), path).to.deep.equal(fine)
        }
      for (let i = 0; i < 2; i++)
        for (const path of ['/search?q=tea', '/pages/tea?format=html', '/pages'])
          expect(await read(path, strict), path).to.deep.equal([200, undefined, strict, undefined])
      expect((await read('/pages/never', strict)).slice(0, 3)).to.deep.equal([
        ...[404, 'There is no such page in this language (en).', strict],
      ])
    })

    it('strict requests share cached responses with all others, and caches outside keep them apart', async () => {
      const misses = async () => {
        const text = await (await fetch(`${test.service.internalUrl}/metrics`)).text()
        return Number(/^lectern_response_cache_misses_total (\d+)$/m.exec(text)![1])
      }
      const headers = { Prefer: 'handling=strict' }
      const plain = await test.get('/pages/tea?include=summary')
      const before = await misses()
      const both = await test.get('/pages/tea?include=summary', { headers })
      expect(both.text).to.equal(plain.text)
      expect(await misses()).to.equal(before)
      expect(both.headers.vary).to.equal('Accept, Accept-Encoding, Prefer')
      expect((await test.get('/search', { headers })).headers.vary).to.equal('Accept-Encoding, Prefer')
      for (let i = 0; i < 2; i++) {
        expect((await test.get('/pages/tea?x=1')).headers.vary).to.equal('Accept, Accept-Encoding, Prefer')
        expect((await test.get('/search')).headers.vary).to.equal('Accept-Encoding, Prefer')
      }
    })

    it('Lectern-Invalid-Parameters names the parameters that a 400 is about', async () => {
      const invalidIn = async (path: string) => (await test.get(path)).headers['lectern-invalid-parameters']
      expect(await invalidIn('/pages?ns=x&locale=x&limit=x&after=')).to.equal('ns, locale, limit')
      expect(await invalidIn('/pages?limit[]=1&limit=2&ns=x')).to.equal('limit, ns')
      expect(await invalidIn('/revisions/x/diff?from=x')).to.equal('id, from')
      expect(await invalidIn('/changes?after=x')).to.equal('after')
      expect(await invalidIn('/links')).to.equal('to')
      expect(await invalidIn('/pages/never')).to.equal(undefined)
    })

    it('a 400 and a 404 have Link: <…>; rel="help" to the reference of the endpoint', async () => {
      const link = async (path: string) => (await test.get(path)).headers.link
      const help = (operation: string) => `<http://localhost:3000/api/v1/docs#${operation}>; rel="help"`
      expect(await link('/pages?limit=0')).to.equal(help('listPages'))
      for (let i = 0; i < 2; i++) expect(await link('/pages/never')).to.equal(help('getPage'))
      expect(await link('/recent?before=x')).to.equal(help('listRecentEdits'))
      expect(await link('/nowhere')).to.equal(undefined)
    })

    it('Content-Language if the response has one language', async () => {
      expect((await test.get('/pages')).headers['content-language']).to.equal('en')
      expect((await test.get('/pages?locale=RU')).headers['content-language']).to.equal('ru')
      expect((await test.get('/recent')).headers).not.to.have.property('content-language')
      expect((await test.get('/pages/never')).headers).not.to.have.property('content-language')
    })

    it('JSON in UTF-8, with nosniff', async () => {
      for (const path of ['/pages', '/pages/never', '/pages?limit=0']) {
        const { headers } = await test.get(path)
        expect(headers['content-type'], path).to.equal('application/json; charset=utf-8')
        expect(headers['x-content-type-options'], path).to.equal('nosniff')
        expect(headers, path).not.to.have.property('x-powered-by')
        expect(headers, path).not.to.have.property('set-cookie')
      }
    })
  })

  describe('URLs', () => {
    it('404 without redirects, with the URL of the API, outside /api/v1 and for what resembles an endpoint', async () => {
      const id = testId(1)
      const paths = `/index.html /pages /api/v1pages /api/v2/pages /API/v1/pages /api/v1/Pages /api/v1/pages/
        /api/v1/recent/ /api/v1/search/x /api/v1/revisions/${id}/ /api/v1/revisions/${id}/text
        /api/v1/revisions/x/y /api/v1// //api/v1/pages /api/v1/openapi.json/ /api/v1/openapiXjson /graphql /live
        /favicon.ico`
      for (const path of paths.split(/\s+/)) {
        const { status, headers, body } = await test.call(path)
        expect(status, path).to.equal(404)
        expect(headers, path).not.to.have.property('location')
        expect(body.error.code, path).to.equal('not_found')
      }
      expect((await test.call('/pages')).body.error.message).to.include('http://localhost:3000/api/v1')
    })

    const getTarget = (target: string) =>
      sendOne(`GET ${target} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`)

    it('a target in absolute form works like its path, whatever its origin', async () => {
      expect((await getTarget('http://other.example/api/v1/pages/tea')).status).to.equal(200)
      const { status, headers } = await getTarget('http://other.example')
      expect([status, headers['content-type']], 'landing').to.deep.equal([200, 'text/html; charset=utf-8'])
    })

    it('404 for a target that is not a path', async () => {
      for (const target of ['*', 'other.example:80', 'ftp://x/api/v1/']) {
        const { status, headers, body } = await getTarget(target)
        expect([400, 404], target).to.include(status)
        expect(headers['access-control-allow-origin']).to.equal('*')
        expect(JSON.parse(body)).to.have.nested.property('error.code')
      }
    })

    it('accepts URLs of 8 KB', async () => {
      expect((await test.get(`/pages/${'a'.repeat(8_192)}`)).status).to.equal(404)
      for (const path of ['/pages?after=', '/search?q=', '/recent?foo=', '/categories/x?after=']) {
        expect((await test.get(path + 'a'.repeat(8_192))).status, path).to.be.oneOf([200, 404])
      }
      expect((await test.get(`/pages?after=${'%F0%9F%8D%B5'.repeat(680)}`)).status).to.equal(200)
    })
  })

  it('responds to pipelined requests in their order', async () => {
    const get = (path: string, more = '') => `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
    const responses = await send(
      `${get('/pages/long')}${get('/pages/never')}${get('/pages?limit=0')}${get('/', 'Connection: close\r\n')}`,
    )
    expect(responses.map(({ status }) => status)).to.deep.equal([200, 404, 400, 200])
  })
})
