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

/** Delay of the first probe after a failure, in case Redis only hesitated, milliseconds. */
const HESITATION_MS = 250
/** Delay between later probes, and between attempts to connect, milliseconds. */
const RETRY_MS = 1_000
/** After this many failed probes on a connection that looks alive, a new connection is made. */
const FAILED_PROBES_MAX = 3
/** Longest wait for Redis at the start, milliseconds. */
const START_MS = 1_000
/**
 * Counts in a window that ends within its duration. Redis stores the end of a key as a time of day: after its clock
 * went back by an hour, that end is an hour and a minute away, and a client would be refused for that long. (D82)
 */
const CONSUME_SCRIPT = `
redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
local consumed = redis.call('incrby', KEYS[1], ARGV[1])
local ttl = redis.call('pttl', KEYS[1])
if ttl < 0 or ttl > 1000 * ARGV[2] then
  ttl = 1000 * ARGV[2]
  redis.call('pexpire', KEYS[1], ttl)
end
return {consumed, ttl}`

/**
 * - `local`: this process counts. It probes Redis in the background.
 * - `shared`: Redis counts.
 * - `closed`: this process counts the requests that are still running.
 *
 * local → shared, when a probe succeeds; shared → local, when a query fails or takes too long, or the connection
 * closes; local and shared → closed, by `close`.
 */
type CountingState = 'local' | 'shared' | 'closed'

/**
 * Windows that every instance with the same Redis shares.
 * Long: a request, a probe and `close` change one state.
 *
 * A Redis that is lost, frozen or out of order never fails a request. This process counts the request instead, and
 * all later ones until Redis responds again. So only the requests that were waiting when Redis failed wait for it,
 * `REDIS_TIMEOUT_MS` at most. Meanwhile each instance grants a client its limit. (D40)
 *
 * Resolves when Redis has responded or cannot be reached yet. The latter is only a warning.
 * @param url `redis://` or `rediss://`
 * @param limit requests per window
 */
export const makeRedisWindow = async (url: string, limit: number, logger: Logger): Promise<RedisWindow> => {
  const redis = connectRedis(url)
  const consumeInRedis = makeRedisCounter(redis, limit)
  const consumeHere = makeFixedWindow()
  let state: CountingState = 'local'
  let timer: NodeJS.Timeout | undefined
  let failedProbes = 0
  let lastError: unknown

  const startProbe = (delayMs: number): void => {
    clearTimeout(timer)
    if (state === 'closed') return
    timer = setTimeout(() => void probe(), delayMs)
    timer.unref()
  }
  /** Runs the script that a request runs, because a Redis that is full, or a replica, still responds to a ping. */
  const probe = async (): Promise<boolean> => {
    try {
      await consumeInRedis({ client: 'probe', requests: 1 })
      if (state === 'closed') return false
      state = 'shared'
      leases.clear() // without what this process counted meanwhile
      failedProbes = 0
      lastError = undefined
      logger.info('Redis counts the requests of clients')
      return true
    } catch (error) {
      lastError ??= error
      if (redis.status === 'ready' && ++failedProbes % FAILED_PROBES_MAX === 0) redis.disconnect(true)
      startProbe(RETRY_MS)
      return false
    }
  }
  const onFailure = (error: unknown): void => {
    if (state !== 'shared') return
    state = 'local'
    logger.warn({ err: lastError ?? error }, 'Redis does not respond: each instance counts by itself')
    startProbe(HESITATION_MS)
  }
  const consumeOrFallBack = (lease: Lease): Promise<Consumption> =>
    consumeInRedis(lease).catch((error: unknown) => {
      onFailure(error)
      return consumeHere(lease.client, lease.requests)
    })
  const leases = makeQuotaLeases({ limit, lease: (all) => all.map(consumeOrFallBack) })

  redis.on('error', (error) => {
    lastError = error
  })
  redis.on('close', () => onFailure(new Error('The connection was closed')))
  await connectionOutcome(redis)
  if (!(await probe()))
    logger.warn(
      { err: lastError },
      'Redis does not respond yet: until it does, each instance counts by itself',
    )
  return {
    consume: (client) => (state === 'shared' ? leases.consume(client) : consumeHere(client)),
    close: () => {
      state = 'closed'
      clearTimeout(timer)
      redis.disconnect()
    },
  }
}

const connectRedis = (url: string): Redis =>
  new Redis(url, {
    // Requests wait for `REDIS_TIMEOUT_MS`; this ends the commands that are left.
    commandTimeout: RETRY_MS,
    connectTimeout: RETRY_MS,
    retryStrategy: () => RETRY_MS,
    enableOfflineQueue: false,
    // This process has counted these requests: Redis must not count them afterwards.
    autoResendUnfulfilledCommands: false,
    // After a primary has become a replica, a new connection finds the new primary behind the same name.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    connectionName: 'lectern',
  })

/** Counts in Redis. @throws Error when Redis fails, or does not reply within `REDIS_TIMEOUT_MS` */
const makeRedisCounter = (redis: Redis, limit: number) => {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    points: limit,
    duration: RATE_WINDOW_MS / 1000,
    keyPrefix: 'lectern:rate',
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: CONSUME_SCRIPT,
  })
  return async ({ client, requests }: Lease): Promise<Consumption> => {
    const { consumedPoints, msBeforeNext } = await withTimeout(
      limiter.consume(client, requests).catch((rejection: unknown) => {
        if (rejection instanceof RateLimiterRes) return rejection
        throw rejection
      }),
      REDIS_TIMEOUT_MS,
      () => new Error(`No reply within ${REDIS_TIMEOUT_MS} ms`),
    )
    // A key exists until its last millisecond has passed. No response contains more than the length of the window.
    return { requests: consumedPoints, msLeft: Math.min(RATE_WINDOW_MS, msBeforeNext + 1) }
  }
}

/** Resolves when Redis is ready, when connecting has failed for the first time, or after `START_MS`. */
const connectionOutcome = (redis: Redis): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, START_MS)
    for (const event of ['ready', 'error', 'close']) {
      redis.once(event, () => {
        clearTimeout(timer)
        resolve()
      })
    }
  })
