import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { makeRedisWindow } from '../../src/rate/redis.ts'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startWiki } from './support/postgres.ts'
import { callAs, granted, type RateResponse, SOON_MS } from './support/rate-client.ts'
import { type RedisServer, startRedis } from './support/redis.ts'

describe('several gateways with one Redis', () => {
  let postgres: Postgres
  let redis: RedisServer
  const gateways: Lectern[] = []
  let clients = 0
  const newClient = () => `192.0.2.${++clients}`

  const startGateway = async (environment: Record<string, string> = {}) => {
    const gateway = await startLectern({
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      RATE_LIMIT: '40',
      TRUSTED_PROXIES: '1',
      LOG_LEVEL: 'info',
      ...environment,
    })
    gateways.push(gateway)
    return gateway
  }
  /** Requests of one client, one after another, to each gateway in turn. */
  const callInTurn = async (client: string, times: number, among: Lectern[]) => {
    const responses: RateResponse[] = []
    for (let i = 0; i < times; i += 1) responses.push(await callAs(client, among[i % among.length]!))
    return responses
  }
  const countInLog = (gateway: Lectern, what: string) => gateway.logged().split(what).length - 1
  const shares = (gateway: Lectern) =>
    until('Redis counts again', () => {
      const log = gateway.logged()
      return log.lastIndexOf('Redis counts the requests') > log.lastIndexOf('counts by itself')
    })

  let first: Lectern
  let second: Lectern

  /**
   * Runs a scenario that needs a responsive Redis. If the machine is so busy that Redis does not reply within 75 ms, a
   * gateway counts by itself for a while and logs this. Then the scenario runs again.
   */
  const whileShared = async (scenario: () => Promise<void>) => {
    const failures = () =>
      gateways.reduce((sum, one) => sum + countInLog(one, 'each instance counts by itself'), 0)
    for (let attempt = 1; ; attempt += 1) {
      const before = failures()
      try {
        return await scenario()
      } catch (error) {
        if (failures() === before || attempt === 3) throw error
        await wait(3_000)
      }
    }
  }
  before(async () => {
    ;[postgres, redis] = await Promise.all([startWiki(), startRedis()])
    ;[first, second] = await Promise.all([startGateway(), startGateway()])
  })
  after(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    await redis?.stop()
    await postgres?.remove()
  })

  it('one client of two gateways in turn has one limit: 40 of 100 requests', () =>
    whileShared(async () => {
      const responses = await callInTurn(newClient(), 100, [first, second])
      expect(responses.map(({ status }) => status)).to.deep.equal([
        ...Array<number>(40).fill(200),
        ...Array<number>(60).fill(429),
      ])
      expect(responses.slice(0, 40).map(({ requestsLeft }) => requestsLeft)).to.deep.equal(
        Array.from({ length: 40 }, (_, i) => 39 - i),
      )
    }))

  it('gateways and workers share the limit of a client who asks all at once', async () => {
    const third = await startGateway({ WORKERS: '2' })
    await whileShared(async () => {
      const client = newClient()
      const responses = await Promise.all(
        Array.from({ length: 90 }, (_, i) => callAs(client, [first, second, third][i % 3]!)),
      )
      expect(granted(responses)).to.equal(40)
    })
    await third.stop()
    gateways.pop()
  })

  it('after Retry-After, both gateways respond with 200', () =>
    whileShared(async () => {
      const client = newClient()
      await callAs(client, first)
      // The window is a minute. The test makes this one end soon, before any gateway has returned its end.
      expect(await redis.command(`PEXPIRE lectern:rate:${client} 5000`)).to.equal(':1')
      const responses = await callInTurn(client, 60, [first, second])
      const refused = responses.filter(({ status }) => status === 429)
      expect(refused.length).to.equal(21)
      const retryAfter = refused.at(-1)!.retryAfter!
      expect(retryAfter).to.be.within(1, 5)
      await wait(retryAfter * 1000)
      expect((await callAs(client, second)).status).to.equal(200)
      expect((await callAs(client, first)).status).to.equal(200)
    }))

  it('Redis killed: no request waits or gets a 5xx, each gateway counts by itself, and they share again afterwards', async () => {
    const client = newClient()
    const failures = countInLog(first, 'each instance counts by itself')
    await redis.stop()
    const responses = await callInTurn(client, 60, [first])
    expect(granted(responses)).to.equal(40)
    expect(responses.filter(({ status }) => status === 429)).to.have.length(20)
    takesAtMost(SOON_MS, 'a request while Redis is killed', Math.max(...responses.map(({ ms }) => ms)))
    expect(granted(await callInTurn(client, 60, [second]))).to.equal(40)
    expect(countInLog(first, 'each instance counts by itself')).to.equal(failures + 1)
    await redis.start()
    await Promise.all([shares(first), shares(second)])
    await whileShared(async () => {
      expect(granted(await callInTurn(newClient(), 60, [first, second]))).to.equal(40)
    })
  })

  it('Redis frozen: only pending requests wait, 100 ms at most; no 5xx; the gateways share again afterwards', async () => {
    const client = newClient()
    redis.freeze()
    const waiting = await Promise.all(Array.from({ length: 10 }, () => callAs(client, first)))
    expect(granted(waiting)).to.equal(10)
    const longest = Math.max(...waiting.map(({ ms }) => ms))
    expect(longest).to.be.at.least(70)
    takesAtMost(SOON_MS, 'a request while Redis is frozen', longest)
    const after = await callInTurn(client, 50, [first])
    expect(granted(after)).to.equal(30)
    // If each request waited for Redis, none would be faster than those that did.
    expect(Math.min(...after.map(({ ms }) => ms))).to.be.below(Math.min(...waiting.map(({ ms }) => ms)))
    takesAtMost(
      2000,
      'requests after it was noticed that Redis is frozen, together',
      after.reduce((sum, { ms }) => sum + ms, 0),
    )
    redis.thaw()
    await shares(first)
    expect((await callAs(newClient(), second)).status).to.equal(200)
    await until(
      'both count together',
      async () => granted(await callInTurn(newClient(), 50, [first, second])) === 40,
    )
  })

  it('a gateway starts without Redis, warns, and joins when Redis starts', async () => {
    await redis.stop()
    const late = await startGateway()
    expect(granted(await callInTurn(newClient(), 60, [late]))).to.equal(40)
    expect(countInLog(late, 'Redis does not respond yet')).to.equal(1)
    await redis.start()
    await Promise.all([shares(late), shares(first)])
    await whileShared(async () => {
      expect(granted(await callInTurn(newClient(), 60, [first, late]))).to.equal(40)
    })
  })

  it('a gateway that was busy reads the reply of Redis before the timeout counts', async () => {
    const warnings: string[] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) })
    const windows = await makeRedisWindow(redis.url, 40, logger)
    try {
      const counting = windows.consume(newClient())
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      for (const end = performance.now() + 300; performance.now() < end; );
      expect(await counting).to.include({ requests: 1 })
      expect(warnings).to.deep.equal([])
    } finally {
      windows.close()
    }
  })
})
