import type pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { CHANGED_CHANNEL } from '../db/session.ts'
import { readValue, statement } from '../db/statements.ts'
import { makeWakeableSleep } from '../shared/timers.ts'
import { syncOnce } from './sync.ts'

/** The longest time between two checks when no notification arrives, for example behind a pooler, milliseconds. */
const POLL_MS = 2_000
/** Time between an error and the next attempt, milliseconds. */
const RETRY_MS = 1_000

/** How many pages are compared with their last sync in one step, which takes some milliseconds. */
const COMPARE_BATCH = 500

/** Whether a Wiki.js is attached to the database, never an embedded one, and whether the connection's user may follow it. */
export const attachmentOf = async (database: Database) => {
  if (database.kind === 'embedded') return { isAttached: false, mayFollow: false }
  return (await database.query(statement('attachment'), []))[0]!
}

/**
 * Follows an attached Wiki.js until `stop`: indexes edited pages for search, and shows and hides pages by date. Edits
 * themselves show without it. Several processes may follow one database.
 */
export const followWikijs = (owner: Database, logger?: Logger) => {
  let isStopped = false
  const sleep = makeWakeableSleep()
  /** The last error: the follower retries each second, as after a detach, and logs the same error once. */
  let lastError: string | undefined
  const onIndexError = (pageId: string, err: unknown) =>
    logger?.warn({ err, page: pageId }, 'A page of Wiki.js cannot be indexed for search')

  /** @returns how many pages, or subjects of all pages, had changed without a trigger, and are synced now */
  const compare = async (client: pg.PoolClient): Promise<number> => {
    const compared = readValue<number | null>(client, 'select wikijs.compare($1)', [COMPARE_BATCH])
    const changed = (await compared) ?? 0
    if (changed > 0)
      logger?.warn(
        { changed },
        "Changes of Wiki.js's tables bypassed the triggers, for example in a restore. They are synced now",
      )
    return changed
  }

  const follow = async (client: pg.PoolClient): Promise<void> => {
    client.on('notification', sleep.wake)
    client.on('error', sleep.wake)
    await client.query(`listen ${CHANGED_CHANNEL}`)
    while (!isStopped) {
      const isDone = (await syncOnce(client, onIndexError)) === 0 && (await compare(client)) === 0
      lastError = undefined
      if (isDone) await sleep.sleep(await untilNext(client))
    }
  }
  const run = async (): Promise<void> => {
    while (!isStopped) {
      let client: pg.PoolClient | undefined
      try {
        client = await owner.connect()
        await follow(client)
      } catch (error) {
        const { message } = error as Error
        if (!isStopped && message !== lastError)
          logger?.warn({ err: error }, 'Cannot follow the attached Wiki.js now. Lectern retries every second')
        lastError = message
      } finally {
        client?.release(true)
      }
      await sleep.sleep(RETRY_MS)
    }
  }
  const running = run()
  return {
    stop: async (): Promise<void> => {
      isStopped = true
      sleep.end()
      await running
    },
  }
}

const untilNext = async (client: pg.PoolClient): Promise<number> => {
  const ms = await readValue<number | null>(
    client,
    'select (extract(epoch from min(at) - clock_timestamp()) * 1000)::float8 from wikijs.schedule',
  )
  return Math.min(Math.max(ms ?? POLL_MS, 1), POLL_MS)
}
