import type pg from 'pg'
import { isAttached } from '../db/attached.ts'
import { CHANGED_CHANNEL } from '../db/channel.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'
import { binaryTextArray } from '../db/text-array.ts'
import { withConnection, withWriteLock } from '../db/write-lock.ts'
import { ImportError, UsageError } from '../errors.ts'
import { searchConfiguration } from '../search/configurations.ts'
import { flushIndex, indexPages } from '../search/index/index-pages.ts'
import { ownName } from '../wiki/locales.ts'
import { categoryPath, namespaceOf } from '../wiki/namespaces.ts'
import { quote } from '../wiki/text.ts'
import type {
  CategoryRecord,
  CompletePage,
  CompleteRevision,
  StoredContentQueries,
  StoredPage,
  WikiRecord,
} from './records.ts'

/** What an import changed. */
export interface ImportResult {
  pages: number
  /** Edits that were not there before. */
  newRevisions: number
  /** Edits that were there and are now otherwise. */
  changedRevisions: number
  /** Edits that were there as another page's. */
  movedRevisions: number
  /** What the wiki that was there was called, where the import names it otherwise. */
  formerName?: string
}

/** How pages are written. */
interface WritePagesOptions {
  /** Whether edits that are stored as another page's become this page's; else they are refused. */
  moves?: boolean
  /** The one of the pages whose other edits come with the next call: it is published with these. */
  unfinished?: { locale: string; path: string }
}

/** Live pages that an import did not bring. */
export interface AbsentPages {
  pages: number
  /** At most three. */
  first: { locale: string; path: string }[]
}

/** An edit has the id of another page's. */
export class RevisionIdTaken extends ImportError {
  override name = 'RevisionIdTaken'
  readonly id: string

  constructor(id: string, { locale, path }: { locale: string; path: string }) {
    super(
      `revisions[].id: ${id} is already an edit of the page ${quote(path)} (${locale}); ids must be unique`,
    )
    this.id = id
  }
}

/** The one way by which a wiki's content gets into the database. */
export interface Writer extends StoredContentQueries {
  writeWiki(record: WikiRecord): Promise<void>
  writeCategories(records: CategoryRecord[]): Promise<void>
  /**
   * Pages with different addresses; edits with different ids. Publishes them in the same step.
   * @throws RevisionIdTaken
   */
  writePages(records: CompletePage[], options?: WritePagesOptions): Promise<void>
  /** Live pages, of all languages or of one, that `pages` was not given. */
  absentPages(locale: string | null): Promise<AbsentPages>
  /** Nothing was imported yet. */
  isEmpty(): Promise<boolean>
  readonly result: ImportResult
}

/**
 * Runs an import as one transaction: when `work` throws, nothing of it is kept. Imports of other processes
 * wait. Services that listen are told at the end.
 * @param onWait called once when another import takes its time
 * @throws UsageError when the database serves a wiki that it is attached to
 */
export const withWriter = async <Result>(
  database: Database,
  work: (writer: Writer) => Promise<Result>,
  onWait?: () => void,
): Promise<Result> =>
  withConnection(database, async (client) => {
    const { writer, finish } = makeWriter(client)
    const write = async () => {
      await refuseAttached(client)
      const result = await work(writer)
      await finish()
      await client.query(`notify ${CHANGED_CHANNEL}`)
      return result
    }
    const result = await withWriteLock(client, write, onWait)
    // What this leaves undone, the server's own autovacuum does later: no reason to call the import failed.
    if (writer.result.newRevisions > 0) await client.query(ANALYZE).catch(() => {})
    return result
  })

const refuseAttached = async (client: pg.PoolClient): Promise<void> => {
  if (await isAttached(client)) {
    throw new UsageError(
      'This database serves the Wiki.js that it is attached to: import into another one, or run `lectern detach wikijs` first.',
    )
  }
}

const ANALYZE = `analyze wiki.page, wiki.revision, wiki.live_page, wiki.live_category_member, wiki.live_search, wiki.live_search_top, wiki.live_link, wiki.live_position`

const column = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Row[Key][] =>
  rows.map((row) => row[key])

/** An edit that is there already, and its page. */
interface StoredRevision {
  id: string
  pageId: string
  locale: string
  path: string
}

/** Edits as the columns of a statement. */
const valuesOf = (revisions: readonly CompleteRevision[]): unknown[] => [
  column(revisions, 'id'),
  column(revisions, 'created_at'),
  column(revisions, 'author'),
  column(revisions, 'comment'),
  column(revisions, 'status'),
  column(revisions, 'title'),
  revisions.map((revision) => JSON.stringify(revision.categories)),
  binaryTextArray(column(revisions, 'markdown')),
]

const makeWriter = (client: pg.PoolClient): { writer: Writer; finish(): Promise<void> } => {
  const run = async <Row extends pg.QueryResultRow>(name: string, values: unknown[]) =>
    client.query<Row>({ ...statement(name), values })
  const result: ImportResult = { pages: 0, newRevisions: 0, changedRevisions: 0, movedRevisions: 0 }
  /** Languages that are known to be there, and those of them that only pages brought in. */
  const locales = new Set<string>()
  const unnamed = new Set<string>()
  let named: string[] | undefined
  /** Ids of pages whose edits are others than before. */
  const edited = new Set<string>()
  /** Whether pages are counted that were live before and did not come; undefined before the first pages. */
  let countsAbsent: boolean | undefined
  /** Pages that wait to be published with the rest of their edits, and whether any of these changed something. */
  const waiting = new Map<string, boolean>()

  const addLocales = async (found: { locale: string; name: string }[], rename: boolean) => {
    const added = await run<{ locale: string }>('import_locales', [
      column(found, 'locale'),
      column(found, 'name'),
      found.map(({ locale }) => searchConfiguration(locale)),
      rename,
    ])
    for (const { locale } of found) locales.add(locale)
    return column(added.rows, 'locale')
  }

  const beginImportedPages = async (): Promise<boolean> => {
    const { hasLivePages } = (await run<{ hasLivePages: boolean }>('has_live_pages', [])).rows[0]!
    if (hasLivePages) await run('begin_imported_pages', [])
    return hasLivePages
  }

  /** Stores edits; answers the pages that are otherwise now, and those that edits were taken from. */
  const addRevisions = async (
    pages: CompletePage[],
    pageIds: string[],
    move: boolean,
  ): Promise<{ changed: Set<string>; left: string[] }> => {
    const revisions = pages.flatMap((page, i) =>
      page.revisions.map((revision) => ({ ...revision, pageId: pageIds[i]! })),
    )
    if (revisions.length === 0) return { changed: new Set(), left: [] }
    const stored = new Map(
      (await run<StoredRevision>('stored_revisions', [column(revisions, 'id')])).rows.map((row) => [
        row.id,
        row,
      ]),
    )
    const moved = revisions.filter(({ id, pageId }) => (stored.get(id)?.pageId ?? pageId) !== pageId)
    if (moved[0] !== undefined) {
      if (!move) throw new RevisionIdTaken(moved[0].id, stored.get(moved[0].id)!)
      await run('move_revisions', [column(moved, 'id'), column(moved, 'pageId')])
      result.movedRevisions += moved.length
    }
    const known = revisions.filter(({ id }) => stored.has(id))
    const unknown = revisions.filter(({ id }) => !stored.has(id))
    const changed = await run<{ pageId: string }>('change_revisions', valuesOf(known))
    result.changedRevisions += changed.rowCount ?? 0
    const added = await run<{ pageId: string }>('add_revisions', [
      ...valuesOf(unknown),
      column(unknown, 'pageId'),
    ])
    result.newRevisions += added.rowCount ?? 0
    return {
      changed: new Set(column([...moved, ...changed.rows, ...added.rows], 'pageId')),
      left: [...new Set(moved.map(({ id }) => stored.get(id)!.pageId))],
    }
  }

  /** @param changed those of the pages whose edits are otherwise than before */
  const publish = async (pageIds: string[], changed: Set<string>) => {
    for (const id of changed) edited.add(id)
    const published = await run<{ pageId: string }>('publish_revisions', [pageIds])
    for (const { pageId } of published.rows) edited.add(pageId)
    await run('withdraw_pages', [pageIds])
    for (const { id } of (await run<{ id: string }>('publish_pages', [pageIds])).rows) changed.add(id)
    const changedIds = [...changed]
    if (changedIds.length === 0) return
    await run('withdraw_members', [changedIds])
    await run('publish_members', [changedIds])
    await indexPages(run, changedIds)
  }

  const writer: Writer = {
    result,
    writeWiki: async (record) => {
      const { rows } = await run<{ name: string }>('wiki_name', [])
      if (rows[0] && rows[0].name !== record.name) result.formerName = rows[0].name
      await run('import_wiki', [record.name, record.default_locale, record.license ?? null])
      await addLocales(record.locales, true)
      named = column(record.locales, 'locale')
    },
    writeCategories: async (records) => {
      await run('import_categories', [
        column(records, 'locale'),
        column(records, 'key'),
        column(records, 'name'),
      ])
      await run('rename_categories', [column(records, 'locale'), column(records, 'key')])
    },
    writePages: async (records, { moves = false, unfinished } = {}) => {
      const missing = [...new Set(records.filter((page) => page.state === 'live').map((page) => page.locale))]
        .filter((locale) => !locales.has(locale))
        .map((locale) => ({ locale, name: ownName(locale) }))
      if (missing.length > 0) {
        const added = await addLocales(missing, false)
        for (const locale of added) unnamed.add(locale)
      }
      const addresses = [column(records, 'locale'), column(records, 'path')]
      await run('import_pages', [
        ...addresses,
        column(records, 'state'),
        records.map((page) => page.translation_group ?? null),
      ])
      const pageIds = (await run<{ n: number; id: string }>('page_ids', addresses)).rows
        .sort((a, b) => a.n - b.n)
        .map((row) => row.id)
      countsAbsent ??= await beginImportedPages()
      if (countsAbsent) await run('add_imported_pages', [pageIds])
      const { changed, left } = await addRevisions(records, pageIds, moves)
      const isUnfinished = ({ locale, path }: CompletePage) =>
        locale === unfinished?.locale && path === unfinished.path
      const ready = new Set([...pageIds, ...left])
      for (const [id, isChanged] of waiting) {
        ready.add(id)
        if (isChanged) changed.add(id)
      }
      waiting.clear()
      const last = pageIds[records.findIndex(isUnfinished)]
      if (last !== undefined) {
        ready.delete(last)
        waiting.set(last, changed.delete(last))
      }
      await publish([...ready], changed)
      for (const id of left) edited.add(id)
      const emptied = left.filter((id) => !waiting.has(id))
      if (emptied.length > 0) await run('forget_pages', [emptied])
      const finished = records.filter((page) => !isUnfinished(page))
      const described = finished.filter(({ path }) => namespaceOf(path) === 'category')
      if (described.length > 0)
        await run('rename_categories', [
          column(described, 'locale'),
          described.map(({ path }) => path.slice(categoryPath('').length)),
        ])
      result.pages += finished.length
    },
    knownRevisions: async (revisions) => {
      const { rows } = await run<{ id: string }>('known_revisions', [
        column(revisions, 'id'),
        column(revisions, 'locale'),
        column(revisions, 'path'),
        column(revisions, 'createdAt'),
      ])
      return new Set(column(rows, 'id'))
    },
    storedPages: async (pages) =>
      (
        await run<StoredPage & pg.QueryResultRow>('stored_pages', [
          column(pages, 'locale'),
          column(pages, 'path'),
        ])
      ).rows,
    absentPages: async (locale) => {
      if (!countsAbsent) return { pages: 0, first: [] }
      const { rows } = await run<{ locale: string; path: string; pages: number }>('absent_pages', [locale])
      return { pages: rows[0]?.pages ?? 0, first: rows.map(({ locale, path }) => ({ locale, path })) }
    },
    isEmpty: async () => (await run<{ empty: boolean }>('is_empty', [])).rows[0]!.empty,
  }
  /**
   * At the end, since records come in any order: which languages pages use, and how many edits share a moment, is
   * known only then.
   */
  const finish = async () => {
    if (edited.size > 0) await run('assign_positions', [[...edited]])
    await run('forget_locales', [named ?? null, [...unnamed]])
    if (result.newRevisions + result.changedRevisions + result.movedRevisions > 0) await flushIndex(run)
  }
  return { writer, finish }
}
