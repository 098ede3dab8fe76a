import { Redis } from 'ioredis'

/** How long Redis may take to answer, milliseconds. */
const MS = 2_000

/**
 * Resolves when Redis takes what the rate limit would write.
 * @throws Error in Redis's own words, or the system's
 */
export const pingRedis = async (url: string): Promise<void> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: MS,
    commandTimeout: MS,
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
