import { CATEGORIES_MAX, TEXT_BYTES_MAX, TRANSFER_BATCH } from '@lectern/wiki/limits'
import type {
  CategoryRecord,
  CompletePage,
  CompleteRevision,
  FileRecord,
  WikiRecord,
} from '@lectern/wiki/records'
import type pg from 'pg'
import { inBatches } from '../db/bulk.ts'
import type { Database } from '../db/database.ts'
import { type Statement, statement } from '../db/statements.ts'

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

type HeadRecord = WikiRecord | CategoryRecord

/** A page of an export, without its revisions. Absent keys are not written. */
export type ExportedPage = Omit<CompletePage, 'translation_group' | 'revisions' | 'sourcePath'> & {
  source_path?: string
  translation_group?: string
}

/** The columns of a page in an export. */
interface PageColumns {
  id: string
  locale: string
  path: string
  state: CompletePage['state']
  translation_group: string | null
  /** In the view of a guest, null: then references begin at the path of the page. */
  source_path: string | null
  /** In the view of a guest: of the last accepted revision. */
  title?: string
  revision_id?: string
  categories?: CompleteRevision['categories']
}

/** A revision without its text. */
interface SizeColumns {
  /** Number of its page among the requested ones, from 1. */
  n: number
  id: string
  created_at: string
  /** Bytes of the text. */
  size: number
  /** Bytes of everything that is read of the revision. */
  bytes: number
}

/** In the view of a guest, a revision has no status, and only the last accepted one a title and categories. */
type RevisionColumns = Omit<CompleteRevision, 'status' | 'title' | 'categories'> & Partial<CompleteRevision>

/** Some of a page's revisions, by date, then id. `isLast`: the page has no more. */
interface ExportedPageChunk {
  page: ExportedPage
  revisions: CompleteRevision[]
  isLast: boolean
}

/**
 * What an export leaves out, because no import would accept it. An older Lectern, or another program, wrote it into the
 * database.
 */
export interface OmittedContent {
  what: 'text' | 'categories'
  locale: string
  path: string
  id: string
}

interface FileColumns {
  locale: string
  path: string
  sha256: string
  blob_id: string
  bytes: number
  modified_at: FileRecord['modified_at'] | null
  author: string | null
}

/** A file of an export. */
export interface ExportedFile {
  record: FileRecord
  bytes: number
  /** Its bytes, in parts. */
  parts(): AsyncGenerator<Buffer>
}

/** The wiki as it was when the export began to read. */
export interface Snapshot {
  countPages(): Promise<number>
  /** The wiki, then its categories. */
  head(): AsyncGenerator<HeadRecord>
  /** Pages in the order of locale and path, by bytes: each in one chunk or, when it does not fit into memory, in several. */
  pages(): AsyncGenerator<ExportedPageChunk>
  /** Public files by path, then locale. */
  files(): AsyncGenerator<ExportedFile>
  /** The content that `pages` has left out so far. */
  omitted(): OmittedContent[]
}

interface Statements {
  wiki: Statement<
    Omit<WikiRecord, 'type' | 'license' | 'file_roots'> & {
      license: string | null
      file_roots: string[] | null
    }
  >
  count: Statement<{ pages: number }>
  categories: Statement<Omit<CategoryRecord, 'type'>>
  pages: Statement<PageColumns>
  sizes: Statement<SizeColumns>
  files: Statement<FileColumns>
  part: Statement<{ data: Buffer }>
  revisions: Statement<RevisionColumns>
}

const STATEMENTS: Record<ExportView, Statements> = {
  everything: {
    wiki: statement('export_wiki'),
    count: statement('export_count'),
    categories: statement('export_categories'),
    pages: statement('export_pages'),
    sizes: statement('export_sizes'),
    files: statement('export_files'),
    part: statement('export_file_part'),
    revisions: statement('export_revisions'),
  },
  guest: {
    wiki: statement('export_guest_wiki'),
    count: statement('export_guest_count'),
    categories: statement('export_guest_categories'),
    pages: statement('export_guest_pages'),
    sizes: statement('export_guest_sizes'),
    files: statement('export_guest_files'),
    part: statement('file_part'),
    revisions: statement('export_guest_revisions'),
  },
}

/**
 * Lets `work` read the wiki as of one point in time, regardless of imports meanwhile.
 * @param bytes how many bytes of revisions to read at a time
 */
export const inSnapshot = async <Result>(
  database: Database,
  view: ExportView,
  work: (snapshot: Snapshot) => Promise<Result>,
  bytes: number = TRANSFER_BATCH.bytes,
): Promise<Result> => {
  const client = await database.connect()
  let isCommitted = false
  try {
    // The timeout of a guest's request is too short for a large wiki.
    if (view === 'guest') await client.query('set statement_timeout = 0')
    await client.query('begin transaction isolation level repeatable read, read only')
    const result = await work(makeSnapshot(client, view, bytes))
    await client.query('commit')
    isCommitted = true
    return result
  } finally {
    client.release(!isCommitted || view === 'guest')
  }
}

const makeSnapshot = (client: pg.PoolClient, view: ExportView, bytes: number): Snapshot => {
  const statements = STATEMENTS[view]
  const { wiki, count, categories, pages } = statements
  const omitted: OmittedContent[] = []
  const rows = async <Row extends pg.QueryResultRow>(query: Statement<Row>, values: unknown[]) =>
    (await client.query<Row>({ ...query, values })).rows
  const omit = (what: OmittedContent['what'], id: string, { locale, path }: PageColumns) => {
    omitted.push({ what, locale, path, id })
  }
  const partsOf = async function* (blobId: string): AsyncGenerator<Buffer> {
    for (let part = 0; ; part++) {
      const [row] = await rows(statements.part, [blobId, part])
      if (row === undefined) return
      yield row.data
    }
  }

  return {
    countPages: async () => (await rows(count, []))[0]!.pages,
    async *head() {
      for (const { name, default_locale, license, locales, file_roots: roots } of await rows(wiki, [])) {
        const fileRoots = roots === null || roots.join() === '' ? {} : { file_roots: roots }
        yield { type: 'wiki', name, default_locale, ...(license ? { license } : {}), locales, ...fileRoots }
      }
      const categoriesAfter = (last?: Omit<CategoryRecord, 'type'>) =>
        rows(categories, [last?.locale ?? '', last?.key ?? '', CATEGORIES_AT_ONCE])
      for await (const batch of inKeysetBatches(CATEGORIES_AT_ONCE, categoriesAfter)) {
        for (const category of batch) yield { type: 'category', ...category }
      }
    },
    async *pages() {
      const pagesAfter = (last?: PageColumns) =>
        rows(pages, [last?.locale ?? '', last?.path ?? '', PAGES_AT_ONCE])
      for await (const batch of inKeysetBatches(PAGES_AT_ONCE, pagesAfter)) {
        yield* chunksOf(batch, {
          sizes: (last) => rows(statements.sizes, [idsOf(batch), ...sizeCursor(last)]),
          revisions: (ids) => rows(statements.revisions, [ids]),
          bytes,
          omit,
        })
      }
    },
    async *files() {
      const filesAfter = (last?: FileColumns) =>
        rows(statements.files, [last?.path ?? '', last?.locale ?? '', FILES_AT_ONCE])
      for await (const batch of inKeysetBatches(FILES_AT_ONCE, filesAfter)) {
        for (const file of batch)
          yield { record: exportedFile(file), bytes: file.bytes, parts: () => partsOf(file.blob_id) }
      }
    },
    omitted: () => omitted,
  }
}

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id)

/** Before every id. */
const NIL = '00000000-0000-0000-0000-000000000000'

const sizeCursor = (last?: SizeColumns) => [
  last?.n ?? 0,
  last?.created_at ?? '-infinity',
  last?.id ?? NIL,
  REVISIONS_AT_ONCE,
]

/** How `chunksOf` reads the revisions of its pages. */
interface RevisionReader {
  /** The next revisions without their texts, in the order of the pages. */
  sizes(last: SizeColumns | undefined): Promise<SizeColumns[]>
  revisions(ids: string[]): Promise<RevisionColumns[]>
  /** How many bytes of revisions to read at a time. */
  bytes: number
  omit(what: OmittedContent['what'], id: string, page: PageColumns): void
}

async function* chunksOf(
  pages: PageColumns[],
  { sizes, revisions, bytes, omit }: RevisionReader,
): AsyncGenerator<ExportedPageChunk> {
  let pageIndex = 0
  let revisionsOfPage: CompleteRevision[] = []
  const nextChunk = (isLast: boolean): ExportedPageChunk => {
    const chunk = { page: exportedPage(pages[pageIndex]!), revisions: revisionsOfPage, isLast }
    revisionsOfPage = []
    if (isLast) pageIndex += 1
    return chunk
  }
  for await (const part of inKeysetBatches(REVISIONS_AT_ONCE, sizes)) {
    for (const { n, id, size } of part) if (size > TEXT_BYTES_MAX) omit('text', id, pages[n - 1]!)
    const fitting = part.filter(({ size }) => size <= TEXT_BYTES_MAX)
    for (const batch of inBatches(fitting, { pages: TRANSFER_BATCH.revisions, bytes })) {
      const byId = new Map((await revisions(idsOf(batch))).map((revision) => [revision.id, revision]))
      for (const { n, id } of batch) {
        while (pageIndex < n - 1) yield nextChunk(true)
        const page = pages[pageIndex]!
        const categories = exportedCategories(page, byId.get(id)!)
        if (categories.length > CATEGORIES_MAX) omit('categories', id, page)
        revisionsOfPage.push(exportedRevision(page, byId.get(id)!, categories.slice(0, CATEGORIES_MAX)))
      }
      if (revisionsOfPage.length > 0) yield nextChunk(false)
    }
  }
  while (pageIndex < pages.length) yield nextChunk(true)
}

/** Rows in batches of a size. The last row of each batch is the cursor of the next. */
async function* inKeysetBatches<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  for (;;) {
    const batch = await read(last)
    if (batch.length > 0) yield batch
    if (batch.length < size) return
    last = batch.at(-1)
  }
}

const exportedFile = ({ locale, path, sha256, modified_at, author }: FileColumns): FileRecord => ({
  type: 'file',
  ...(locale === '' ? {} : { locale }),
  path,
  sha256,
  ...(modified_at === null ? {} : { modified_at }),
  ...(author === null ? {} : { author }),
})

const exportedPage = ({
  locale,
  path,
  state,
  translation_group,
  source_path,
}: PageColumns): ExportedPage => ({
  type: 'page',
  locale,
  path,
  state,
  ...(translation_group === null ? {} : { translation_group }),
  ...(source_path === null ? {} : { source_path }),
})

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

const exportedCategories = (page: PageColumns, revision: RevisionColumns): CompleteRevision['categories'] =>
  revision.categories ?? (revision.id === page.revision_id ? page.categories! : [])
