import type { Namespace } from '../wiki/namespaces.ts'
import { type Moment, momentOfPostgres } from '../wiki/time.ts'
import type { CategoryMemberRow, PageRow, RevisionListRow, RevisionRow } from './rows.ts'

/** Items of lists as statements answer them, and the rows that they are. (D50) */

/** What a statement answers for a key whose answer is a list: its rows as arrays; null for none. */
export interface ListRow<Cells> {
  list: Cells[] | null
}

export const rowsOf = <Cells, Row>(found: ListRow<Cells> | undefined, row: (cells: Cells) => Row): Row[] =>
  found?.list?.map(row) ?? []

/** What a statement answers for a part of a list of edits: one more than was asked for where the list goes on. */
export interface EditListRow<Cells> extends ListRow<Cells> {
  /** Of the last that was asked for; null where it has none. */
  position: Moment | null
}

/** @throws Error where the list goes on at no date: to go on elsewhere would lose edits */
export const editsOf = <Cells>(
  found: EditListRow<Cells> | undefined,
  first: number,
  row: (cells: Cells) => RevisionRow,
): RevisionListRow => {
  const items = rowsOf(found, row)
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
export type EditCells = [id: string, createdAt: string, author: string, comment: string, size: number]
export type RecentCells = [
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
export type MemberCells = [
  sortKey: string,
  id: string,
  ns: Namespace,
  path: string,
  title: string,
  ...RevisionCells,
]

export const pageOfCells =
  ({ locale, ns }: { locale: string; ns: Namespace }) =>
  ([id, path, title, revisionId, createdAt, revisionAuthor]: PageCells): PageRow => ({
    id,
    locale,
    ns,
    path,
    title,
    revisionId,
    revisionCreatedAt: momentOfPostgres(createdAt),
    revisionAuthor,
  })

export const editOfCells =
  (pageId: string) =>
  ([id, createdAt, author, comment, size]: EditCells): RevisionRow => ({
    id,
    pageId,
    createdAt: momentOfPostgres(createdAt),
    author,
    comment,
    size,
  })

export const recentOfCells = ([
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
]: RecentCells): RevisionRow => ({
  id,
  pageId,
  createdAt: momentOfPostgres(createdAt),
  author,
  comment,
  size,
  page: { id: pageId, locale, ns, path, title },
})

export const memberOfCells =
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
  ]: MemberCells): CategoryMemberRow => ({
    sortKey,
    page: pageOfCells({ locale, ns })([id, path, title, revisionId, createdAt, revisionAuthor]),
  })
