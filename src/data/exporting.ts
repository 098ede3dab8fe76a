import type pg from 'pg'
import type { CategoryRecord, WikiRecord } from '../import/records.ts'
import type { Database } from './database.ts'
import { type Statement, statement } from './statements.ts'
import type { CompletePage, CompleteRevision } from './writer.ts'

/** Pages read at once: their whole histories are in memory together. */
const PAGES_AT_ONCE = 50
const CATEGORIES_AT_ONCE = 1_000

/**
 * What an export shows: everything that is stored, or what a guest may see. The latter is read through the
 * guest's views, so that a reader's connection is enough, and sees nothing else by any mistake here. (D61)
 */
export type ExportView = 'everything' | 'guest'

/** Keys in the order in which an export writes them; absent ones are not written. */
export type HeadRecord = WikiRecord | CategoryRecord
export type ExportedPage = Omit<CompletePage, 'translation_group' | 'revisions'> & {
  translation_group?: string
  revisions: CompleteRevision[]
}

/** Where a page stands in the order of an export, which is by the bytes of both. */
export type Address = readonly [locale: string, path: string]

/** Before all pages. */
export const START: Address = ['', '']
/** Behind all pages: no locale has such a letter. */
const END: Address = ['\u{10ffff}', '']

/** The wiki as it was when the export began to read. */
export interface WikiMoment {
  countPages(): Promise<number>
  /** The wiki, then its categories. */
  head(): AsyncGenerator<HeadRecord>
  /**
   * Pages in order, so many at a time as are read at once; edits by time, then id.
   * @param texts `digests`: MD5 in hexadecimal in place of each text, made by the database
   */
  pages(range: PageRange, texts: 'whole' | 'digests'): AsyncGenerator<ExportedPage[]>
}

/** Pages behind one address, up to the other, which is one of them. */
export interface PageRange {
  after: Address
  /** Absent: to the end. */
  to?: Address
}

interface Statements {
  wiki: Statement
  count: Statement
  categories: Statement
  pages: Statement
  revisions: Statement
}

const STATEMENTS: Record<ExportView, Statements> = {
  everything: {
    wiki: statement('export_wiki'),
    count: statement('export_count'),
    categories: statement('export_categories'),
    pages: statement('export_pages'),
    revisions: statement('export_revisions'),
  },
  guest: {
    wiki: statement('export_guest_wiki'),
    count: statement('export_guest_count'),
    categories: statement('export_guest_categories'),
    pages: statement('export_guest_pages'),
    revisions: statement('export_guest_revisions'),
  },
}

/** Lets `work` read the wiki as of one moment, whatever is imported meanwhile. */
export const atOneMoment = async <Result>(
  database: Database,
  view: ExportView,
  work: (moment: WikiMoment) => Promise<Result>,
): Promise<Result> => {
  const client = await database.connect()
  let isWhole = false
  try {
    // What a guest's request may take is too little for fifty histories.
    if (view === 'guest') await client.query('set statement_timeout = 0')
    await client.query('begin transaction isolation level repeatable read, read only')
    const result = await work(momentOf(client, view))
    await client.query('commit')
    isWhole = true
    return result
  } finally {
    client.release(!isWhole || view === 'guest')
  }
}

const momentOf = (client: pg.PoolClient, view: ExportView): WikiMoment => {
  const { wiki, count, categories, pages, revisions } = STATEMENTS[view]
  const rows = async <Row extends pg.QueryResultRow>(asked: Statement, values: unknown[]) =>
    (await client.query<Row>({ ...asked, values })).rows

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
      for await (const some of inParts(CATEGORIES_AT_ONCE, categoriesAfter)) {
        for (const category of some) yield { type: 'category', ...category }
      }
    },
    async *pages({ after, to = END }, texts) {
      const pagesAfter = (last?: PageColumns) =>
        rows<PageColumns>(pages, [...(last ? [last.locale, last.path] : after), ...to, PAGES_AT_ONCE])
      for await (const some of inParts(PAGES_AT_ONCE, pagesAfter)) {
        const ids = some.map(({ id }) => id)
        yield withRevisions(some, await rows<RevisionColumns>(revisions, [ids, texts === 'digests']))
      }
    },
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

/** A guest is shown neither status nor what an earlier edit called its page and put it into. */
type RevisionColumns = Omit<CompleteRevision, 'status' | 'title' | 'categories'> &
  Partial<CompleteRevision> & { page_id: string }

/** Rows in parts of a size, each asked for by the last row of the part before. */
async function* inParts<Row>(
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

const withRevisions = (pages: PageColumns[], revisions: RevisionColumns[]): ExportedPage[] => {
  const ofPage = new Map<string, RevisionColumns[]>(pages.map(({ id }) => [id, []]))
  for (const revision of revisions) ofPage.get(revision.page_id)!.push(revision)
  return pages.map((page) => ({
    type: 'page',
    locale: page.locale,
    path: page.path,
    state: page.state,
    ...(page.translation_group === null ? {} : { translation_group: page.translation_group }),
    revisions: ofPage.get(page.id)!.map((revision) => ({
      id: revision.id,
      created_at: revision.created_at,
      author: revision.author,
      comment: revision.comment,
      status: revision.status ?? 'accepted',
      title: revision.title ?? page.title!,
      markdown: revision.markdown,
      categories: categoriesOf(page, revision).map(({ key, sort_key }) => ({ key, sort_key })),
    })),
  }))
}

const categoriesOf = (page: PageColumns, revision: RevisionColumns): CompleteRevision['categories'] =>
  revision.categories ?? (revision.id === page.revision_id ? page.categories! : [])
