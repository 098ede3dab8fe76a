import { Redis } from 'ioredis'

/** How long Redis may take to connect, and to reply, milliseconds. */
const TIMEOUT_MS = 2_000

/**
 * Resolves if Redis accepts the writes that the rate limit needs.
 * @throws Error with the message of Redis or of the system
 */
export const pingRedis = async (url: string): Promise<void> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectionName: 'lectern check',
  })
  let lastError: Error | undefined
  redis.on('error', (error: Error) => {
    lastError = error
  })
  try {
    await redis.connect()
    await redis.set('lectern:check', '1', 'PX', 1_000)
  } catch (error) {
    throw lastError ?? error
  } finally {
    redis.disconnect()
  }
}
