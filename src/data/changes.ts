import type pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from './database.ts'
import { CHANGED_CHANNEL } from './writer.ts'

/** How long after a lost connection the next one is tried, milliseconds. */
const RETRY = 2_000

/**
 * Calls back when an import has finished, in whatever process. A connection that is lost is made again; what
 * was said meanwhile is made up for by one call.
 * @returns stops it
 */
export const onWikiChange = async (
  database: Database,
  changed: () => void,
  logger: Logger,
): Promise<() => void> => {
  let stopped = false
  let client: pg.PoolClient | undefined
  let timer: NodeJS.Timeout | undefined

  const again = (error: unknown) => {
    client?.release(true)
    client = undefined
    if (stopped) return
    logger.warn(
      { err: error },
      'Changes of the wiki are not heard just now; answers may be stale for their time',
    )
    timer = setTimeout(() => void listen().then(changed), RETRY)
    timer.unref()
  }

  const listen = async () => {
    try {
      client = await database.connect()
      if (stopped) return client.release(true)
      client.on('notification', changed)
      client.once('error', again)
      await client.query(`listen ${CHANGED_CHANNEL}`)
    } catch (error) {
      again(error)
    }
  }

  await listen()
  return () => {
    stopped = true
    clearTimeout(timer)
    client?.release(true)
  }
}
