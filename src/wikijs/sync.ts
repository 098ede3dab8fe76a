import type pg from 'pg'
import { CHANGED_CHANNEL } from '../db/channel.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'
import { withConnection, withWriteLock } from '../db/write-lock.ts'
import { flushIndex, indexPages, type RunStatement } from '../search/index/index-pages.ts'
import { updateConfigurations } from '../search/index/reindex.ts'

/** Pages of one transaction. Edits in Wiki.js wait for it: so few that it takes a tenth of a second. */
const BATCH = 20

/** A page that cannot be indexed is out of the way of the others for an hour. */
const POSTPONE = `update wikijs.to_index set due_at = now() + interval '1 hour' where page_id = $1`

/**
 * One step of keeping up: opens and closes what the clock says, and indexes some of the pages that Wiki.js
 * changed. Several may take steps at once: each finds what the others left.
 * @param failed told of a page that cannot be indexed; it is tried again in an hour
 * @returns how many pages were looked at; 0: nothing waits
 */
export const syncOnce = async (
  client: pg.PoolClient,
  failed: (pageId: string, error: unknown) => void = () => {},
): Promise<number> => {
  await client.query('select wikijs.sweep()')
  const waiting = await dueNow(client)
  if (waiting.length === 0) return 0
  try {
    await indexThose(client, waiting)
  } catch (error) {
    if (!isOfThePage(error)) throw error
    for (const id of waiting) {
      await indexThose(client, [id]).catch(async (reason: unknown) => {
        if (!isOfThePage(reason)) throw reason
        await client.query(POSTPONE, [id])
        failed(id, reason)
      })
    }
  }
  return waiting.length
}

/** Indexes all that waits. @returns how many pages */
export const syncAll = (owner: Database, onProgress: (pages: number) => void): Promise<number> =>
  withConnection(owner, async (client) => {
    let done = 0
    for (;;) {
      const pages = await syncOnce(client)
      if (pages === 0) return done
      done += pages
      onProgress(done)
    }
  })

const dueNow = async (client: pg.PoolClient): Promise<string[]> => {
  const { rows } = await client.query<{ id: string }>(
    'select page_id as id from wikijs.to_index where due_at <= now() order by page_id limit $1',
    [BATCH],
  )
  return rows.map(({ id }) => id)
}

/** Those of the given pages that still wait; the last of many settle the index. */
const indexThose = async (client: pg.PoolClient, ids: string[]): Promise<void> => {
  const run: RunStatement = (name, values) => client.query({ ...statement(name), values })
  await withWriteLock(client, async () => {
    const { rows } = await client.query<{ id: string }>(
      'delete from wikijs.to_index where page_id = any ($1::bigint[]) returning page_id as id',
      [ids],
    )
    if (rows.length === 0) return
    await updateConfigurations(run)
    await indexPages(
      run,
      rows.map(({ id }) => id),
    )
    if (ids.length < BATCH) await flushIndex(run)
    await client.query(`notify ${CHANGED_CHANNEL}`)
  })
}

/** What PostgreSQL says of data (22), or a limit of its own (54), another try will not mend soon. */
const isOfThePage = (error: unknown): boolean => /^(22|54)/.test((error as { code?: string }).code ?? '')
