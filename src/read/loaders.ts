import type { Database } from '../db/database.ts'
import { statement } from '../db/statements.ts'
import { makeSearchLoader } from '../search/query/search.ts'
import { makeSuggestLoader } from '../search/query/suggest.ts'
import type { Namespace } from '../wiki/namespaces.ts'
import { makeBatchLoader } from './batch-loader.ts'
import { makeChangeCursorLoader, makeChangesLoader } from './changes.ts'
import { makeEditedMembersLoader } from './edited-members.ts'
import { linkLoaders } from './link-loaders.ts'
import { makeListLoader } from './list-loader.ts'
import { makeListedLoaders } from './listed-loaders.ts'
import {
  type CategoryCells,
  categoryFromCells,
  categoryMemberItems,
  cellsFromRow,
  itemsFromRow,
  type ListRow,
  pageItems,
  type RevisionListText,
  recentRevisionItems,
  revisionItems,
  revisionsFromRow,
  type TextListRow,
} from './lists.ts'
import { makeRevisionPairLoader } from './revision-pairs.ts'
import type { CategoryRow, PageRow, RevisionRow, TranslationRow, WithPage } from './rows.ts'
import { revisionWithPage } from './rows.ts'

export type Loaders = ReturnType<typeof makeLoaders>

/** The maximum of rows in a list. */
const rowsOfList = ({ first }: { first: number }): number => first
/** The same for revisions: one more row shows whether the list continues. */
const rowsOfRevisions = ({ first }: { first: number }): number => first + 1
/** Greater than every path, so that no member with the same sort key comes after it. */
const LAST_PATH = '\u{10ffff}'.repeat(128)

/** Either the revisions before a timestamp, or the revisions that follow the revision whose position is the cursor. */
interface RevisionListArguments {
  before?: string | null
  cursor?: string | null
  first: number
  /** The revisions from this time on, and before that time. */
  since?: string | null
  until?: string | null
}

/** Timestamps have one format, so that their texts are in the order of time. */
const revisionListValues = ({ before, cursor, first, since, until }: RevisionListArguments) => {
  const start = cursor ?? before ?? 'infinity' // greater than all digits
  const isAfterEnd = until != null && until < start
  return [isAfterEnd ? until : start, isAfterEnd ? null : (cursor ?? null), first, since ?? '-infinity']
}

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

const memberListValues = ({ after, afterPath, first }: CategoryMembersArguments) => [
  after ?? '',
  after == null ? '' : (afterPath ?? LAST_PATH),
  first,
]

/** One loader for each relation, over the statements of `schema/sql`. All requests share them. */
export const makeLoaders = (database: Database) => ({
  ...pageLoaders(database),
  ...revisionLoaders(database),
  ...categoryLoaders(database),
  ...makeListedLoaders(database),
  ...linkLoaders(database),
  changes: makeChangesLoader(database),
  changeCursor: makeChangeCursorLoader(database),
  search: makeSearchLoader(database),
  suggest: makeSuggestLoader(database),
})

const pageLoaders = (database: Database) => ({
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
  /** The page that was at an address before it moved. */
  pageByFormerPath: makeBatchLoader(
    database,
    statement('page_by_former_path'),
    (key: { locale: string; path: string }) => [key.locale, key.path],
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
  /** Of a locale. */
  pageCount: makeBatchLoader(
    database,
    statement('page_counts'),
    (locale: string) => [locale],
    ([row]: { pages: number }[]) => row!.pages,
  ),
  pages: makeListLoader(
    database,
    statement('pages_after'),
    (key: { locale: string; ns: Namespace; after?: string | null; first: number }) => [
      key.locale,
      key.ns,
      key.after ?? '',
      key.first,
    ],
    ([row]: TextListRow[], key) => itemsFromRow(row, pageItems(key)),
    rowsOfList,
  ),
})

const revisionLoaders = (database: Database) => ({
  revision: makeBatchLoader(
    database,
    statement('revision_by_id'),
    (id: string) => [id],
    (rows: WithPage<RevisionRow>[]) => (rows[0] ? revisionWithPage(rows[0]) : null),
  ),
  revisionPair: makeRevisionPairLoader(database),
  /** Null when the page does not exist. */
  history: makeListLoader(
    database,
    statement('history'),
    (key: { locale: string; path: string } & RevisionListArguments) => [
      key.locale,
      key.path,
      ...revisionListValues(key),
    ],
    ([page]: (RevisionListText & { pageId: string })[], { first }) =>
      page ? revisionsFromRow(page, first, revisionItems(page.pageId)) : null,
    rowsOfRevisions,
  ),
  recent: makeListLoader(
    database,
    statement('recent'),
    (key: RevisionListArguments) => revisionListValues(key),
    ([row]: RevisionListText[], { first }) => revisionsFromRow(row, first, recentRevisionItems),
    rowsOfRevisions,
  ),
  recentOfLocale: makeListLoader(
    database,
    statement('recent_of_locale'),
    (key: { locale: string } & RevisionListArguments) => [key.locale, ...revisionListValues(key)],
    ([row]: RevisionListText[], { first }) => revisionsFromRow(row, first, recentRevisionItems),
    rowsOfRevisions,
  ),
})

const categoryLoaders = (database: Database) => ({
  /** Null when the category does not exist. Reads its members too, when the query selects them. */
  category: makeListLoader(
    database,
    statement('category_by_key'),
    ({ locale, key, members }: CategoryKey & { members?: CategoryMembersArguments }) => [
      locale,
      key,
      ...memberListValues(members ?? { first: -1 }),
    ],
    ([row]: (TextListRow & { name: string })[], { locale, key, members }): CategoryRow | null =>
      row
        ? {
            locale,
            key,
            name: row.name,
            ...(members ? { members: itemsFromRow(row, categoryMemberItems({ locale })) } : {}),
          }
        : null,
    ({ members }) => members?.first ?? 1,
  ),
  categories: makeBatchLoader(
    database,
    statement('categories_after'),
    ({ locale, after, first }: { locale: string; after?: string | null; first: number }) => [
      locale,
      after ?? '',
      first,
    ],
    ([row]: ListRow<CategoryCells>[], key) => cellsFromRow(row, categoryFromCells(key)),
    rowsOfList,
  ),
  categorySize: makeBatchLoader(
    database,
    statement('category_sizes'),
    ({ locale, key }: CategoryKey) => [locale, key],
    ([row]: { pages: number }[]) => row!.pages,
  ),
  editedMembers: makeEditedMembersLoader(database),
  categoryMembers: makeListLoader(
    database,
    statement('category_members'),
    ({ locale, key, ...members }: CategoryKey & CategoryMembersArguments) => [
      locale,
      key,
      ...memberListValues(members),
    ],
    ([row]: TextListRow[], key) => itemsFromRow(row, categoryMemberItems(key)),
    rowsOfList,
  ),
})
