import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { RATE_WINDOW_MS, REDIS_TIMEOUT_MS } from '../limits/service.ts'
import { withTimeout } from '../shared/timers.ts'
import type { Consumption } from './fixed-window.ts'
import { makeSharedWindow } from './shared-window.ts'

/** Longest wait for a connection, and between attempts to connect, milliseconds. */
const CONNECT_MS = 1_000
/** After a command without a reply for this long, a new connection is made, milliseconds. */
const STALLED_MS = 3_000
/** How long Redis may take to connect, and to reply, in a check, milliseconds. */
const CHECK_MS = 2_000
/**
 * Counts in a window that ends within its duration. Redis stores the end of a key as a time of day: after its clock
 * went back by an hour, that end is an hour and a minute away, and a client would be refused for that long. (D70)
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
 * Windows that every instance with the same Redis shares. Resolves when Redis has responded, or with a warning if it has not.
 * @param url `redis://` or `rediss://`
 * @param limit requests per window
 */
export const makeRedisWindow = async (url: string, limit: number, logger: Logger) => {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_MS,
    socketTimeout: STALLED_MS,
    retryStrategy: () => CONNECT_MS,
    enableOfflineQueue: false,
    // This process has counted these requests: Redis must not count them afterwards.
    autoResendUnfulfilledCommands: false,
    // After a primary has become a replica, a new connection finds the new primary behind the same name.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    connectionName: 'lectern',
  })
  let connectionError: unknown
  const window = makeSharedWindow(
    {
      name: 'Redis',
      count: makeRedisCounter(redis, limit),
      timeoutMs: REDIS_TIMEOUT_MS,
      connectionError: () => connectionError,
      logger,
    },
    'local',
  )
  redis.on('ready', () => {
    connectionError = undefined
  })
  redis.on('error', (error) => {
    connectionError = error
  })
  redis.on('close', () => window.onFailure(new Error('The connection was closed')))
  const connected = new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close']) redis.once(event, () => resolve())
  })
  await withTimeout(connected, CONNECT_MS).catch(() => {})
  if (!(await window.probe()))
    logger.warn(
      { err: connectionError },
      'Redis does not respond yet: until it does, each instance counts by itself',
    )
  return {
    consume: window.consume,
    close: (): void => {
      window.close()
      redis.disconnect()
    },
  }
}

/** Counts in Redis. @throws Error when Redis fails */
const makeRedisCounter = (redis: Redis, limit: number): ((client: string) => Promise<Consumption>) => {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    points: limit,
    duration: RATE_WINDOW_MS / 1000,
    keyPrefix: 'lectern:rate',
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: CONSUME_SCRIPT,
  })
  return async (client) => {
    const { consumedPoints, msBeforeNext } = await limiter.consume(client).catch((rejection: unknown) => {
      if (rejection instanceof RateLimiterRes) return rejection
      throw rejection
    })
    // A key exists until its last millisecond has passed. No response contains more than the length of the window.
    return { requests: consumedPoints, msLeft: Math.min(RATE_WINDOW_MS, msBeforeNext + 1) }
  }
}

/** Resolves if Redis accepts the writes of the rate limit. @throws Error with the message of Redis or the system */
export const pingRedis = async (url: string): Promise<void> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CHECK_MS,
    commandTimeout: CHECK_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectionName: 'lectern check',
  })
  const failed = new Promise<never>((_, reject) => redis.on('error', reject))
  const written = redis.connect().then(() => redis.set('lectern:check', '1', 'PX', 1_000))
  await Promise.race([failed, written]).finally(() => redis.disconnect())
}
