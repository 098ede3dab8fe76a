import type pg from 'pg'
import { isAttached } from '../db/attached.ts'
import { CHANGED_CHANNEL } from '../db/channel.ts'
import type { Database } from '../db/database.ts'
import { type RunStatement, statementRunner } from '../db/statements.ts'
import { withConnection, withWriteLock } from '../db/write-lock.ts'
import { UsageError } from '../errors.ts'
import { flushIndex } from '../search/index/index-pages.ts'
import { column } from './columns.ts'
import { ImportLocales } from './import-locales.ts'
import { type AbsentPages, type ImportResult, PageWriter, type WritePagesOptions } from './page-writer.ts'
import type { CategoryRecord, CompletePage, StoredContentQueries, WikiRecord } from './records.ts'

/** Writes the content of a wiki. No other code writes content. */
export interface Writer extends StoredContentQueries {
  writeWiki(record: WikiRecord): Promise<void>
  writeCategories(records: CategoryRecord[]): Promise<void>
  /**
   * Stores and publishes pages, which must have different paths, and revisions with different ids.
   * @throws RevisionIdTaken
   */
  writePages(records: CompletePage[], options?: WritePagesOptions): Promise<void>
  /** Live pages, of all languages or of one, that `writePages` did not get. */
  absentPages(locale: string | null): Promise<AbsentPages>
  /** Whether nothing was imported yet. */
  isEmpty(): Promise<boolean>
  readonly result: ImportResult
}

/**
 * Runs an import as one transaction: if `work` throws, nothing is stored. Imports of other processes wait. At the end,
 * PostgreSQL notifies the services that listen.
 * @param onWait called once if the write lock is not free within a second
 * @throws UsageError when a Wiki.js is attached to the database
 */
export const withWriter = async <Result>(
  database: Database,
  work: (writer: Writer) => Promise<Result>,
  onWait?: () => void,
): Promise<Result> =>
  withConnection(database, async (client) => {
    const { writer, finish } = makeWriter(statementRunner(client))
    const write = async () => {
      await refuseAttached(client)
      const result = await work(writer)
      await finish()
      await client.query(`notify ${CHANGED_CHANNEL}`)
      return result
    }
    const result = await withWriteLock(client, write, onWait)
    // The import has succeeded even if this fails: autovacuum analyzes the tables later.
    if (writer.result.newRevisions > 0) await client.query(ANALYZE).catch(() => {})
    return result
  })

const refuseAttached = async (client: pg.PoolClient): Promise<void> => {
  if (await isAttached(client)) {
    throw new UsageError(
      'A Wiki.js is attached to this database. Import into another database, or run `lectern detach wikijs` first.',
    )
  }
}

const ANALYZE = `analyze wiki.page, wiki.revision, wiki.live_page, wiki.live_category_member, wiki.live_search, wiki.search_hot_set, wiki.live_link, wiki.live_position`

const makeWriter = (run: RunStatement): { writer: Writer; finish(): Promise<void> } => {
  const result: ImportResult = { pages: 0, newRevisions: 0, changedRevisions: 0, movedRevisions: 0 }
  const locales = new ImportLocales(run)
  const pages = new PageWriter(run, locales, result)
  const writer: Writer = {
    ...storedContent(run),
    result,
    writeWiki: async ({ name, default_locale, license = null, locales: ofWiki }) => {
      const [former] = (await run('wiki_name', [])).rows
      if (former && former.name !== name) result.formerName = former.name
      await run('import_wiki', [name, default_locale, license])
      await locales.addOfWiki(ofWiki)
    },
    writeCategories: async (records) => {
      const keys = [column(records, 'locale'), column(records, 'key')]
      await run('import_categories', [...keys, column(records, 'name')])
      await run('rename_categories', keys)
    },
    writePages: (records, options) => pages.write(records, options),
    absentPages: (locale) => pages.absentPages(locale),
    isEmpty: async () => (await run('is_empty', [])).rows[0]!.empty,
  }
  // At the end, because records come in any order: only then is it certain which languages pages use. (D30)
  const finish = async () => {
    await pages.assignPositions()
    await locales.deleteUnused()
    if (result.newRevisions + result.changedRevisions + result.movedRevisions > 0) await flushIndex(run)
  }
  return { writer, finish }
}

/** The queries of sources. */
const storedContent = (run: RunStatement): StoredContentQueries => ({
  knownRevisions: async (revisions) => {
    const { rows } = await run('known_revisions', [
      column(revisions, 'id'),
      column(revisions, 'locale'),
      column(revisions, 'path'),
      column(revisions, 'createdAt'),
    ])
    return new Set(column(rows, 'id'))
  },
  storedPages: async (pages) =>
    (await run('stored_pages', [column(pages, 'locale'), column(pages, 'path')])).rows,
})
