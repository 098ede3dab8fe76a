import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { RATE_WINDOW_MS, REDIS_TIMEOUT_MS } from '../limits.ts'
import { withTimeout } from '../timeout.ts'
import { type Consume, type Consumption, makeFixedWindow } from './fixed-window.ts'
import { type Lease, makeQuotaLeases } from './quota-leases.ts'

interface RedisWindow {
  consume: Consume
  close(): void
}

/** How long after Redis failed it is asked again first, in case it only hesitated, milliseconds. */
const HESITATION_MS = 250
/** How long between later attempts, and between those to connect, milliseconds. */
const RETRY_MS = 1_000
/** Attempts without an answer on a connection that looks alive, after which a new one is made. */
const DEAF = 3
/** Longest wait for the first answer when starting, milliseconds. */
const START_MS = 1_000
/**
 * Counts in a window that ends within its duration. Redis keeps the end of a key as a time of day: after its clock
 * went back by an hour, that end is an hour and a minute away, and a client would be refused for so long. (D82)
 */
const COUNT = `
redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
local consumed = redis.call('incrby', KEYS[1], ARGV[1])
local ttl = redis.call('pttl', KEYS[1])
if ttl < 0 or ttl > 1000 * ARGV[2] then
  ttl = 1000 * ARGV[2]
  redis.call('pexpire', KEYS[1], ttl)
end
return {consumed, ttl}`

/**
 * Windows that every instance with the same Redis shares.
 *
 * A Redis that is lost, frozen or out of order never fails a request: it is counted in this process instead, and
 * so is every later one until Redis has answered again, so that only requests that were waiting when it failed
 * wait for it, `REDIS_TIMEOUT_MS` at most. Meanwhile each instance grants a client its limit. (D40)
 *
 * Resolves when Redis has answered or cannot be reached yet, which is a warning and no more.
 * @param url `redis://` or `rediss://`
 * @param limit requests of a window
 */
export const makeRedisWindow = async (url: string, limit: number, logger: Logger): Promise<RedisWindow> => {
  const redis = new Redis(url, {
    // Requests wait for `REDIS_TIMEOUT_MS`; this ends what is left of them here.
    commandTimeout: RETRY_MS,
    connectTimeout: RETRY_MS,
    retryStrategy: () => RETRY_MS,
    enableOfflineQueue: false,
    // What was counted here meanwhile must not be counted there afterwards.
    autoResendUnfulfilledCommands: false,
    // A primary that became a replica: connecting again finds the new one behind the same name.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    connectionName: 'lectern',
  })
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    points: limit,
    duration: RATE_WINDOW_MS / 1000,
    keyPrefix: 'lectern:rate',
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: COUNT,
  })
  const countHere = makeFixedWindow()
  const ask = async ({ client, requests }: Lease): Promise<Consumption> => {
    const { consumedPoints, msBeforeNext } = await withTimeout(
      limiter.consume(client, requests).catch((refused: unknown) => {
        if (refused instanceof RateLimiterRes) return refused
        throw refused
      }),
      REDIS_TIMEOUT_MS,
      () => new Error(`no answer within ${REDIS_TIMEOUT_MS} ms`),
    )
    // A key lives until its last millisecond has passed; no client is told of more than the window.
    return { requests: consumedPoints, msLeft: Math.min(RATE_WINDOW_MS, msBeforeNext + 1) }
  }

  let isTrusted = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let deaf = 0
  let lastError: unknown
  redis.on('error', (error) => {
    lastError = error
  })

  const distrust = (error: unknown): void => {
    if (!isTrusted) return
    isTrusted = false
    logger.warn({ err: lastError ?? error }, 'Redis does not answer: each instance counts by itself')
    probeLater(HESITATION_MS)
  }
  const probeLater = (ms: number): void => {
    clearTimeout(timer)
    if (isClosed) return
    timer = setTimeout(() => void probe(), ms)
    timer.unref()
  }
  /** Asks what a request would ask: a Redis that is full or a replica answers a ping, too. */
  const probe = async (): Promise<void> => {
    try {
      await ask({ client: 'probe', requests: 1 })
      isTrusted = true
      lots.forget() // nothing that was counted here meanwhile
      deaf = 0
      lastError = undefined
      logger.info('Redis counts the requests of clients')
    } catch (error) {
      lastError ??= error
      if (redis.status === 'ready' && ++deaf % DEAF === 0) redis.disconnect(true)
      probeLater(RETRY_MS)
    }
  }
  redis.on('close', () => distrust(new Error('the connection was closed')))

  const lots = makeQuotaLeases({
    limit,
    lease: (draws) =>
      draws.map((one) =>
        ask(one).catch((error: unknown) => {
          distrust(error)
          return countHere(one.client, one.requests)
        }),
      ),
  })
  await firstOf(redis)
  await probe()
  if (!isTrusted) {
    logger.warn(
      { err: lastError },
      'Redis does not answer yet: until it does, each instance counts by itself',
    )
  }
  return {
    consume: (client) => (isTrusted ? lots.count(client) : countHere(client)),
    close: () => {
      isClosed = true
      clearTimeout(timer)
      isTrusted = false
      redis.disconnect()
    },
  }
}

/** Ready, failed for the first time, or neither for too long. */
const firstOf = (redis: Redis): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, START_MS)
    for (const event of ['ready', 'error', 'close']) {
      redis.once(event, () => {
        clearTimeout(timer)
        resolve()
      })
    }
  })
