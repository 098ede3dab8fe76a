import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { makeFixedWindow } from '../../src/rate/fixed-window.ts'
import { clientAddress, retryAfter } from '../../src/rest/admission/rate-limit.ts'
import { exchangeOne } from '../support/raw.ts'
import { type TestService, withService, withWorld } from '../support/service.ts'

/** `r` of the header RateLimit: how many requests the client has left. */
const remaining = (header: unknown): number => Number(/^"default";r=(\d+);t=\d+$/.exec(String(header))?.[1])

/** How many requests a client has left after this one. @param forwarded its X-Forwarded-For */
const remainingFor = async (test: TestService, forwarded?: string): Promise<number> => {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  return remaining((await test.get('/', { headers })).headers.ratelimit)
}

describe('rate limit', () => {
  describe('with three requests per minute', () => {
    const test = withService({ rateLimit: 3, trustedProxies: 1 })
    withWorld(test, {})
    const from = (address: string, path = '/', more: { method?: string; headers?: object } = {}) =>
      test.get(path, { ...more, headers: { 'X-Forwarded-For': address, ...more.headers } })

    it('RateLimit-Policy contains limit and window, RateLimit the rest of the limit', async () => {
      const { headers } = await from('192.0.2.1')
      expect(headers['ratelimit-policy']).to.equal('"default";q=3;w=60')
      expect(headers.ratelimit).to.equal('"default";r=2;t=60')
      expect((await from('192.0.2.1')).headers.ratelimit).to.match(/^"default";r=1;t=(60|59)$/)
    })

    it('429: Retry-After is a whole number of seconds, from 1 to the length of the window', async () => {
      for (const _ of [1, 2, 3]) expect((await from('192.0.2.2')).status).to.equal(200)
      const { status, headers, body } = await from('192.0.2.2')
      expect(status).to.equal(429)
      expect(headers['retry-after']).to.match(/^([1-9]|[1-5]\d|60)$/)
      expect(headers.ratelimit).to.match(/^"default";r=0;t=\d+$/)
      expect(headers['cache-control']).to.equal('no-store')
      expect(headers['access-control-allow-origin']).to.equal('*')
      expect(body.error.code).to.equal('rate_limited')
      expect(body.error.message).to.include(`${headers['retry-after']} s`)
      expect((await from('192.0.2.4')).status, 'of another client').to.equal(200)
    })

    it('every response has the headers and counts, including errors, 304, HEAD and preflights', async () => {
      const { etag } = (await from('192.0.2.10')).headers
      const responses = [
        await from('192.0.2.11', '/pages/never'),
        await from('192.0.2.11', '/pages?limit=0'),
        await from('192.0.2.11', '/', { headers: { 'If-None-Match': etag! } }),
        await from('192.0.2.12', '/', { method: 'HEAD' }),
        await from('192.0.2.12', '/', { method: 'OPTIONS' }),
        await from('192.0.2.12', '/', { method: 'POST' }),
      ]
      expect(responses.map(({ status }) => status)).to.deep.equal([404, 400, 304, 200, 204, 405])
      expect(responses.map(({ headers }) => remaining(headers.ratelimit))).to.deep.equal([2, 1, 0, 2, 1, 0])
      for (const { headers } of responses) {
        expect(headers['ratelimit-policy']).to.equal('"default";q=3;w=60')
      }
      expect((await from('192.0.2.12', '/', { method: 'HEAD' })).status).to.equal(429)
    })

    it('a malformed request has the headers and counts', async () => {
      const { status, headers } = await exchangeOne(
        test.service.listeningUrl,
        'GET /api/v1/ HTTP/1.1\r\nHost: a\r\nHost: b\r\nX-Forwarded-For: 192.0.2.13\r\nConnection: close\r\n\r\n',
      )
      expect(status).to.equal(400)
      expect(remaining(headers.ratelimit)).to.equal(2)
    })

    it('refuses every request of a client over its limit', async () => {
      for (const _ of [1, 2, 3]) await from('192.0.2.20')
      for (const path of ['/', '/pages/never', '/pages?limit=0', '/openapi.json', '/nothing']) {
        expect((await from('192.0.2.20', path)).status, path).to.equal(429)
      }
    })

    it('a preflight of a client over its limit counts and succeeds, so that a script can read its 429', async () => {
      for (const _ of [1, 2, 3]) await from('192.0.2.21')
      const { status, headers } = await from('192.0.2.21', '/', { method: 'OPTIONS' })
      expect(status).to.equal(204)
      expect(remaining(headers.ratelimit)).to.equal(0)
      expect((await from('192.0.2.21')).status).to.equal(429)
    })

    it('counts IPv6 addresses by /64 network, and an IPv4-mapped IPv6 address as that IPv4 address', async () => {
      for (const [address, left] of [
        ['2001:db8:1:2::1', 2],
        ['2001:db8:1:2:ffff:ffff:ffff:ffff', 1],
        ['2001:0DB8:0001:0002:0000::9', 0],
        ['2001:db8:1:3::1', 2],
        ['192.0.2.30', 2],
        ['::ffff:192.0.2.30', 1],
        ['::ffff:192.0.2.31', 2],
      ] as const)
        expect(await remainingFor(test, address), address).to.equal(left)
    })

    it('GET / contains the limit', async () => {
      expect((await from('192.0.2.40')).body.limits.requests_per_minute).to.equal(3)
    })
  })

  describe('TRUSTED_PROXIES decides which entries of X-Forwarded-For count', () => {
    const none = withService({ rateLimit: 100, trustedProxies: 0 })
    const one = withService({ rateLimit: 100, trustedProxies: 1 })
    const two = withService({ rateLimit: 100, trustedProxies: 2 })
    withWorld(none, {})

    /** What a header leaves to its client, request after request. */
    const counted: [what: string, service: TestService, left: Record<string, number>][] = [
      [
        '0: uses the address of the connection, and ignores the header',
        none,
        { '192.0.2.1': 99, '192.0.2.2, 192.0.2.3': 98 },
      ],
      [
        '1: uses the last entry, and ignores entries that the client wrote before it',
        one,
        {
          '192.0.2.1': 99,
          '203.0.113.9, 192.0.2.1': 98,
          '::1, 203.0.113.10,192.0.2.1': 97,
          '192.0.2.1, 192.0.2.2': 99,
          '192.0.2.2:5555': 98,
          '[2001:db8::1]:443': 99,
          '2001:db8::1': 98,
        },
      ],
      [
        '2: uses the last but one entry',
        two,
        { '192.0.2.1, 10.0.0.1': 99, '203.0.113.9, 192.0.2.1, 10.0.0.2': 98, '192.0.2.2, 10.0.0.1': 99 },
      ],
      [
        '2 with a shorter header: uses the first entry',
        two,
        { '192.0.2.50': 99, '192.0.2.50, 10.0.0.9': 98 },
      ],
    ]
    for (const [what, service, left] of counted) {
      it(what, async () => {
        for (const [forwarded, expected] of Object.entries(left))
          expect(await remainingFor(service, forwarded), forwarded).to.equal(expected)
      })
    }

    it('ignores entries that are not IP addresses', async () => {
      const before = await remainingFor(one)
      for (const forged of ['unknown', '_hidden', 'a, b', '999.1.1.1', '']) await remainingFor(one, forged)
      expect(await remainingFor(one)).to.equal(before - 6)
    })
  })

  describe('over time', () => {
    const clock = { ms: 0 }
    const consume = makeFixedWindow(1000, () => clock.ms)
    const test = withService({ rateLimit: 5, trustedProxies: 1 }, { fleet: { consume } })
    withWorld(test, {})
    const from = (address: string) => test.get('/', { headers: { 'X-Forwarded-For': address } })

    it('waiting for Retry-After always gives 200, at any millisecond of the window', async () => {
      for (const at of [0, 1, 499, 500, 999, 1000, 30_500, 58_999, 59_000, 59_001, 59_999]) {
        const client = `198.51.100.${at % 251}`
        clock.ms = at * 7919
        for (const _ of [1, 2, 3, 4, 5]) expect((await from(client)).status).to.equal(200)
        clock.ms += at
        const { status, headers } = await from(client)
        expect(status, `after ${at} ms`).to.equal(429)
        clock.ms += Number(headers['retry-after']) * 1000
        expect((await from(client)).status, `after ${at} ms and ${headers['retry-after']} s`).to.equal(200)
      }
    })
  })

  describe('attempts to look like many clients', () => {
    const direct = withService({ rateLimit: 10 })
    const behind = withService({ rateLimit: 10, trustedProxies: 1 })
    withWorld(direct, {})
    const attempts: [what: string, service: TestService, forwarded: (i: number) => string][] = [
      ['other values of X-Forwarded-For, Forwarded and X-Real-IP', direct, (i) => `192.0.2.${i}`],
      ['other entries before that of the proxy', behind, (i) => `192.0.2.${i}, 2001:db8::${i}, 203.0.113.5`],
      [
        'other addresses of an IPv6 /64 network',
        behind,
        (i) => `2001:db8:a:b:${(i * 1597).toString(16)}:${i}:f00d:1`,
      ],
    ]
    for (const [what, service, forwarded] of attempts) {
      it(`${what} do not help`, async () => {
        const headersOf = (address: string) => ({
          'X-Forwarded-For': address,
          Forwarded: `for=${address}`,
          'X-Real-IP': address,
        })
        const calls = Array.from({ length: 40 }, (_, i) =>
          service.get('/', { headers: headersOf(forwarded(i)) }),
        )
        const statuses = (await Promise.all(calls)).map(({ status }) => status).sort()
        expect(statuses).to.deep.equal([...Array<number>(10).fill(200), ...Array<number>(30).fill(429)])
      })
    }
  })

  describe('RATE_LIMIT=0', () => {
    const test = withService({ rateLimit: 0 })
    withWorld(test, {})

    it('no headers, no 429', async () => {
      for (let i = 0; i < 50; i++) {
        const { status, headers } = await test.get('/')
        expect(status).to.equal(200)
        expect(headers).not.to.have.any.keys('ratelimit', 'ratelimit-policy', 'retry-after')
      }
      expect((await test.get('/')).body.limits.requests_per_minute).to.equal(0)
    })
  })

  it('rounds Retry-After up, never to 0', () => {
    expect([0, 3, 1000, 1001, 59_001].map(retryAfter)).to.deep.equal([1, 1, 1, 2, 60])
  })

  it('handles a connection that was reset before its request was read', () => {
    const request = { headers: {}, socket: { remoteAddress: undefined } } as unknown as IncomingMessage
    for (const proxies of [0, 1, 2]) expect(clientAddress(request, proxies)).to.equal('')
  })
})
