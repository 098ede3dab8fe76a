import type { Namespace } from '../wiki/namespaces.ts'
import { batchLoader } from './batch.ts'
import type { Database } from './database.ts'
import {
  type EditCells,
  type EditListRow,
  editOfCells,
  editsOf,
  type ListRow,
  type MemberCells,
  memberOfCells,
  type PageCells,
  pageOfCells,
  type RecentCells,
  recentOfCells,
  rowsOf,
} from './lists.ts'
import type { CategoryRow, PageRow, RevisionRow, TranslationRow } from './rows.ts'
import { searchLoader } from './search.ts'
import { statement } from './statements.ts'

export type Loaders = ReturnType<typeof makeLoaders>

/** Rows that a list may have. */
const rowsOfList = ({ first }: { first: number }): number => first
/** The same of edits, with the one that tells whether there are more. */
const rowsOfEdits = ({ first }: { first: number }): number => first + 1
/** Greater than every path, so that nothing of the sort key itself comes after (sort key, LAST_PATH). */
const LAST_PATH = '\u{10ffff}'.repeat(128)

/** Which edits: those before a moment, or those after the one whose position the cursor is. */
interface Edits {
  before?: string | null
  cursor?: string | null
  first: number
}

const placeOfEdits = ({ before, cursor, first }: Edits) => [
  cursor ?? before ?? 'infinity',
  cursor ?? null,
  first,
]

interface CategoryKey {
  locale: string
  key: string
}

/** Which members of a category. */
export interface Members {
  after?: string | null
  afterPath?: string | null
  first: number
}

const placeOfMembers = ({ after, afterPath, first }: Members) => [
  after ?? '',
  after == null ? '' : (afterPath ?? LAST_PATH),
  first,
]

/** A row that holds a page's columns beside an edit's or a member's own. */
type WithPage<Row> = Omit<Row, 'page'> & Omit<PageRow, 'id'> & { pageId: string }

const pageOf = ({ pageId, locale, ns, path, title }: Omit<PageRow, 'id'> & { pageId: string }): PageRow => ({
  id: pageId,
  locale,
  ns,
  path,
  title,
})

const revisionWithPage = (row: WithPage<RevisionRow>): RevisionRow => ({
  id: row.id,
  pageId: row.pageId,
  createdAt: row.createdAt,
  author: row.author,
  comment: row.comment,
  size: row.size,
  markdown: row.markdown,
  parentId: row.parentId,
  page: pageOf(row),
})

/** One loader a relation, over the statements of `schema/sql`. Made once, shared by all requests. */
export const makeLoaders = (database: Database) => ({
  page: batchLoader(
    database,
    statement('page_by_path'),
    (key: { locale: string; path: string }) => [key.locale, key.path],
    (rows: PageRow[]) => rows[0] ?? null,
  ),
  pageById: batchLoader(
    database,
    statement('page_by_id'),
    (id: string) => [id],
    (rows: PageRow[]) => rows[0] ?? null,
  ),
  categoriesOfPage: batchLoader(
    database,
    statement('categories_of_page'),
    (pageId: string) => [pageId],
    (rows: CategoryRow[]) => rows,
  ),
  translationsOfPage: batchLoader(
    database,
    statement('translations_of_page'),
    (pageId: string) => [pageId],
    (rows: TranslationRow[]) => rows,
  ),
  pages: batchLoader(
    database,
    statement('pages_after'),
    (key: { locale: string; ns: Namespace; after?: string | null; first: number }) => [
      key.locale,
      key.ns,
      key.after ?? '',
      key.first,
    ],
    ([found]: ListRow<PageCells>[], key) => rowsOf(found, pageOfCells(key)),
    rowsOfList,
  ),
  revision: batchLoader(
    database,
    statement('revision_by_id'),
    (id: string) => [id],
    (rows: WithPage<RevisionRow>[]) => (rows[0] ? revisionWithPage(rows[0]) : null),
  ),
  /** null: no such page */
  history: batchLoader(
    database,
    statement('history'),
    (key: { locale: string; path: string } & Edits) => [key.locale, key.path, ...placeOfEdits(key)],
    ([page]: (EditListRow<EditCells> & { pageId: string })[], { first }) =>
      page ? editsOf(page, first, editOfCells(page.pageId)) : null,
    rowsOfEdits,
  ),
  recent: batchLoader(
    database,
    statement('recent'),
    (key: Edits) => placeOfEdits(key),
    ([found]: EditListRow<RecentCells>[], { first }) => editsOf(found, first, recentOfCells),
    rowsOfEdits,
  ),
  recentOfLocale: batchLoader(
    database,
    statement('recent_of_locale'),
    (key: { locale: string } & Edits) => [key.locale, ...placeOfEdits(key)],
    ([found]: EditListRow<RecentCells>[], { first }) => editsOf(found, first, recentOfCells),
    rowsOfEdits,
  ),
  /** null: no such category; its members too, where they are asked for */
  category: batchLoader(
    database,
    statement('category_by_key'),
    ({ locale, key, members }: CategoryKey & { members?: Members }) => [
      locale,
      key,
      ...placeOfMembers(members ?? { first: -1 }),
    ],
    ([found]: (ListRow<MemberCells> & { name: string })[], { locale, key, members }): CategoryRow | null =>
      found
        ? {
            locale,
            key,
            name: found.name,
            ...(members ? { members: rowsOf(found, memberOfCells({ locale })) } : {}),
          }
        : null,
    ({ members }) => members?.first ?? 1,
  ),
  categoryMembers: batchLoader(
    database,
    statement('category_members'),
    ({ locale, key, ...members }: CategoryKey & Members) => [locale, key, ...placeOfMembers(members)],
    ([found]: ListRow<MemberCells>[], key) => rowsOf(found, memberOfCells(key)),
    rowsOfList,
  ),
  search: searchLoader(database),
})
