import type { Namespace } from '../wiki/namespaces.ts'
import { type Timestamp, timestampFromPostgres } from '../wiki/time.ts'
import type {
  CategoryMemberRow,
  CategoryRow,
  LinkRow,
  PageRow,
  RevisionListRow,
  RevisionRow,
} from './rows.ts'

/** The items of lists as statements return them, and the rows that they become. (D50) */

/** What a statement returns for a key with a list: the items as arrays of cells; null for an empty list. */
export interface ListRow<Cells> {
  list: Cells[] | null
}

export const cellsFromRow = <Cells, Row>(
  row: ListRow<Cells> | undefined,
  fromCells: (cells: Cells) => Row,
): Row[] => row?.list?.map(fromCells) ?? []

/** What a statement returns for a part of a list of revisions: one item more than requested if the list continues. */
export interface RevisionListCells<Cells> extends ListRow<Cells> {
  /** Position of the last requested item; null when it has none. */
  position: Timestamp | null
}

/** @throws Error when the list continues but has no cursor: any other cursor would skip revisions */
export const revisionsFromRow = <Cells>(
  row: RevisionListCells<Cells> | undefined,
  first: number,
  fromCells: (cells: Cells) => RevisionRow,
): RevisionListRow => {
  const items = cellsFromRow(row, fromCells)
  const following = items[first]
  if (!following) return { items, next: null }
  const { id, createdAt } = items[first - 1]!
  const next = createdAt === following.createdAt ? row!.position : createdAt!
  if (next === null) throw new Error(`Revision ${id} shares its created_at with others and has no position`)
  return { items: items.slice(0, first), next }
}

/** The last accepted revision of a page: its id, date (as PostgreSQL prints it in JSON) and author. */
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

export type CategoryCells = [key: string, name: string, pages: number]
/** The id and the title are null if the page does not exist. */
export type LinkCells = [
  locale: string,
  ns: Namespace,
  path: string,
  id: string | null,
  title: string | null,
  isRedirect: boolean,
]

export const categoryFromCells =
  ({ locale }: { locale: string }) =>
  ([key, name, pages]: CategoryCells): CategoryRow => ({ locale, key, name, pages })

export const linkFromCells = ([locale, ns, path, id, title, isRedirect]: LinkCells): LinkRow => ({
  locale,
  ns,
  path,
  page: id === null || title === null ? null : { id, locale, ns, path, title },
  isRedirect,
})

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
