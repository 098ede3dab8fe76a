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
  let timer: NodeJS.Timeout | undefined
  let leave = () => {}

  /** One connection's time: it ends once, whether by its own error or that of what was asked of it. */
  const listen = async (): Promise<void> => {
    let client: pg.PoolClient | undefined
    let ended = false
    const end = () => {
      if (ended) return
      ended = true
      client?.release(true)
    }
    const again = (error: unknown) => {
      if (ended) return
      end()
      if (stopped) return
      logger.warn(
        { err: error },
        'Changes of the wiki are not heard just now; answers may be stale for their time',
      )
      timer = setTimeout(() => void listen().then(changed), RETRY)
      timer.unref()
    }
    leave = end
    try {
      client = await database.connect()
      if (stopped) return end()
      client.on('notification', changed)
      client.on('error', again)
      client.on('end', () => again(new Error('the connection has ended')))
      await client.query(`listen ${CHANGED_CHANNEL}`)
    } catch (error) {
      again(error)
    }
  }

  await listen()
  return () => {
    stopped = true
    clearTimeout(timer)
    leave()
  }
}
