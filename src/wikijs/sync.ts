import { describeFile, FILE_HEAD_BYTES } from '@lectern/wiki/files/media-type'
import type pg from 'pg'
import type { Database } from '../db/database.ts'
import { CHANGED_CHANNEL } from '../db/session.ts'
import { statementRunner } from '../db/statements.ts'
import { withConnection, withWriteLock } from '../db/write-lock.ts'
import { flushIndex, indexPages, isWordCountDue, updateWordStatistics } from '../search/index/index-pages.ts'
import { updateConfigurations } from '../search/index/reindex.ts'

/** Pages of one transaction. Edits in Wiki.js wait for it, so it must be short: this number takes a tenth of a second. */
const BATCH = 20

/** Postpones a page that cannot be indexed for an hour, so that other pages do not wait for it. */
const POSTPONE = `update wikijs.to_index set due_at = now() + interval '1 hour' where page_id = $1`

/**
 * One step of following: syncs pages whose dates have passed, and indexes a batch of the pages that Wiki.js changed.
 * Several processes may do so at the same time, because each step takes only pages that still wait.
 * @param onIndexError called for a page that cannot be indexed; the next attempt is in an hour
 * @returns how many pages waited; 0: none
 */
export const syncOnce = async (
  client: pg.PoolClient,
  onIndexError: (pageId: string, error: unknown) => void = () => {},
): Promise<number> => {
  await client.query('select wikijs.sweep()')
  const waiting = await pagesDue(client)
  if (waiting.length === 0) {
    await updateStatistics(client)
    return 0
  }
  try {
    await indexWaiting(client, waiting)
  } catch (error) {
    if (!isPageError(error)) throw error
    for (const id of waiting)
      await indexWaiting(client, [id]).catch(async (reason: unknown) => {
        if (!isPageError(reason)) throw reason
        await client.query(POSTPONE, [id])
        onIndexError(id, reason)
      })
  }
  return waiting.length
}

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

const pagesDue = async (client: pg.PoolClient): Promise<string[]> => {
  const { rows } = await client.query<{ id: string }>(
    'select page_id as id from wikijs.to_index where due_at <= now() order by page_id limit $1',
    [BATCH],
  )
  return rows.map(({ id }) => id)
}

/** Once no page waits. Wiki.js may have hidden some pages, and indexing the others changed what is counted. */
const updateStatistics = async (client: pg.PoolClient): Promise<void> => {
  const run = statementRunner(client)
  if (await isWordCountDue(run)) await withWriteLock(client, () => updateWordStatistics(run, 0))
}

/** Indexes the pages of these that still wait. The last batch flushes the index. */
const indexWaiting = async (client: pg.PoolClient, ids: string[]): Promise<void> => {
  const run = statementRunner(client)
  await withWriteLock(client, async () => {
    const { rows } = await client.query<{ id: string }>(
      'delete from wikijs.to_index where page_id = any ($1::bigint[]) returning page_id as id',
      [ids],
    )
    if (rows.length === 0) return
    await updateConfigurations(run)
    const pageIds = rows.map(({ id }) => id)
    await indexPages(run, [pageIds])
    await publishAssets(client, pageIds)
    await run('add_indexed_pages', [rows.length])
    if (ids.length < BATCH) await flushIndex(run)
    await client.query(`notify ${CHANGED_CHANNEL}`)
  })
}

/** An error of data (class 22) or a limit of PostgreSQL (class 54): another attempt would fail as well. */
const isPageError = (error: unknown): boolean => /^(22|54)/.test((error as { code?: string }).code ?? '')

/** Assets that pages refer to, and that are not known yet. */
const NEW_ASSETS = `
  select distinct a.asset_id as id, a.path
    from wikijs.assets_of($1::bigint[]) a
   where not exists (select from wiki.live_file f where f.path = a.path and f.version = a.version)
   order by a.asset_id`

const HEAD = 'select substring(data for $2::int) as head from wikijs.asset_bytes where asset_id = $1'

/** Shows the assets that pages use, as far as guests may see them. Call it after the pages were indexed. */
const publishAssets = async (client: pg.PoolClient, pageIds: readonly string[]): Promise<void> => {
  const { rows } = await client.query<{ id: number; path: string }>(NEW_ASSETS, [pageIds])
  for (const { id, path } of rows) {
    const { head } = (await client.query<{ head: Buffer }>(HEAD, [id, FILE_HEAD_BYTES])).rows[0]!
    const { mediaType, width, height } = describeFile(head, path)
    await client.query('select wikijs.add_file($1, $2, $3, $4)', [id, mediaType, width, height])
  }
  await client.query('select wikijs.use_files($1::bigint[])', [pageIds])
}
