import type pg from 'pg'
import { inBatches } from '../db/batches.ts'
import type { Database } from '../db/database.ts'
import { type Statement, statement } from '../db/statements.ts'
import { CATEGORIES_MAX, TEXT_BYTES_MAX, TRANSFER_BATCH } from '../limits.ts'
import type { CategoryRecord, CompletePage, CompleteRevision, WikiRecord } from '../write/records.ts'

/** Rows read at once: pages, categories, and edits without their texts. */
const PAGES_AT_ONCE = 50
const CATEGORIES_AT_ONCE = 1_000
const REVISIONS_AT_ONCE = 10_000

/**
 * What an export shows: everything that is stored, or what a guest may see. The latter is read through the
 * guest's views, so that a reader's connection is enough, and sees nothing else by any mistake here. (D61)
 */
export type ExportView = 'everything' | 'guest'

/** Keys in the order in which an export writes them; absent ones are not written. */
type HeadRecord = WikiRecord | CategoryRecord
export type ExportedPage = Omit<CompletePage, 'translation_group' | 'revisions'> & {
  translation_group?: string
}

/** Some of a page's edits, by time, then id; `isLast`: the page has no more. */
export interface ExportedPageChunk {
  page: ExportedPage
  revisions: CompleteRevision[]
  isLast: boolean
}

/** What no import would take, and so is not written: of databases filled by an older Lectern or by others. */
export interface OmittedContent {
  what: 'text' | 'categories'
  locale: string
  path: string
  id: string
}

/** Where a page stands in the order of an export, which is by the bytes of both. */
export type PageAddress = readonly [locale: string, path: string]

/** Before all pages. */
export const BEFORE_ALL_PAGES: PageAddress = ['', '']
/** Behind all pages: no locale has such a letter. */
const AFTER_ALL_PAGES: PageAddress = ['\u{10ffff}', '']

/** The wiki as it was when the export began to read. */
export interface Snapshot {
  countPages(): Promise<number>
  /** The wiki, then its categories. */
  head(): AsyncGenerator<HeadRecord>
  /**
   * Pages in order, each in one portion or, where it has more than fits into memory, in several.
   * @param texts `digests`: MD5 in hexadecimal in place of each text, made by the database
   */
  pages(range: PageRange, texts: 'whole' | 'digests'): AsyncGenerator<ExportedPageChunk>
  /** What `pages` has passed over so far, each once. */
  omitted(): OmittedContent[]
}

/** Pages behind one address, up to the other, which is one of them. */
export interface PageRange {
  after: PageAddress
  /** Absent: to the end. */
  to?: PageAddress
}

interface Statements {
  wiki: Statement
  count: Statement
  categories: Statement
  pages: Statement
  sizes: Statement
  revisions: Statement
}

const STATEMENTS: Record<ExportView, Statements> = {
  everything: {
    wiki: statement('export_wiki'),
    count: statement('export_count'),
    categories: statement('export_categories'),
    pages: statement('export_pages'),
    sizes: statement('export_sizes'),
    revisions: statement('export_revisions'),
  },
  guest: {
    wiki: statement('export_guest_wiki'),
    count: statement('export_guest_count'),
    categories: statement('export_guest_categories'),
    pages: statement('export_guest_pages'),
    sizes: statement('export_guest_sizes'),
    revisions: statement('export_guest_revisions'),
  },
}

/**
 * Lets `work` read the wiki as of one moment, whatever is imported meanwhile.
 * @param bytes of edits that are read at a time
 */
export const inSnapshot = async <Result>(
  database: Database,
  view: ExportView,
  work: (snapshot: Snapshot) => Promise<Result>,
  bytes: number = TRANSFER_BATCH.bytes,
): Promise<Result> => {
  const client = await database.connect()
  let isWhole = false
  try {
    // What a guest's request may take is too little for a large wiki.
    if (view === 'guest') await client.query('set statement_timeout = 0')
    await client.query('begin transaction isolation level repeatable read, read only')
    const result = await work(makeSnapshot(client, view, bytes))
    await client.query('commit')
    isWhole = true
    return result
  } finally {
    client.release(!isWhole || view === 'guest')
  }
}

const makeSnapshot = (client: pg.PoolClient, view: ExportView, bytes: number): Snapshot => {
  const { wiki, count, categories, pages, sizes, revisions } = STATEMENTS[view]
  const omitted = new Map<string, OmittedContent>()
  const rows = async <Row extends pg.QueryResultRow>(asked: Statement, values: unknown[]) =>
    (await client.query<Row>({ ...asked, values })).rows

  const omit = (what: OmittedContent['what'], id: string, { locale, path }: PageColumns) => {
    omitted.set(`${what} ${id}`, { what, locale, path, id })
  }

  /** The edits of some pages without their texts, in the order of the pages. */
  const sizesOf = (some: PageColumns[]): AsyncGenerator<SizeColumns[]> => {
    const ids = some.map(({ id }) => id)
    return inKeysetBatches(REVISIONS_AT_ONCE, (last?: SizeColumns) =>
      rows<SizeColumns>(sizes, [
        ids,
        last?.n ?? 0,
        last?.created_at ?? '-infinity',
        last?.id ?? NIL,
        REVISIONS_AT_ONCE,
      ]),
    )
  }

  const withRevisions = async function* (
    some: PageColumns[],
    texts: 'whole' | 'digests',
  ): AsyncGenerator<ExportedPageChunk> {
    let at = 0
    let revisionsOfPage: CompleteRevision[] = []
    const portion = (isLast: boolean): ExportedPageChunk => {
      const page = some[at]!
      const found = { page: exportedPage(page), revisions: revisionsOfPage, isLast }
      revisionsOfPage = []
      if (isLast) at += 1
      return found
    }
    for await (const part of sizesOf(some)) {
      for (const { n, id, size } of part) if (size > TEXT_BYTES_MAX) omit('text', id, some[n - 1]!)
      const fit = part.filter(({ size }) => size <= TEXT_BYTES_MAX)
      for (const wanted of inBatches(fit, { pages: TRANSFER_BATCH.revisions, bytes })) {
        const ids = wanted.map(({ id }) => id)
        const read = await rows<RevisionColumns>(revisions, [ids, texts === 'digests'])
        const found = new Map(read.map((revision) => [revision.id, revision]))
        for (const { n, id } of wanted) {
          while (at < n - 1) yield portion(true)
          const page = some[at]!
          const all = categoriesOf(page, found.get(id)!)
          if (all.length > CATEGORIES_MAX) omit('categories', id, page)
          revisionsOfPage.push(exportedRevision(page, found.get(id)!, all.slice(0, CATEGORIES_MAX)))
        }
        if (revisionsOfPage.length > 0) yield portion(false)
      }
    }
    while (at < some.length) yield portion(true)
  }

  return {
    countPages: async () => (await rows<{ pages: number }>(count, []))[0]!.pages,
    async *head() {
      for (const { name, default_locale, license, locales } of await rows<WikiRecord>(wiki, [])) {
        yield { type: 'wiki', name, default_locale, ...(license ? { license } : {}), locales }
      }
      const categoriesAfter = (last?: Omit<CategoryRecord, 'type'>) =>
        rows<Omit<CategoryRecord, 'type'>>(categories, [
          last?.locale ?? '',
          last?.key ?? '',
          CATEGORIES_AT_ONCE,
        ])
      for await (const some of inKeysetBatches(CATEGORIES_AT_ONCE, categoriesAfter)) {
        for (const category of some) yield { type: 'category', ...category }
      }
    },
    async *pages({ after, to = AFTER_ALL_PAGES }, texts) {
      const pagesAfter = (last?: PageColumns) =>
        rows<PageColumns>(pages, [...(last ? [last.locale, last.path] : after), ...to, PAGES_AT_ONCE])
      for await (const some of inKeysetBatches(PAGES_AT_ONCE, pagesAfter)) yield* withRevisions(some, texts)
    },
    omitted: () => [...omitted.values()],
  }
}

interface PageColumns {
  id: string
  locale: string
  path: string
  state: CompletePage['state']
  translation_group: string | null
  /** For a guest: of the last accepted edit. */
  title?: string
  revision_id?: string
  categories?: CompleteRevision['categories']
}

/** An edit without its text, and which of the pages that were asked for it is of, from 1. */
interface SizeColumns {
  n: number
  id: string
  created_at: string
  /** Of the text, and of all that is read of the edit. */
  size: number
  bytes: number
}

/** Before every id. */
const NIL = '00000000-0000-0000-0000-000000000000'

/** A guest is shown neither status nor what an earlier edit called its page and put it into. */
type RevisionColumns = Omit<CompleteRevision, 'status' | 'title' | 'categories'> & Partial<CompleteRevision>

/** Rows in parts of a size, each asked for by the last row of the part before. */
async function* inKeysetBatches<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  for (;;) {
    const part = await read(last)
    if (part.length > 0) yield part
    if (part.length < size) return
    last = part.at(-1)
  }
}

const exportedPage = ({ locale, path, state, translation_group }: PageColumns): ExportedPage => ({
  type: 'page',
  locale,
  path,
  state,
  ...(translation_group === null ? {} : { translation_group }),
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

const categoriesOf = (page: PageColumns, revision: RevisionColumns): CompleteRevision['categories'] =>
  revision.categories ?? (revision.id === page.revision_id ? page.categories! : [])
