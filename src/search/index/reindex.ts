import type { Database } from '../../db/database.ts'
import { CHANGED_CHANNEL } from '../../db/session.ts'
import { type RunStatement, statement, statementRunner } from '../../db/statements.ts'
import { withConnection, withWriteLock } from '../../db/write-lock.ts'
import { INDEX_VERSION, searchConfiguration } from '../configurations.ts'
import { flushIndex, indexPages, updateWordStatistics } from './index-pages.ts'

/**
 * Pages of one transaction: few enough that an import does not wait long for the write lock. Readers of the embedded
 * database wait for each transaction.
 */
const BATCH = { postgresql: 500, embedded: 50 } as const

/**
 * Indexes the pages again that another version of Lectern indexed, and those whose language has another text search configuration
 * now. The service keeps running meanwhile. Each batch is a transaction: after a stop, the next run continues.
 * @param all whether to index every page, also those that are up to date
 * @param onProgress called after each batch, with the number of pages indexed so far and of all pages to index
 * @returns how many pages were indexed
 */
export const reindex = async (
  owner: Database,
  {
    all = false,
    onProgress = () => {},
  }: { all?: boolean; onProgress?: (pages: number, total: number) => void } = {},
): Promise<number> =>
  withConnection(owner, async (client) => {
    const run = statementRunner(client)
    await updateConfigurations(run)
    const total = (await run('count_pages_to_reindex', [INDEX_VERSION, all])).rows[0]!.pages
    let last = '0'
    let done = 0
    for (;;) {
      const ids = await withWriteLock(client, async () => {
        const { rows } = await run('pages_to_reindex', [INDEX_VERSION, last, all, BATCH[owner.kind]])
        const due = rows.map(({ id }) => id)
        if (due.length > 0) await indexPages(run, [due])
        return due
      })
      if (ids.length === 0) break
      last = ids.at(-1)!
      done += ids.length
      onProgress(done, Math.max(done, total))
    }
    await flushIndex(run)
    await withWriteLock(client, () => updateWordStatistics(run, done))
    await run('set_index_version', [INDEX_VERSION])
    if (done > 0) {
      await client.query(`notify ${CHANGED_CHANNEL}`)
      const analyze = () => client.query('analyze wiki.live_search, wiki.search_hot_set, wiki.live_link')
      await withWriteLock(client, analyze, { isLong: owner.kind === 'embedded' })
    }
    return done
  })

/** Gives each language the configuration that this PostgreSQL has for it. */
export const updateConfigurations = async (run: RunStatement): Promise<void> => {
  const { rows } = await run('index_locales', [])
  const locales = rows.map(({ locale }) => locale)
  await run('update_configurations', [locales, locales.map(searchConfiguration)])
}

/** How many pages are searched, and how many of these were indexed by another version or configuration. */
export const searchDiagnostics = async (database: Database): Promise<{ pages: number; stale: number }> =>
  (await database.query(statement('check_search'), [INDEX_VERSION]))[0]!

/** Languages for which this server has another text search configuration than the index uses. */
export const changedLanguages = async (database: Database, locales: string[]): Promise<string[]> =>
  (await database.query(statement('check_languages'), [locales, locales.map(searchConfiguration)])).map(
    ({ locale }) => locale,
  )
