import type pg from 'pg'
import type { Logger } from 'pino'
import { CHANGED_CHANNEL } from '../db/channel.ts'
import type { Database } from '../db/database.ts'
import { makeWakeableSleep } from '../wakeable-sleep.ts'
import { syncOnce } from './sync.ts'

/** Between two looks where nothing is heard, as behind a pooler, and after an error, milliseconds. */
const LOOK = 2_000
const AFTER_ERROR = 1_000

/** Pages that are compared with what they were judged by, at most once a second: some milliseconds. */
const COMPARED = 500

export interface WikijsFollower {
  stop(): Promise<void>
}

const ATTACHMENT = {
  name: 'attachment',
  text: `select pg_catalog.to_regnamespace('wikijs') is not null as "isAttached",
                coalesce(pg_catalog.has_schema_privilege(pg_catalog.to_regnamespace('wikijs')::oid, 'usage'), false)
                  as "mayFollow"`,
}

/** Whether a Wiki.js is attached to the database, and whether this connection's user may keep it up to date. */
export const attachmentOf = async (
  database: Database,
): Promise<{ isAttached: boolean; mayFollow: boolean }> =>
  (await database.query<{ isAttached: boolean; mayFollow: boolean }>(ATTACHMENT, []))[0]!

/**
 * Keeps what depends on the clock, and the search index, in step with an attached Wiki.js until it is stopped.
 * Its edits themselves show without this. Several may follow one database.
 */
export const followWikijs = (owner: Database, logger?: Logger): WikijsFollower => {
  let stopped = false
  const pause = makeWakeableSleep()
  /** What was last said to be wrong: it is tried each second, as after a detach, and said once. */
  let told: string | undefined
  const failed = (pageId: string, err: unknown) =>
    logger?.warn({ err, page: pageId }, 'A page of Wiki.js cannot be indexed for search')

  /** @returns how many pages, or rules for all, had been changed past the triggers, and are judged anew now */
  const compare = async (client: pg.PoolClient): Promise<number> => {
    const { rows } = await client.query<{ others: number | null }>('select wikijs.compare($1) as others', [
      COMPARED,
    ])
    const others = rows[0]!.others ?? 0
    if (others > 0)
      logger?.warn(
        { changed: others },
        "Wiki.js's tables were changed past the triggers, as by some restores",
      )
    return others
  }

  const follow = async (client: pg.PoolClient): Promise<void> => {
    client.on('notification', pause.wake)
    client.on('error', pause.wake)
    await client.query(`listen ${CHANGED_CHANNEL}`)
    while (!stopped) {
      const isDone = (await syncOnce(client, failed)) === 0 && (await compare(client)) === 0
      told = undefined
      if (isDone) await pause.sleep(await untilNext(client))
    }
  }
  const run = async (): Promise<void> => {
    while (!stopped) {
      let client: pg.PoolClient | undefined
      try {
        client = await owner.connect()
        await follow(client)
      } catch (error) {
        const { message } = error as Error
        if (!stopped && message !== told)
          logger?.warn({ err: error }, 'An attached Wiki.js is not followed just now')
        told = message
        client?.release(true)
        client = undefined
        await pause.sleep(AFTER_ERROR)
      }
      client?.release(true)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopped = true
      pause.end()
      await running
    },
  }
}

const untilNext = async (client: pg.PoolClient): Promise<number> => {
  const { rows } = await client.query<{ ms: number | null }>(
    `select (extract(epoch from min(at) - clock_timestamp()) * 1000)::float8 as ms from wikijs.boundary`,
  )
  return Math.min(Math.max(rows[0]!.ms ?? LOOK, 1), LOOK)
}
