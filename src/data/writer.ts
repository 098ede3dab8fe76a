import type pg from 'pg'
import { ImportError, UsageError } from '../errors.ts'
import type { CategoryRecord, PageRecord, RevisionRecord, WikiRecord } from '../import/records.ts'
import { ownName } from '../wiki/locales.ts'
import { categoryPath, namespaceOf } from '../wiki/namespaces.ts'
import { quotable } from '../wiki/text.ts'
import type { Database } from './database.ts'
import { indexPages, settleIndex } from './index-pages.ts'
import { searchConfiguration } from './search-config.ts'
import { statement } from './statements.ts'
import { textArray } from './text-array.ts'
import { inTurn, withConnection } from './turn.ts'
import { isAttached } from './wikijs/attached.ts'

/** A revision that has its id, and a sort key in each category. */
export type CompleteRevision = Omit<RevisionRecord, 'id' | 'categories'> & {
  id: string
  categories: { key: string; sort_key: string }[]
}
export type CompletePage = Omit<PageRecord, 'revisions'> & { revisions: CompleteRevision[] }

/** What an import changed. */
export interface Written {
  pages: number
  /** Edits that were not there before. */
  newRevisions: number
  /** Edits that were there and are now otherwise. */
  changedRevisions: number
  /** What the wiki that was there was called, where the import names it otherwise. */
  formerName?: string
}

/** An edit has the id of another page's. */
export class RevisionIdTaken extends ImportError {
  override name = 'RevisionIdTaken'
  readonly id: string

  constructor(id: string, { locale, path }: { locale: string; path: string }) {
    super(
      `revisions[].id: ${id} is already an edit of the page ${quotable(path)} (${locale}); ids must be unique`,
    )
    this.id = id
  }
}

/** The channel on which running services hear that the wiki changed. */
export const CHANGED_CHANNEL = 'lectern_changed'

/** The one way by which a wiki's content gets into the database. */
export interface Writer {
  wiki(record: WikiRecord): Promise<void>
  categories(records: CategoryRecord[]): Promise<void>
  /** Pages with different addresses; edits with different ids. Publishes them in the same step. */
  pages(records: CompletePage[]): Promise<void>
  /** Ids of edits that are stored already. */
  known(ids: string[]): Promise<Set<string>>
  /** Nothing was imported yet. */
  isEmpty(): Promise<boolean>
  readonly written: Written
}

/**
 * Runs an import as one transaction: when `work` throws, nothing of it is kept. Imports of other processes
 * wait. Services that listen are told at the end.
 * @throws UsageError when the database serves a wiki that it is attached to
 */
export const writing = async <Result>(
  database: Database,
  work: (writer: Writer) => Promise<Result>,
): Promise<Result> =>
  withConnection(database, async (client) => {
    const { writer, finish } = makeWriter(client)
    const result = await inTurn(client, async () => {
      await refuseAttached(client)
      const result = await work(writer)
      await finish()
      await client.query(`notify ${CHANGED_CHANNEL}`)
      return result
    })
    // What this leaves undone, the server's own autovacuum does later: no reason to call the import failed.
    if (writer.written.newRevisions > 0) await client.query(ANALYZE).catch(() => {})
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
  textArray(column(revisions, 'markdown')),
]

const makeWriter = (client: pg.PoolClient): { writer: Writer; finish(): Promise<void> } => {
  const run = async <Row extends pg.QueryResultRow>(name: string, values: unknown[]) =>
    client.query<Row>({ ...statement(name), values })
  const written: Written = { pages: 0, newRevisions: 0, changedRevisions: 0 }
  /** Languages that are known to be there, and those of them that only pages brought in. */
  const locales = new Set<string>()
  const unnamed = new Set<string>()
  let named: string[] | undefined
  /** Ids of pages whose edits are others than before. */
  const edited = new Set<string>()

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

  const addRevisions = async (pages: CompletePage[], pageIds: string[]): Promise<Set<string>> => {
    const revisions = pages.flatMap((page, i) =>
      page.revisions.map((revision) => ({ ...revision, pageId: pageIds[i]! })),
    )
    if (revisions.length === 0) return new Set()
    const stored = new Map(
      (await run<StoredRevision>('stored_revisions', [column(revisions, 'id')])).rows.map((row) => [
        row.id,
        row,
      ]),
    )
    for (const { id, pageId } of revisions) {
      const found = stored.get(id)
      if (found && found.pageId !== pageId) throw new RevisionIdTaken(id, found)
    }
    const known = revisions.filter(({ id }) => stored.has(id))
    const unknown = revisions.filter(({ id }) => !stored.has(id))
    const changed = await run<{ pageId: string }>('change_revisions', valuesOf(known))
    written.changedRevisions += changed.rowCount ?? 0
    const added = await run<{ pageId: string }>('add_revisions', [
      ...valuesOf(unknown),
      column(unknown, 'pageId'),
    ])
    written.newRevisions += added.rowCount ?? 0
    return new Set(column([...changed.rows, ...added.rows], 'pageId'))
  }

  const writer: Writer = {
    written,
    wiki: async (record) => {
      const { rows } = await run<{ name: string }>('wiki_name', [])
      if (rows[0] && rows[0].name !== record.name) written.formerName = rows[0].name
      await run('import_wiki', [record.name, record.default_locale, record.license ?? null])
      await addLocales(record.locales, true)
      named = column(record.locales, 'locale')
    },
    categories: async (records) => {
      await run('import_categories', [
        column(records, 'locale'),
        column(records, 'key'),
        column(records, 'name'),
      ])
      await run('rename_categories', [column(records, 'locale'), column(records, 'key')])
    },
    pages: async (records) => {
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
      const changed = await addRevisions(records, pageIds)
      for (const id of changed) edited.add(id)
      for (const { pageId } of (await run<{ pageId: string }>('publish_revisions', [pageIds])).rows)
        edited.add(pageId)
      await run('withdraw_pages', [pageIds])
      for (const { id } of (await run<{ id: string }>('publish_pages', [pageIds])).rows) changed.add(id)
      const changedIds = [...changed]
      if (changedIds.length > 0) {
        await run('withdraw_members', [changedIds])
        await run('publish_members', [changedIds])
        await indexPages(run, changedIds)
      }
      const described = records.filter(({ path }) => namespaceOf(path) === 'category')
      if (described.length > 0)
        await run('rename_categories', [
          column(described, 'locale'),
          described.map(({ path }) => path.slice(categoryPath('').length)),
        ])
      written.pages += records.length
    },
    known: async (ids) => new Set(column((await run<{ id: string }>('known_revisions', [ids])).rows, 'id')),
    isEmpty: async () => (await run<{ empty: boolean }>('is_empty', [])).rows[0]!.empty,
  }
  /**
   * At the end, since records come in any order: which languages pages use, and how many edits share a moment, is
   * known only then.
   */
  const finish = async () => {
    if (edited.size > 0) await run('assign_positions', [[...edited]])
    await run('forget_locales', [named ?? null, [...unnamed]])
    if (written.newRevisions + written.changedRevisions > 0) await settleIndex(run)
  }
  return { writer, finish }
}
