import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'
import { makeSearchLoader } from '../search/query/search.ts'
import type { Namespace } from '../wiki/namespaces.ts'
import { makeBatchLoader } from './batch-loader.ts'
import {
  type CategoryMemberCells,
  categoryMemberFromCells,
  cellsFromRow,
  type ListRow,
  type PageCells,
  pageFromCells,
  type RecentRevisionCells,
  type RevisionItemCells,
  type RevisionListCells,
  recentRevisionFromCells,
  revisionFromCells,
  revisionsFromRow,
} from './lists.ts'
import type { CategoryRow, PageRow, RevisionRow, TranslationRow } from './rows.ts'

export type Loaders = ReturnType<typeof makeLoaders>

/** Rows that a list may have. */
const rowsOfList = ({ first }: { first: number }): number => first
/** The same of edits, with the one that tells whether there are more. */
const rowsOfEdits = ({ first }: { first: number }): number => first + 1
/** Greater than every path, so that nothing of the sort key itself comes after (sort key, LAST_PATH). */
const LAST_PATH = '\u{10ffff}'.repeat(128)

/** Which edits: those before a moment, or those after the one whose position the cursor is. */
interface RevisionListArguments {
  before?: string | null
  cursor?: string | null
  first: number
}

const placeOfEdits = ({ before, cursor, first }: RevisionListArguments) => [
  cursor ?? before ?? 'infinity',
  cursor ?? null,
  first,
]

interface CategoryKey {
  locale: string
  key: string
}

/** Which members of a category. */
export interface CategoryMembersArguments {
  after?: string | null
  afterPath?: string | null
  first: number
}

const placeOfMembers = ({ after, afterPath, first }: CategoryMembersArguments) => [
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
  page: makeBatchLoader(
    database,
    statement('page_by_path'),
    (key: { locale: string; path: string }) => [key.locale, key.path],
    (rows: PageRow[]) => rows[0] ?? null,
  ),
  pageById: makeBatchLoader(
    database,
    statement('page_by_id'),
    (id: string) => [id],
    (rows: PageRow[]) => rows[0] ?? null,
  ),
  categoriesOfPage: makeBatchLoader(
    database,
    statement('categories_of_page'),
    (pageId: string) => [pageId],
    (rows: CategoryRow[]) => rows,
  ),
  translationsOfPage: makeBatchLoader(
    database,
    statement('translations_of_page'),
    (pageId: string) => [pageId],
    (rows: TranslationRow[]) => rows,
  ),
  pages: makeBatchLoader(
    database,
    statement('pages_after'),
    (key: { locale: string; ns: Namespace; after?: string | null; first: number }) => [
      key.locale,
      key.ns,
      key.after ?? '',
      key.first,
    ],
    ([found]: ListRow<PageCells>[], key) => cellsFromRow(found, pageFromCells(key)),
    rowsOfList,
  ),
  revision: makeBatchLoader(
    database,
    statement('revision_by_id'),
    (id: string) => [id],
    (rows: WithPage<RevisionRow>[]) => (rows[0] ? revisionWithPage(rows[0]) : null),
  ),
  /** null: no such page */
  history: makeBatchLoader(
    database,
    statement('history'),
    (key: { locale: string; path: string } & RevisionListArguments) => [
      key.locale,
      key.path,
      ...placeOfEdits(key),
    ],
    ([page]: (RevisionListCells<RevisionItemCells> & { pageId: string })[], { first }) =>
      page ? revisionsFromRow(page, first, revisionFromCells(page.pageId)) : null,
    rowsOfEdits,
  ),
  recent: makeBatchLoader(
    database,
    statement('recent'),
    (key: RevisionListArguments) => placeOfEdits(key),
    ([found]: RevisionListCells<RecentRevisionCells>[], { first }) =>
      revisionsFromRow(found, first, recentRevisionFromCells),
    rowsOfEdits,
  ),
  recentOfLocale: makeBatchLoader(
    database,
    statement('recent_of_locale'),
    (key: { locale: string } & RevisionListArguments) => [key.locale, ...placeOfEdits(key)],
    ([found]: RevisionListCells<RecentRevisionCells>[], { first }) =>
      revisionsFromRow(found, first, recentRevisionFromCells),
    rowsOfEdits,
  ),
  /** null: no such category; its members too, where they are asked for */
  category: makeBatchLoader(
    database,
    statement('category_by_key'),
    ({ locale, key, members }: CategoryKey & { members?: CategoryMembersArguments }) => [
      locale,
      key,
      ...placeOfMembers(members ?? { first: -1 }),
    ],
    (
      [found]: (ListRow<CategoryMemberCells> & { name: string })[],
      { locale, key, members },
    ): CategoryRow | null =>
      found
        ? {
            locale,
            key,
            name: found.name,
            ...(members ? { members: cellsFromRow(found, categoryMemberFromCells({ locale })) } : {}),
          }
        : null,
    ({ members }) => members?.first ?? 1,
  ),
  categoryMembers: makeBatchLoader(
    database,
    statement('category_members'),
    ({ locale, key, ...members }: CategoryKey & CategoryMembersArguments) => [
      locale,
      key,
      ...placeOfMembers(members),
    ],
    ([found]: ListRow<CategoryMemberCells>[], key) => cellsFromRow(found, categoryMemberFromCells(key)),
    rowsOfList,
  ),
  search: makeSearchLoader<PageRow>(database),
})
