import { Overloaded } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { makeConcurrencyLimit } from '../src/rest/admission/admission.ts'
import { exchange } from './support/raw.ts'
import { type ServiceOptions, type TestService, withService, withWorld } from './support/service.ts'
import { until } from './support/until.ts'

/** Work that ends when the test ends it. */
const task = () => {
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { finish, done }
}
const turns = async () => {
  for (let n = 0; n < 10; n++) await new Promise((resolve) => setImmediate(resolve))
}

/** A limit of one at a time, with time for everybody, but for what differs. */
const limitOf = (bounds: Partial<Parameters<typeof makeConcurrencyLimit>[0]>, now?: () => number) =>
  makeConcurrencyLimit(
    { running: 1, runningPerClient: 1, queued: 100, queueTimeoutMs: 60_000, latencyMs: 60_000, ...bounds },
    now,
  )

describe('concurrency limit', () => {
  it('runs a limited number at a time, and the next in the order of their arrival', async () => {
    const limit = limitOf({ running: 2, runningPerClient: 2, queued: 10 })
    const began: number[] = []
    const tasks = Array.from({ length: 5 }, task)
    const all = tasks.map(({ done }, n) =>
      limit.run('one', async () => {
        began.push(n)
        await done
        return n
      }),
    )
    await turns()
    expect([began, limit.counts().running, limit.counts().queued]).to.deep.equal([[0, 1], 2, 3])
    tasks[1]!.finish()
    await turns()
    expect(began).to.deep.equal([0, 1, 2])
    for (const { finish } of tasks) finish()
    expect(await Promise.all(all)).to.deep.equal([0, 1, 2, 3, 4])
    expect([limit.counts().running, limit.counts().queued, limit.counts().shed]).to.deep.equal([0, 0, 0])
  })

  it('sheds at the deadline, and continues with the others', async () => {
    const clock = { ms: 0 }
    const limit = limitOf({ queued: 5, queueTimeoutMs: 20 }, () => clock.ms)
    const { finish, done } = task()
    const first = limit.run('one', () => done)
    const late = limit.run('one', async () => 'late')
    clock.ms = 15
    const patient = limit.run('one', async () => 'patient')
    clock.ms = 20
    expect(await late.catch((error: unknown) => error)).to.be.instanceOf(Overloaded)
    expect(limit.counts().queued).to.equal(1)
    finish()
    await first
    expect(await patient).to.equal('patient')
  })

  it('sheds at once if the drain rate shows that the deadline would pass', async () => {
    const clock = { ms: 0 }
    const limit = limitOf({ queued: 1_000, latencyMs: 110 }, () => clock.ms)
    const finishers: (() => void)[] = []
    const begin = () =>
      limit.run('one', () => new Promise<void>((resolve) => finishers.push(resolve))).catch(() => 'refused')
    for (let n = 0; n < 100; n++) void begin()
    // One request per 10 ms: the ten that wait and the one that runs take 110 ms.
    for (let n = 0; n < 90; n++) {
      clock.ms += 10
      finishers.shift()!()
      await turns()
    }
    expect(limit.isSaturated('one')).to.equal(false)
    const waiting = Array.from({ length: 5 }, begin)
    expect(await waiting.at(-1)).to.equal('refused')
    expect(limit.counts().queued).to.be.within(9, 11)
    expect(limit.isSaturated('one')).to.equal(true)
    clock.ms += 1_001 // without an end of a request for a second, the drain rate is no longer valid
    expect(limit.isSaturated('one')).to.equal(false)
  })

  it('waiting clients take turns, however many requests each has', async () => {
    const limit = limitOf({})
    const began: string[] = []
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']
    const all = names.map((name) =>
      limit.run(name[0]!, async () => {
        began.push(name)
      }),
    )
    await Promise.all(all)
    expect(began).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('sheds the client with most requests, and has room for others', async () => {
    const clock = { ms: 0 }
    const limit = limitOf({ queued: 1_000, latencyMs: 110 }, () => clock.ms)
    const finishers: (() => void)[] = []
    const begin = (client: string) =>
      limit.run(client, () => new Promise<void>((resolve) => finishers.push(resolve))).catch(() => 'refused')
    for (let n = 0; n < 100; n++) void begin('greedy')
    for (let n = 0; n < 40; n++) {
      clock.ms += 10 // one request per 10 ms
      finishers.shift()!()
      await turns()
    }
    expect(limit.counts().queued).to.equal(59)
    expect([limit.isSaturated('greedy'), limit.isSaturated('other')]).to.deep.equal([true, false])
    expect(await begin('greedy')).to.equal('refused')
    void begin('other')
    const began = finishers.length
    for (let n = 0; n < 2; n++) {
      clock.ms += 10
      finishers.shift()!()
      await turns()
    }
    expect(began).to.equal(1)
    expect([limit.isSaturated('other'), limit.counts().queued]).to.deep.equal([false, 58])
  })

  it('runs more at a time while the database is far away, where the class allows it', async () => {
    let roundTripMs = 100
    const bounds = { running: 2, runningPerClient: 1, queued: 10, queueTimeoutMs: 60_000, latencyMs: 60_000 }
    const limit = makeConcurrencyLimit({ ...bounds, far: 3 }, undefined, () => roundTripMs)
    const tasks = Array.from({ length: 5 }, task)
    const all = tasks.map(({ done }) => limit.run('one', () => done))
    expect([limit.counts().running, limit.counts().queued]).to.deep.equal([3, 2])
    roundTripMs = 1
    for (const [n, running] of [2, 1, 1, 1, 0].entries()) {
      tasks[n]!.finish()
      await turns()
      expect(limit.counts().running, `after ${n + 1}`).to.equal(running)
    }
    await Promise.all(all)
  })
})

describe('overload', () => {
  let statements: string[] = []
  /** While it is set, no page is read. */
  let blocking: ReturnType<typeof task> | undefined
  const test = withService(
    {},
    {
      wrap: (database) => ({
        ...database,
        query: async (statement, values) => {
          statements.push(statement.name)
          if (statement.name === 'page_by_path') await blocking?.done
          return database.query(statement, values)
        },
      }),
    },
  )
  withWorld(test, { pages: [{ path: 'tea', revisions: [{ title: 'Tea' }] }] })
  beforeEach(async () => {
    test.service.invalidate()
    await test.get('/pages/tea') // from now on, the wiki is known and this page is cached
    statements = []
  })
  afterEach(() => {
    blocking?.finish()
    blocking = undefined
  })

  const get = async (path: string) => {
    const began = performance.now()
    const response = await fetch(`${test.service.listeningUrl}/api/v1${path}`)
    const body = (await response.json()) as { error?: { code: string } }
    return { status: response.status, headers: response.headers, body, ms: performance.now() - began }
  }
  const times = (count: number, path: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => get(path(n)))

  it('200 concurrent requests for a response that is not cached read the database once', async () => {
    const responses = await Promise.all(times(200, () => '/pages/tea?format=both'))
    expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]))
    // The name of the wiki is read again every few seconds.
    expect(statements.filter((name) => name !== 'wiki')).to.deep.equal(['page_by_path', 'html_of_page'])
  })

  it('503 with Retry-After for excess requests while the others run; running requests finish', async () => {
    blocking = task()
    const refused: Awaited<ReturnType<typeof get>>[] = []
    const all = times(400, (n) => `/pages/missing-${n}`)
    for (const one of all) void one.then((response) => refused.push(response))
    await until('all excess requests are refused', () => refused.length === 400 - 64)
    for (const { status, headers, body } of refused) {
      expect([status, body.error?.code]).to.deep.equal([503, 'unavailable'])
      expect(headers.get('retry-after')).to.match(/^[123]$/)
      expect(headers.get('access-control-allow-origin')).to.equal('*')
      expect(headers.get('cache-control')).to.equal('no-store')
    }
    expect(refused).to.have.length(400 - 64)
    blocking.finish()
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 404)).to.have.length(64)
    expect((await get('/pages/missing-399')).status).to.equal(404)
  })

  it('meanwhile, cached responses are sent, and lists and searches have limits of their own', async () => {
    blocking = task()
    const all = times(400, (n) => `/pages/missing-${n}`)
    expect((await Promise.race(all)).status).to.equal(503)
    expect((await get('/pages/tea')).status).to.equal(200)
    expect((await get('/search?q=tea')).status).to.equal(200)
    expect((await get('/recent')).status).to.equal(200)
    blocking.finish()
    await Promise.all(all)
  })
})

describe('searches of one client', () => {
  /** While it is set, no search runs. Also counts the searches that started since. */
  let blocking: ReturnType<typeof task> | undefined
  let started = 0
  const wrap: ServiceOptions['wrap'] = (database) => ({
    ...database,
    query: async (statement, values) => {
      if (statement.name === 'search_matches') {
        started += 1
        await blocking?.done
      }
      return database.query(statement, values)
    },
  })
  const counted = withService({ trustedProxies: 1 }, { wrap })
  const uncounted = withService({ trustedProxies: 1, rateLimit: 0 }, { wrap })
  withWorld(counted, { pages: [{ path: 'tea', revisions: [{ title: 'Tea' }] }] })
  beforeEach(async () => {
    for (const test of [counted, uncounted]) {
      test.service.invalidate()
      await test.get('/search?q=tea&limit=50') // from now on, the languages are known
    }
    started = 0
    blocking = task()
  })
  afterEach(() => blocking?.finish())

  const search = async (test: TestService, address: string, q: string) => {
    const response = await fetch(`${test.service.listeningUrl}/api/v1/search?q=${q}`, {
      headers: { 'X-Forwarded-For': address },
    })
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  }
  const isBegun = (count: number) => until(`${count} searches are begun`, () => started === count)

  it('run four at a time for an IPv4 address or an IPv6 /64, while those of others run', async () => {
    for (const addresses of [['192.0.2.1'], ['2001:db8::1', '2001:db8::2', '2001:db8::3:4']]) {
      started = 0
      blocking = task()
      const all = Array.from({ length: 7 }, (_, n) =>
        search(counted, addresses[n % addresses.length]!, `tea${n}${addresses.length}`),
      )
      await isBegun(4)
      const other = search(counted, '192.0.2.2', `pot${addresses.length}`)
      await isBegun(5)
      // A search that still waited would get a place when the first four end.
      const shed: number[] = []
      for (const one of all) void one.then(({ status }) => shed.push(status))
      await until('the other three are shed', () => shed.length === 3)
      expect(shed).to.deep.equal([503, 503, 503])
      blocking.finish()
      const responses = await Promise.all(all)
      expect(responses.map((one) => one.status).sort()).to.deep.equal([200, 200, 200, 200, 503, 503, 503])
      for (const { status, retryAfter } of responses)
        if (status === 503) expect(retryAfter).to.match(/^[123]$/)
      expect((await other).status).to.equal(200)
    }
  })

  it('queue while there is time, and all get a response', async () => {
    blocking!.finish()
    // On a busy machine, two searches may take longer than others may wait.
    await until('five searches at a time all get a response', async () => {
      const all = await Promise.all(
        Array.from({ length: 5 }, (_, n) => search(counted, '192.0.2.1', `cup${n}`)),
      )
      return all.every(({ status }) => status === 200)
    })
  })

  it('a shed search does not shed equal searches of other clients', async () => {
    const first = ['a', 'b', 'c', 'd'].map((q) => search(counted, '192.0.2.1', q))
    await isBegun(4)
    const from = (address: string, more = '') =>
      `GET /api/v1/search?q=tea HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n${more}\r\n`
    const responses = exchange(
      counted.service.listeningUrl,
      from('192.0.2.1') + from('192.0.2.9', 'Connection: close\r\n'),
    )
    await isBegun(5)
    blocking!.finish()
    expect((await responses).map(({ status }) => status)).to.deep.equal([503, 200])
    expect((await Promise.all(first)).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
  })

  it('without a rate limit, all clients share five concurrent searches', async () => {
    const all = Array.from({ length: 5 }, (_, n) => search(uncounted, '192.0.2.1', `tea${n}`))
    await isBegun(5)
    blocking!.finish()
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).to.deep.equal(new Set([200]))
  })
})
