import { CHANGED_CHANNEL } from '../../db/channel.ts'
import type { Database } from '../../db/database.ts'
import { statement } from '../../db/statements.ts'
import { withConnection, withWriteLock } from '../../db/write-lock.ts'
import { searchConfiguration } from '../configurations.ts'
import { flushIndex, INDEX_VERSION, indexPages, type RunStatement } from './index-pages.ts'

/** Pages of one transaction: short enough that an import need not wait long for its turn. */
const BATCH = 500

const indexForm = statement('guest_index_form')

/** Whether pages were indexed by another Lectern, so that search does not find them all. */
export const isReindexDue = async (reader: Database): Promise<boolean> => {
  const [row] = await reader.query<{ form: number }>(indexForm, [])
  return row?.form !== INDEX_VERSION
}

/**
 * Indexes anew the pages whose words are made otherwise now: by a newer Lectern, or since their language has
 * another configuration. The service goes on meanwhile; what is done stays done when this is stopped.
 * @param all every page, whether it is due or not
 * @param onProgress called after each batch with the pages done so far, and how many there are to do
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
    const run: RunStatement = (name, values) => client.query({ ...statement(name), values })
    await updateConfigurations(run)
    const { rows: counted } = await run<{ pages: number }>('count_pages_to_reindex', [INDEX_VERSION, all])
    const total = counted[0]!.pages
    let last = '0'
    let done = 0
    for (;;) {
      const ids = await withWriteLock(client, async () => {
        const { rows } = await run<{ id: string }>('pages_to_reindex', [INDEX_VERSION, last, all, BATCH])
        const due = rows.map(({ id }) => id)
        if (due.length > 0) await indexPages(run, due)
        return due
      })
      if (ids.length === 0) break
      last = ids.at(-1)!
      done += ids.length
      onProgress(done, Math.max(done, total))
    }
    await flushIndex(run)
    await run('set_index_form', [INDEX_VERSION])
    if (done > 0) {
      await client.query(`notify ${CHANGED_CHANNEL}`)
      await client.query('analyze wiki.live_search, wiki.live_search_top, wiki.live_link')
    }
    return done
  })

/** Gives each language the configuration that this PostgreSQL has for it. */
export const updateConfigurations = async (run: RunStatement): Promise<void> => {
  const { rows } = await run<{ locale: string }>('index_locales', [])
  const locales = rows.map(({ locale }) => locale)
  await run('renew_configurations', [locales, locales.map(searchConfiguration)])
}
