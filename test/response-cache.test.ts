import { expect } from 'chai'
import { makeResponseCache } from '../src/rest/transport/response-cache.ts'
import type { ApiResponse } from '../src/rest/transport/responses.ts'
import type { TestResponse } from './support/client.ts'
import { withService, withWorld } from './support/service.ts'

const answerOf = (text: string, status = 200): ApiResponse => ({
  status,
  headers: {},
  body: Buffer.from(text),
})

describe('response cache', () => {
  /** A cache with its own clock, which counts created responses. */
  const makeCase = (seconds = 60) => {
    const clock = { ms: 1 }
    const cache = makeResponseCache(seconds, () => clock.ms)
    const computed: string[] = []
    const getOrCreate = async (rawRequest: string, key: string, status = 200) => {
      const { response } = await cache.getOrCreate(
        rawRequest,
        { key, route: 'page' },
        async () => {
          computed.push(key)
          return answerOf(`${key} ${computed.length}`, status)
        },
        cache.generation,
      )
      return response.response.body.toString()
    }
    return { cache, clock, computed, getOrCreate }
  }

  it('creates one response for all concurrent spellings of a request', async () => {
    const { cache, computed, getOrCreate } = makeCase()
    expect(await getOrCreate('/a?x=1&y=2', 'a')).to.equal('a 1')
    expect(await getOrCreate('/a?y=2&x=1', 'a')).to.equal('a 1')
    expect(cache.find('/a?y=2&x=1')?.response.response.body.toString()).to.equal('a 1')
    expect(computed).to.deep.equal(['a'])
  })

  it('caches a 200 for its time, and a 404 for ten seconds', async () => {
    const { clock, computed, getOrCreate } = makeCase()
    await getOrCreate('/page', 'page')
    await getOrCreate('/gone', 'gone', 404)
    clock.ms = 10_000
    await getOrCreate('/gone', 'gone', 404)
    expect(computed).to.have.length(2)
    clock.ms = 10_002
    await getOrCreate('/gone', 'gone', 404)
    expect(computed).to.have.length(3)
    clock.ms = 60_000
    await getOrCreate('/page', 'page')
    expect(computed).to.have.length(3)
    clock.ms = 60_002
    await getOrCreate('/page', 'page')
    expect(computed).to.have.length(4)
  })

  it('counts the time of a response from the start of its creation', async () => {
    const { cache, clock } = makeCase()
    let finish: (answer: ApiResponse) => void = () => {}
    const slow = cache.getOrCreate(
      '/slow',
      { key: 'slow', route: 'page' },
      () => new Promise((resolve) => (finish = resolve)),
      cache.generation,
    )
    clock.ms = 20_001
    finish(answerOf('slow'))
    const { createdAt, expiresAt } = await slow
    expect([createdAt, expiresAt]).to.deep.equal([1, 60_001])
    clock.ms = 60_000
    expect(cache.find('/slow')?.response.response.body.toString()).to.equal('slow')
    clock.ms = 60_002
    expect(cache.find('/slow')).to.equal(undefined)
  })

  it('caches no failure, and rejects all requests that waited', async () => {
    const { cache, getOrCreate } = makeCase()
    const failing = () =>
      cache.getOrCreate(
        '/a',
        { key: 'a', route: 'page' },
        () => Promise.reject(new Error('lost')),
        cache.generation,
      )
    const [one, two] = await Promise.allSettled([failing(), failing()])
    expect([one.status, two.status]).to.deep.equal(['rejected', 'rejected'])
    expect(await getOrCreate('/a', 'a')).to.equal('a 1')
  })

  it('does not cache a response whose creation started before the wiki changed', async () => {
    const { cache, getOrCreate } = makeCase()
    let finish: (answer: ApiResponse) => void = () => {}
    const stale = cache.getOrCreate(
      '/a',
      { key: 'a', route: 'page' },
      () => new Promise((resolve) => (finish = resolve)),
      cache.generation,
    )
    cache.clear()
    finish(answerOf('stale'))
    await stale
    expect(await getOrCreate('/a', 'a')).to.equal('a 1')
  })

  it('caches nothing for 0 seconds', async () => {
    const { cache, computed, getOrCreate } = makeCase(0)
    await getOrCreate('/a', 'a')
    await getOrCreate('/a', 'a')
    expect(computed).to.have.length(2)
    expect(cache.find('/a')).to.equal(undefined)
  })
})

describe('responses through the cache', () => {
  const cached = withService({ cacheSeconds: 60 })
  const around = withService({ cacheSeconds: 0 })
  withWorld(cached, {
    categories: [{ locale: 'en', key: 'green tea', name: 'Green' }],
    pages: [
      {
        path: 'tea/sencha',
        revisions: [
          { markdown: 'word '.repeat(500), categories: [{ key: 'green tea' }] },
          { created_at: '2025-01-01T00:00:00Z', title: 'Sencha' },
        ],
      },
      { path: 'tea/gyokuro', revisions: [{ categories: [{ key: 'green tea' }] }] },
      { path: 'чай', locale: 'ru' },
    ],
  })

  /** Headers that do not depend on the time and the host of the request. */
  const lasting = ({ status, headers, text }: TestResponse) => {
    const {
      date,
      ratelimit,
      'x-request-id': id,
      'cache-control': kept,
      connection,
      'keep-alive': alive,
      ...rest
    } = headers
    return { status, rest, text }
  }
  // The response of the root and openapi.json contain `cache_seconds`, in which the two services differ.
  const addresses = [
    '/pages',
    '/pages?limit=1',
    '/pages/tea/sencha',
    '/pages/tea/sencha?format=both',
    '/pages/tea/sencha/history?limit=1',
    '/recent?limit=2',
    '/search?q=word',
    '/categories/green%20tea',
    '/pages/%D1%87%D0%B0%D0%B9?locale=ru',
    '/pages/nothing',
    '/pages?limit=0',
    '/categories/none',
  ]
  for (const address of addresses) {
    it(`are the same bytes at first, again, and without the cache: ${address}`, async () => {
      const [first, again, computed] = [
        await cached.get(address),
        await cached.get(address),
        await around.get(address),
      ]
      expect(lasting(first)).to.deep.equal(lasting(computed))
      expect(lasting(again)).to.deep.equal(lasting(computed))
    })
  }
})
