import type { Namespace } from '../wiki/namespaces.ts'
import { type Timestamp, timestampFromPostgres } from '../wiki/time.ts'
import type { CategoryMemberRow, PageRow, RevisionListRow, RevisionRow } from './rows.ts'

/** Items of lists as statements answer them, and the rows that they are. (D50) */

/** What a statement answers for a key whose answer is a list: its rows as arrays; null for none. */
export interface ListRow<Cells> {
  list: Cells[] | null
}

export const cellsFromRow = <Cells, Row>(
  found: ListRow<Cells> | undefined,
  row: (cells: Cells) => Row,
): Row[] => found?.list?.map(row) ?? []

/** What a statement answers for a part of a list of edits: one more than was asked for where the list goes on. */
export interface RevisionListCells<Cells> extends ListRow<Cells> {
  /** Of the last that was asked for; null where it has none. */
  position: Timestamp | null
}

/** @throws Error where the list goes on at no date: to go on elsewhere would lose edits */
export const revisionsFromRow = <Cells>(
  found: RevisionListCells<Cells> | undefined,
  first: number,
  row: (cells: Cells) => RevisionRow,
): RevisionListRow => {
  const items = cellsFromRow(found, row)
  const following = items[first]
  if (!following) return { items, next: null }
  const { id, createdAt } = items[first - 1]!
  const next = createdAt === following.createdAt ? found!.position : createdAt!
  if (next === null) throw new Error(`Edit ${id} shares its created_at with others and has no position`)
  return { items: items.slice(0, first), next }
}

/** A page's last accepted edit: id, when (as PostgreSQL prints it in JSON) and by whom. */
type RevisionCells = [revisionId: string, createdAt: string, author: string]
export type PageCells = [id: string, path: string, title: string, ...RevisionCells]
export type RevisionItemCells = [id: string, createdAt: string, author: string, comment: string, size: number]
export type RecentRevisionCells = [
  id: string,
  pageId: string,
  createdAt: string,
  author: string,
  comment: string,
  size: number,
  locale: string,
  ns: Namespace,
  path: string,
  title: string,
]
export type CategoryMemberCells = [
  sortKey: string,
  id: string,
  ns: Namespace,
  path: string,
  title: string,
  ...RevisionCells,
]

export const pageFromCells =
  ({ locale, ns }: { locale: string; ns: Namespace }) =>
  ([id, path, title, revisionId, createdAt, revisionAuthor]: PageCells): PageRow => ({
    id,
    locale,
    ns,
    path,
    title,
    revisionId,
    revisionCreatedAt: timestampFromPostgres(createdAt),
    revisionAuthor,
  })

export const revisionFromCells =
  (pageId: string) =>
  ([id, createdAt, author, comment, size]: RevisionItemCells): RevisionRow => ({
    id,
    pageId,
    createdAt: timestampFromPostgres(createdAt),
    author,
    comment,
    size,
  })

export const recentRevisionFromCells = ([
  id,
  pageId,
  createdAt,
  author,
  comment,
  size,
  locale,
  ns,
  path,
  title,
]: RecentRevisionCells): RevisionRow => ({
  id,
  pageId,
  createdAt: timestampFromPostgres(createdAt),
  author,
  comment,
  size,
  page: { id: pageId, locale, ns, path, title },
})

export const categoryMemberFromCells =
  ({ locale }: { locale: string }) =>
  ([
    sortKey,
    id,
    ns,
    path,
    title,
    revisionId,
    createdAt,
    revisionAuthor,
  ]: CategoryMemberCells): CategoryMemberRow => ({
    sortKey,
    page: pageFromCells({ locale, ns })([id, path, title, revisionId, createdAt, revisionAuthor]),
  })
