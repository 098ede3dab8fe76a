import type { FileStore } from '@lectern/files-s3/file-store'
import { UsageError } from '@lectern/wiki/errors'
import type {
  AbsentPageRecord,
  CategoryRecord,
  CompletePage,
  PageKey,
  PlacedPage,
  SourceFiles,
  WikiRecord,
} from '@lectern/wiki/records'
import type { RevisionSummary, SourceContentQueries } from '@lectern/wiki/stored-content'
import type pg from 'pg'
import { column, columns } from '../db/bulk.ts'
import type { Database } from '../db/database.ts'
import { isAttached } from '../db/guest-views.ts'
import { CHANGED_CHANNEL } from '../db/session.ts'
import { type RunStatement, statement, statementRunner } from '../db/statements.ts'
import { withConnection, withWriteLock } from '../db/write-lock.ts'
import { flushIndex, indexPages, updateWordStatistics } from '../search/index/index-pages.ts'
import type { OutsideStore } from './blobs.ts'
import { DEFAULT_FILE_LIMITS, type FileLimits, type FilesResult, FileWriter } from './file-writer.ts'
import {
  ImportedContent,
  type ImportLocales,
  makeImportLocales,
  type NamedSource,
} from './imported-content.ts'
import { emptyResult, type ImportResult, makeOtherSources, PageWriter } from './page-writer.ts'
import {
  type AbsentPages,
  NO_PAGES,
  NOTHING_REMOVED,
  openStoredSource,
  type RemovedContent,
  type Replacing,
  type Scope,
  type StoredSource,
} from './removal.ts'

/** Writes the content of a wiki. No other code writes content. */
export type Writer = Awaited<ReturnType<typeof makeWriter>>['writer']

export interface WriterOptions {
  /** Absent: what is written belongs to no source, and nothing is removed. */
  source?: NamedSource
  /**
   * How many changes are expected. For `large`, the embedded database first prepares to serve readers meanwhile, which
   * takes about a second (D96). For `small`, tables are analyzed only if there were more changes.
   */
  extent?: 'small' | 'large'
  /** Which files are stored. Default: all of known types, up to 25 MiB. */
  fileLimits?: FileLimits
  /** Called once when the write lock is not free for a second. */
  onWait?: () => void
  /** Called while pages are indexed, which is the last step. */
  onIndexed?: (pages: number, total: number) => void
}

/**
 * Runs an import as one transaction: if `work` throws, nothing is stored. Imports of other processes wait. At the end,
 * PostgreSQL notifies the services that listen.
 * @throws UsageError when a Wiki.js is attached to the database
 */
export const withWriter = async <Result>(
  database: Database,
  work: (writer: Writer) => Promise<Result>,
  { source, extent, fileLimits = DEFAULT_FILE_LIMITS, onWait, onIndexed = () => {} }: WriterOptions = {},
): Promise<Result> =>
  withConnection(database, async (client) => {
    const { fileStore } = database
    let files: FilesResult | undefined
    const write = async () => {
      await refuseAttached(client)
      const outside = fileStore && {
        files: fileStore,
        record: (hashes: Buffer) => database.query(statement('record_blobs_outside'), [hashes]),
      }
      await fileStore?.checkReadable()
      const { writer, finish } = await makeWriter(statementRunner(client), source, fileLimits, outside)
      const result = await work(writer)
      files = writer.result.files
      await finish(onIndexed)
      if (writer.result.newRevisions >= (extent === 'small' ? ANALYZE_REVISIONS : 1)) await analyze(client)
      await client.query(`notify ${CHANGED_CHANNEL}`)
      return result
    }
    const result = await withWriteLock(client, write, {
      isLong: database.kind === 'embedded' && extent === 'large',
      onWait,
    })
    if (fileStore) files!.notDeleted = await deleteUnusedBlobs(client, fileStore)
    return result
  })

/** In a transaction of its own, and with the lock: another import may use the bytes again. @returns why it failed */
const deleteUnusedBlobs = (client: pg.PoolClient, store: FileStore): Promise<string | undefined> =>
  withWriteLock(client, async () => {
    const run = statementRunner(client)
    const { rows } = await run('take_unused_blobs', [])
    await store.delete(column(rows, 'sha256'))
    return undefined
  }).catch((error: Error) => error.message)

const refuseAttached = async (client: pg.PoolClient): Promise<void> => {
  if (await isAttached(client))
    throw new UsageError(
      'A Wiki.js is attached to this database. Import into another database, or run `lectern detach wikijs` first.',
    )
}

/** A small import analyzes the tables when it has at least so many new revisions, because that may take a second. */
const ANALYZE_REVISIONS = 1000
/** Of revisions, only columns that statements search: statistics of titles, comments and categories take twice the time. */
const ANALYZE =
  'analyze (skip_locked) wiki.page, wiki.revision (id, page_id, locale, created_at, visible), wiki.live_page, wiki.live_category_member, wiki.live_search, wiki.search_hot_set, wiki.live_link, wiki.live_position, wiki.live_change, wiki.tombstone, wiki.live_name (page_id), wiki.live_former_path (page_id), wiki.live_page_position (page_id), wiki.search_word (locale), wiki.category, wiki.live_category, wiki.live_shared_text (id), wiki.live_file, wiki.live_file_use, wiki.live_file_reference, wiki.live_blob, wiki.live_blob_part (blob_id)'

/**
 * Within the transaction, because afterwards readers of the embedded database would wait for it (D96). The import
 * succeeds even if this fails, or if somebody else has locked a table: autovacuum analyzes the tables later.
 */
const analyze = async (client: pg.PoolClient): Promise<void> => {
  await client.query('savepoint before_analyze')
  await client.query(ANALYZE).catch(() => client.query('rollback to savepoint before_analyze'))
}

const writeWiki = async (
  run: RunStatement,
  { name, default_locale, license, locales: ofWiki }: WikiRecord,
  { id }: StoredSource,
  locales: ImportLocales,
  result: ImportResult,
  keepsLicense: boolean,
): Promise<void> => {
  const [former] = (await run('wiki_name', [])).rows
  // The first source that names the wiki keeps doing so.
  const namedBy = former?.sourceId ?? null
  if (id !== null && namedBy !== null && namedBy !== id) return locales.addOfPages(column(ofWiki, 'locale'))
  if (former && former.name !== name) result.newName = { name, former: former.name }
  await run('import_wiki', [name, default_locale, license ?? null, id, keepsLicense])
  await locales.addOfWiki(ofWiki)
}

const keysOf = (some: readonly { locale: string; key: string }[]) => columns(some, ['locale', 'key'])

// Long: one method for each step of an import, over what the steps share.
const makeWriter = async (
  run: RunStatement,
  source: NamedSource | undefined,
  rules: FileLimits,
  outside: OutsideStore | undefined,
) => {
  const result = emptyResult()
  const storedSource = await openStoredSource(run, source)
  result.samplePages = storedSource.samplePages
  result.pagesBefore = storedSource.pagesBefore
  const content = new ImportedContent(run)
  const locales = makeImportLocales(run)
  const others = makeOtherSources(run, storedSource.id, source?.adopt === true)
  const pages = new PageWriter(run, { locales, result, content, others })
  const files = new FileWriter(run, { sourceId: storedSource.id, rules, result: result.files, outside })
  let removed = NOTHING_REMOVED
  let told: (() => object) | undefined
  const writer = {
    ...storedContent(run, storedSource),
    result,
    writeWiki: (record: WikiRecord, keepsLicense = false) =>
      writeWiki(run, record, storedSource, locales, result, keepsLicense),
    writeCategories: async (records: CategoryRecord[]): Promise<void> => {
      await run('import_categories', [...columns(records, ['locale', 'key', 'name']), storedSource.id])
      await run('rename_categories', keysOf(records))
      await content.addCategories(records)
    },
    /**
     * Stores and publishes pages, which must have different paths, and revisions with different ids.
     * @throws RevisionIdTaken
     */
    writePages: (records: CompletePage[], unfinished?: PageKey) => pages.write(records, unfinished),
    writeAbsentPages: (records: AbsentPageRecord[]) => content.addAbsentPages(records, storedSource.id),
    /** See `StoredSource`. None if there were no pages before. */
    absentPages: async (locale: string | null): Promise<AbsentPages> =>
      content.hadPages ? storedSource.absentPages(locale) : NO_PAGES,
    /** See `StoredSource`. @param isWhole whether the import had all of the source @param tell called at the end */
    storeState: (state: unknown, isWhole: boolean, tell?: () => object): Promise<void> => {
      told = tell
      const hasGone = removed.pages > 0 || result.deletedPages + result.renamedPages > 0
      return storedSource.storeState(state, result.left.pages > 0 || (isWhole ? false : null), hasGone)
    },
    /** See `ImportSource.order`. Call it when pages are published, and absent ones removed. */
    storePositions: (pages: readonly PlacedPage[]) => {
      const positions = pages.map(({ position }, i) => (position === undefined ? i + 1 : position))
      const groups = pages.map(({ groupTitles }) => groupTitles?.join('\n') ?? null)
      const titles = pages.map(({ navTitle }) => navTitle ?? null)
      const sitePaths = pages.map(({ sitePath }) => sitePath ?? null)
      const paths = columns(pages, ['locale', 'path'])
      return run('store_positions', [...paths, positions, groups, titles, sitePaths, storedSource.id])
    },
    /** See `StoredSource`. Call it after all records. */
    removeAbsent: async (scope: Scope, from: Replacing): Promise<RemovedContent> => {
      await content.begin()
      if (content.hadPages)
        removed = await storedSource.removeAbsent(scope, from, (changed) => pages.republish(changed))
      await run('rename_categories', keysOf(removed.categories))
      return removed
    },
    /**
     * Stores the files that live pages use, after pages are indexed.
     * @param listed undefined: the source has none
     * @param isWhole whether the import had all of the source, or what changed
     */
    storeFiles: async (listed: SourceFiles | undefined, isWhole: boolean): Promise<void> => {
      await content.begin()
      await files.take(listed, isWhole && storedSource.id !== null && !source?.keepMissing)
    },
  }
  // At the end, because records come in any order: only then is it certain which languages pages use. (D71)
  const finish = async (onIndexed: (pages: number, total: number) => void) => {
    await pages.finish()
    await locales.deleteUnused()
    // Each page once, however many records it has, and with all languages known that its links can name.
    const total = await content.countPublished()
    let indexed = 0
    await indexPages(run, content.published(), (pages) => {
      indexed += pages
      onIndexed(indexed, total)
    })
    if (content.hadPages !== undefined) await files.store()
    const { newRevisions, changedRevisions, movedRevisions } = result
    const removedAny = removed.pages + removed.revisions
    if (removedAny + newRevisions + changedRevisions + movedRevisions > 0) await flushIndex(run)
    await updateWordStatistics(run, indexed)
    // What was left out may come, and unused bytes may be left outside.
    const isAll = result.left.pages === 0 && result.files.leftOut.size === 0 && !outside
    if (told && source?.settings !== undefined && isAll) {
      const all = { settings: source.settings, ...told(), files: result.files }
      await run('store_told', [storedSource.id, JSON.stringify(all)])
    }
  }
  return { writer, finish }
}

const FIRST_UUID = '00000000-0000-0000-0000-000000000000'
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const storedContent = (run: RunStatement, { id }: StoredSource): SourceContentQueries => ({
  knownRevisions: async (revisions) => {
    const { rows } = await run('known_revisions', [
      ...columns(revisions, ['id', 'locale', 'path', 'createdAt']),
      id,
    ])
    return new Set(column(rows, 'id'))
  },
  storedPages: async (pages) => (await run('stored_pages', [...columns(pages, ['locale', 'path']), id])).rows,
  formerPaths: async (pages) => (await run('former_paths', columns(pages, ['locale', 'path']))).rows,
  revisionsOfSource: async (locale, { newest, oldest }, limit) => {
    const end = [newest?.createdAt ?? 'infinity', newest?.id ?? LAST_UUID]
    const start = [oldest?.createdAt ?? '-infinity', oldest?.id ?? FIRST_UUID]
    const { rows } = await run('revisions_of_source', [id, locale, ...end, ...start, limit])
    return rows as RevisionSummary[]
  },
  livePages: async () => (id === null ? [] : (await run('source_pages', [id])).rows),
  storedPageStates: async (pages) =>
    (await run('stored_page_states', [...columns(pages, ['locale', 'path']), id])).rows,
  newestMembers: async (categories, except) => {
    const paths = columns(except, ['locale', 'path'])
    return (await run('newest_members', [...keysOf(categories), ...paths, id])).rows
  },
  sourceState: async () => (id === null ? null : ((await run('source_state', [id])).rows[0]?.state ?? null)),
})
