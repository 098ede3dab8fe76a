import type { DialectName } from '@lectern/wiki/dialects/dialect'
import { fileCandidates } from '@lectern/wiki/files/references'
import { CATEGORIES_MAX, TEXT_BYTES_MAX, TRANSFER_BATCH } from '@lectern/wiki/limits'
import type {
  CategoryRecord,
  CompletePage,
  CompleteRevision,
  FileRecord,
  WikiRecord,
} from '@lectern/wiki/records'
import type pg from 'pg'
import { column, inBatches } from '../db/bulk.ts'
import type { Database } from '../db/database.ts'
import { type Statement, statement } from '../db/statements.ts'
import type { StatementRows } from '../generated/statement-rows.ts'
import { FILE_PART_BYTES } from '../limits/responses.ts'
import { dataOf } from './link-and-file-loaders.ts'

/** Rows that one statement reads: pages, categories, and revisions without their texts. */
const PAGES_AT_ONCE = 50
const CATEGORIES_AT_ONCE = 1_000
const FILES_AT_ONCE = 1_000
const REVISIONS_AT_ONCE = 10_000

/**
 * What an export contains: everything that is stored, or what a guest may see. The export for guests reads the views of
 * guests, so a reader's connection is sufficient, and no mistake in this code can export anything else. (D71)
 */
export type ExportView = 'everything' | 'guest'

/** A page of an export, without its revisions. Absent keys are not written. */
export type ExportedPage = Omit<CompletePage, 'translation_group' | 'revisions' | 'sourcePath'> & {
  source_path?: string
  translation_group?: string
}

/** In the view of a guest, a page has the title and the categories of the last accepted revision. */
type PageColumns = StatementRows['export_pages'] & Partial<StatementRows['export_guest_pages']>

/** In the view of a guest, a revision has no status, and only the last accepted one a title and categories. */
type RevisionColumns = StatementRows['export_guest_revisions'] & Partial<StatementRows['export_revisions']>

/** A revision of a page, in the order of date and id; or, without `revision`, the end of the page. */
interface ExportedEntry {
  page: ExportedPage
  revision?: CompleteRevision
}

/** What an export leaves out, because no import would accept it: an older Lectern or another program has written it. */
export interface OmittedContent {
  what: 'text' | 'categories'
  locale: string
  path: string
  id: string
}

type FileColumns = StatementRows['export_files']

export interface ExportedFile {
  record: FileRecord
  bytes: number
  parts(): AsyncGenerator<Buffer>
}

/** The wiki as it was when the export began to read. */
export type Snapshot = ReturnType<typeof makeSnapshot>

const STATEMENTS = {
  wiki: { everything: statement('export_wiki'), guest: statement('export_guest_wiki') },
  count: { everything: statement('export_count'), guest: statement('export_guest_count') },
  categories: { everything: statement('export_categories'), guest: statement('export_guest_categories') },
  pages: { everything: statement('export_pages'), guest: statement('export_guest_pages') },
  sizes: { everything: statement('export_sizes'), guest: statement('export_guest_sizes') },
  files: { everything: statement('export_files'), guest: statement('export_guest_files') },
  part: { everything: statement('export_file_part'), guest: statement('file_part') },
  revisions: { everything: statement('export_revisions'), guest: statement('export_guest_revisions') },
}

/**
 * Lets `work` read the wiki as of one point in time, regardless of imports meanwhile.
 * @param options.batchBytes how many bytes of revisions to read at a time
 */
export const inSnapshot = async <Result>(
  database: Database,
  { view = 'everything', batchBytes = TRANSFER_BATCH.bytes }: { view?: ExportView; batchBytes?: number },
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> => {
  const client = await database.connect()
  let isCommitted = false
  try {
    // The timeout of a guest's request is too short for a large wiki.
    if (view === 'guest') await client.query('set statement_timeout = 0')
    await client.query('begin transaction isolation level repeatable read, read only')
    const result = await work(makeSnapshot(client, view, batchBytes, database))
    await client.query('commit')
    isCommitted = true
    return result
  } finally {
    client.release(!isCommitted || view === 'guest')
  }
}

// Long: one method for each part of an export, over one connection.
const makeSnapshot = (client: pg.PoolClient, view: ExportView, bytes: number, database: Database) => {
  const omitted: OmittedContent[] = []
  const rows = async <Row extends pg.QueryResultRow>(query: Statement<Row>, values: unknown[] = []) =>
    (await client.query<Row>({ ...query, values })).rows
  const omit = (what: OmittedContent['what'], id: string, { locale, path }: PageColumns) =>
    omitted.push({ what, locale, path, id })
  const partsOf = async function* (file: FileColumns): AsyncGenerator<Buffer> {
    for (let part = 0; part * FILE_PART_BYTES < file.bytes; part++) {
      const [row] = await rows(STATEMENTS.part[view], [file.blob_id, part])
      yield await dataOf(row!, part, database)
    }
  }

  async function* entriesOf(pages: PageColumns[]): AsyncGenerator<ExportedEntry> {
    let done = 0
    const sizesAfter = ({ n, created_at, id } = BEGINNING) =>
      rows(STATEMENTS.sizes[view], [column(pages, 'id'), n, created_at, id, REVISIONS_AT_ONCE])
    for await (const part of inKeysetBatches(REVISIONS_AT_ONCE, sizesAfter)) {
      for (const { n, id, size } of part) if (size > TEXT_BYTES_MAX) omit('text', id, pages[n - 1]!)
      const fitting = part.filter(({ size }) => size <= TEXT_BYTES_MAX)
      for (const batch of inBatches(fitting, { pages: TRANSFER_BATCH.revisions, bytes })) {
        const read = await rows<RevisionColumns>(STATEMENTS.revisions[view], [column(batch, 'id')])
        const byId = new Map(read.map((revision) => [revision.id, revision]))
        for (const { n, id } of batch) {
          while (done < n - 1) yield { page: exportedPage(pages[done++]!) }
          const page = pages[done]!
          const written = byId.get(id)!
          const categories = written.categories ?? (id === page.revision_id ? page.categories! : [])
          if (categories.length > CATEGORIES_MAX) omit('categories', id, page)
          const revision = exportedRevision(page, written, categories.slice(0, CATEGORIES_MAX))
          yield { page: exportedPage(page), revision }
        }
      }
    }
    while (done < pages.length) yield { page: exportedPage(pages[done++]!) }
  }

  return {
    countPages: async (): Promise<number> => (await rows(STATEMENTS.count[view]))[0]!.pages,
    /** The wiki, then its categories. */
    async *head(): AsyncGenerator<WikiRecord | CategoryRecord> {
      const wikis = await rows(STATEMENTS.wiki[view])
      for (const { name, default_locale, license, locales, file_roots: roots } of wikis) {
        const fileRoots = roots === null || roots.join() === '' ? {} : { file_roots: roots }
        yield { type: 'wiki', name, default_locale, ...(license ? { license } : {}), locales, ...fileRoots }
      }
      const categoriesAfter = (last?: Omit<CategoryRecord, 'type'>) =>
        rows(STATEMENTS.categories[view], [last?.locale ?? '', last?.key ?? '', CATEGORIES_AT_ONCE])
      for await (const batch of inKeysetBatches(CATEGORIES_AT_ONCE, categoriesAfter)) {
        for (const category of batch) yield { type: 'category', ...category }
      }
    },
    /** Pages in the order of locale and path, by bytes. */
    async *pages(): AsyncGenerator<ExportedEntry> {
      const pagesAfter = (last?: PageColumns) =>
        rows<PageColumns>(STATEMENTS.pages[view], [last?.locale ?? '', last?.path ?? '', PAGES_AT_ONCE])
      for await (const batch of inKeysetBatches(PAGES_AT_ONCE, pagesAfter)) yield* entriesOf(batch)
    },
    /** Public files by path, then locale. */
    async *files(): AsyncGenerator<ExportedFile> {
      const filesAfter = (last?: FileColumns) =>
        rows<FileColumns>(STATEMENTS.files[view], [last?.path ?? '', last?.locale ?? '', FILES_AT_ONCE])
      for await (const batch of inKeysetBatches(FILES_AT_ONCE, filesAfter)) {
        for (const file of batch)
          yield { record: exportedFile(file), bytes: file.bytes, parts: () => partsOf(file) }
      }
    },
    /** The content that `pages` has left out so far. */
    omitted: (): OmittedContent[] => omitted,
  }
}

/** The cursor before all revisions. `n`: number of the page of a revision among the requested ones, from 1. */
const BEGINNING = { n: 0, created_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/** Rows in batches of a size. The last row of each batch is the cursor of the next. */
async function* inKeysetBatches<Row>(size: number, read: (last: Row | undefined) => Promise<Row[]>) {
  let last: Row | undefined
  for (;;) {
    const batch = await read(last)
    if (batch.length > 0) yield batch
    if (batch.length < size) return
    last = batch.at(-1)
  }
}

/** An object without the members that are null. */
const withoutNulls = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [Name in keyof Members]: NonNullable<Members[Name]>
  }

const exportedFile = ({ locale, path, sha256, modified_at, author }: FileColumns): FileRecord =>
  withoutNulls({ type: 'file', locale: locale || null, path, sha256, modified_at, author })

const exportedPage = (page: PageColumns): ExportedPage => {
  const { locale, path, state, translation_group, uses, position, nav_title, site_path } = page
  const source_path = page.source_path ?? (uses ? impliedSourcePath(path, uses as ResolvedReference[]) : null)
  const dialect = page.dialect as DialectName | null
  const group_titles = page.group_titles?.split('\n') ?? null
  const place = { position, group_titles, nav_title, site_path }
  const members = { locale, path, state, translation_group, source_path, dialect, ...place }
  return withoutNulls({ type: 'page', ...members })
}

/** A relative reference of a page, and the path of the file to which it leads. */
type ResolvedReference = readonly [reference: string, file: string]

const COMPARED_MAX = 50

/** A path in whose folder relative references lead to their files, for guests, who do not see the source's. Null: the page's. */
const impliedSourcePath = (path: string, uses: readonly ResolvedReference[]): string | null => {
  const compared = uses.slice(0, COMPARED_MAX)
  const resolved = (sourcePath: string | null): number =>
    compared.filter(([reference, file]) =>
      fileCandidates(reference, { path, sourcePath, roots: [] }).paths.includes(file),
    ).length
  if (resolved(null) === compared.length) return null
  const possible = compared.flatMap(([reference, file]) => sourcePathFor(path, reference, file))
  const sourcePaths = [null, ...new Set(possible)]
  const counts = sourcePaths.map(resolved)
  return sourcePaths[counts.indexOf(Math.max(...counts))] ?? null
}

/** With `../` in the reference, the last folders are unknown: they are those of the page. */
const sourcePathFor = (path: string, reference: string, file: string): string[] => {
  const [, ups = '', rest = ''] = /^((?:\.\.?\/)*)(.*)$/s.exec(reference) ?? []
  if (!`/${file}`.endsWith(`/${rest}`)) return []
  const above = ups.split('/').filter((segment) => segment === '..').length
  const folders = path.split('/').slice(0, -1)
  const unknown = Array.from({ length: above }, (_, i) => folders[folders.length - above + i] ?? '_')
  return [file.slice(0, file.length - rest.length) + [...unknown, path.split('/').at(-1)!].join('/')]
}

const exportedRevision = (
  page: PageColumns,
  revision: RevisionColumns,
  categories: CompleteRevision['categories'],
): CompleteRevision => ({
  id: revision.id,
  created_at: revision.created_at,
  author: revision.author,
  comment: revision.comment,
  status: revision.status ?? 'accepted',
  title: revision.title ?? page.title!,
  markdown: revision.markdown,
  categories: categories.map(({ key, sort_key }) => ({ key, sort_key })),
})
