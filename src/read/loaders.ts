import { LIST_LIMIT } from '@lectern/wiki/limits'
import type { Namespace } from '@lectern/wiki/locales'
import type { PageKey } from '@lectern/wiki/records'
import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'
import type { StatementRows } from '../generated/statement-rows.ts'
import { CONTRIBUTORS_MAX } from '../limits/responses.ts'
import { SITEMAP_PAGES_MAX } from '../limits/service.ts'
import { makeSearchLoader } from '../search/query/search.ts'
import { makeSuggestLoader } from '../search/query/suggest.ts'
import { type BatchLoaders, batchLoaders, firstRow, rowsAndNext, rowsOfList } from './batch-loader.ts'
import { categoryLoaders } from './category-loaders.ts'
import { changeLoaders } from './changes.ts'
import { fileLoaders, linkLoaders } from './link-and-file-loaders.ts'
import {
  type ContributorsRow,
  pagesOf,
  type RevisionPairRow,
  type RevisionRow,
  type Row,
  revisionList,
  revisionsOf,
  revisionWithPage,
} from './rows.ts'

export type Loaders = ReturnType<typeof makeLoaders>

/** Null: all. */
interface RevisionFilter {
  locale?: string | null
  author?: string | null
  ns?: Namespace | null
}

/** Either the revisions before a timestamp, or the revisions that follow the revision whose position is the cursor. */
interface RevisionListArguments {
  before?: string | null
  cursor?: string | null
  first: number
  /** The revisions from this time on, and before that time. */
  since?: string | null
  until?: string | null
  /** Only oldest first: the revisions after that with this time and id. */
  after?: string | null
  afterId?: string | null
}

/** Timestamps have one format, so that their texts are in the order of time. */
const revisionListValues = ({ before, cursor, first, since, until }: RevisionListArguments) => {
  const start = cursor ?? before ?? 'infinity' // greater than all digits
  const isAfterEnd = until != null && until < start
  return [isAfterEnd ? until : start, isAfterEnd ? null : (cursor ?? null), first, since ?? '-infinity']
}

const historyList = (rows: Row<'history'>[], { first }: { first: number }) =>
  rows[0] ? revisionList(rows[0].id === null ? [] : rows, first) : null

const recentList = ([columns]: Row<'recent'>[], { first }: RevisionListArguments) =>
  revisionList(revisionsOf(columns!), first)

/** One loader for each relation, over the statements of `schema/sql`. All requests share them. */
export const makeLoaders = (database: Database) => {
  const load = batchLoaders(database)
  return {
    /** Runs a statement at each call: for a field without arguments, or if equal calls may differ. */
    rows: <Name extends keyof StatementRows>(name: Name, values: readonly unknown[]) =>
      database.query(statement(name), values),
    ...pageLoaders(load),
    ...revisionLoaders(load),
    ...categoryLoaders(load),
    ...listedLoaders(load),
    ...linkLoaders(load),
    ...fileLoaders(load),
    ...changeLoaders(load),
    search: makeSearchLoader(database),
    suggest: makeSuggestLoader(database),
  }
}

const addressValues = ({ locale, path }: PageKey) => [locale, path]
/** Of a key that is one text: an id, or a language. */
const keyValues = (key: string) => [key]

export interface PageListKey {
  locale: string
  ns: Namespace
  after?: string | null
  first: number
}

const pageListValues = ({ locale, ns, after, first }: PageListKey) => [locale, ns, after ?? '', first]

const pageLoaders = (load: BatchLoaders) => ({
  page: load('page_by_path', addressValues, firstRow),
  /** The same without its text. */
  listedPage: load('listed_page', addressValues, firstRow),
  pageById: load('page_by_id', keyValues, firstRow),
  /** Stored HTML; null if there is none. */
  htmlOfPage: load('html_of_page', keyValues, firstRow),
  dialectOfPage: load('dialect_of_page', keyValues, ([row]): string | null => row?.dialect ?? null),
  positionOfPage: load('position_of_page', keyValues, firstRow),
  /** A page can have thousands of links: in one statement, they do not fill the queue for connections. */
  sitePath: load(
    'site_path',
    addressValues,
    ([row]): string | null => row?.sitePath ?? null,
    () => 0,
    10_000,
  ),
  /** The page that was at an address before it moved. */
  pageByFormerPath: load('page_by_former_path', addressValues, firstRow),
  categoriesOfPage: load('categories_of_page', keyValues, (rows) => rows),
  translationsOfPage: load('translations_of_page', keyValues, (rows) => rows),
  pageCount: load('page_counts', keyValues, ([row]) => row!.pages),
  listedNotes: load(
    'listed_notes',
    ({ locale, pages, characters }: { locale: string; pages: number; characters: number }) => [
      ...[locale, pages, characters],
    ],
    (rows) => rows,
    ({ pages }) => pages,
  ),
  pageStarts: load(
    'page_starts',
    (locale: string) => [locale, SITEMAP_PAGES_MAX],
    (rows) => rows.map(({ path }) => path),
  ),
  pages: load('pages_after', pageListValues, ([columns], key) => pagesOf(columns!, key), rowsOfList),
  pagesWithPrefix: load(
    'pages_with_prefix',
    (key: PageListKey & { prefix: string }) => [...pageListValues(key), key.prefix],
    ([columns], key) => pagesOf(columns!, key),
    rowsOfList,
  ),
})

const revisionLoaders = (load: BatchLoaders) => ({
  revision: load('revision_by_id', keyValues, ([row]) => (row ? revisionWithPage(row) : null)),
  /** Null when the revision `to` does not exist. A `from` of null means the revision before it. */
  revisionPair: load(
    'revision_pairs',
    ({ to, from }: { to: string; from: string | null }) => [to, from],
    ([row]): RevisionPairRow | null => (row ? revisionPair(row) : null),
    () => ROWS_OF_PAIR,
  ),
  /** Null when the page does not exist. */
  history: load(
    'history',
    (key: PageKey & RevisionListArguments) => [...addressValues(key), ...revisionListValues(key)],
    historyList,
    rowsAndNext,
  ),
  /** The same, oldest first. */
  oldest: load(
    'history_from_oldest',
    ({ locale, path, first, after, afterId, since, until, ...end }: PageKey & RevisionListArguments) =>
      [locale, path, first, after, afterId, since, until, end.cursor ?? end.before].map((one) => one ?? null),
    historyList,
    rowsAndNext,
  ),
  recent: load('recent', revisionListValues, recentList, rowsAndNext),
  recentOfLocale: load(
    'recent_of_locale',
    (key: { locale: string } & RevisionListArguments) => [key.locale, ...revisionListValues(key)],
    recentList,
    rowsAndNext,
  ),
  /** By an author, or of pages of a namespace. */
  recentWithin: load(
    'recent_within',
    (of: RevisionFilter & RevisionListArguments) => [of.locale, of.author, of.ns, ...revisionListValues(of)],
    recentList,
    rowsAndNext,
  ),
})

/** Two texts of up to 8 MiB each: only two such pairs are read with one statement. */
const ROWS_OF_PAIR = 320

const revisionPair = (row: Row<'revision_pairs'>): RevisionPairRow => ({
  to: revisionWithPage(row) as RevisionPairRow['to'],
  from:
    row.fromId === null
      ? null
      : { id: row.fromId, createdAt: row.fromCreatedAt!, markdown: row.fromMarkdown! },
})

/** Whether to read the text and the position, too. */
interface ListedRevisionKey {
  id: string
  markdown?: boolean
  position?: boolean
}

/** What was not read is absent. */
const listedRevision = (row: Row<'revisions_with_page'>, key: ListedRevisionKey): RevisionRow => {
  const read = { markdown: row.markdown ?? undefined, position: key.position ? row.position : undefined }
  return revisionWithPage(Object.assign(row, read))
}

/** What a list may contain of each of its pages. One statement reads it for the whole list. (D102) */
const listedLoaders = (load: BatchLoaders) => ({
  /** With the text only if it is wanted, because its size may decide whether it is read. */
  revisionOfList: load(
    'revisions_with_page',
    ({ id, markdown = false, position = false }: ListedRevisionKey) => [id, markdown, position],
    ([row], key) => (row ? listedRevision(row, key) : null),
    undefined,
    LIST_LIMIT.max,
  ),
  /** The revision before a revision; null for the first of a page. */
  parentOfRevision: load('parents_of_revisions', keyValues, firstRow, undefined, LIST_LIMIT.max),
  /** The text of a revision, or its beginning; null if the revision does not exist. */
  textOfRevision: load(
    'revision_texts',
    ({ id, characters }: { id: string; characters?: number }) => [id, characters ?? null],
    ([row]) => row?.markdown ?? null,
    undefined,
    LIST_LIMIT.max,
  ),
  /** The texts of the first revisions that have at most `bytes` together; null for a revision that does not exist. */
  textsOfList: load(
    'texts_of_list',
    ({ ids, bytes }: { ids: readonly string[]; bytes: number }) => [`{${ids.join()}}`, bytes],
    (rows): (RevisionRow | null)[] => {
      const texts: (RevisionRow | null)[] = []
      for (const { place, id, size, markdown } of rows)
        texts[place - 1] = id === null ? null : { id, size, markdown }
      return texts
    },
    ({ ids }) => ids.length,
  ),
  contributorsOfPage: load(
    'contributors_of_page',
    (pageId: string) => [pageId, CONTRIBUTORS_MAX],
    (rows): ContributorsRow => ({ total: rows[0]?.total ?? 0, items: rows }),
  ),
})
