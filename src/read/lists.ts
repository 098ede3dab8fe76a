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

/** The items of lists as statements return them, and the rows that they become. (D50, D118) */

/** What a statement returns for a key with a short list: the items as arrays of cells; null for an empty list. */
export interface ListRow<Cells> {
  list: Cells[] | null
}

export const cellsFromRow = <Cells, Row>(
  row: ListRow<Cells> | undefined,
  fromCells: (cells: Cells) => Row,
): Row[] => row?.list?.map(fromCells) ?? []

/** What a statement returns for a key with a long list: the cells of all items as one text; null for an empty list. */
export interface TextListRow {
  list: string | null
}

/** Separates cells. No import and no attached Wiki.js stores it in a cell of these lists. (D118) */
const CELL_SEPARATOR = '\u001f'

/** How many cells an item of a list has, and the row that they become. */
interface ItemFormat<Cells extends string[], Row> {
  width: Cells['length']
  fromCells(cells: Cells): Row
}

/** @throws Error when a cell contains a separator */
export const itemsFromRow = <Cells extends string[], Row>(
  row: TextListRow | undefined,
  { width, fromCells }: ItemFormat<Cells, Row>,
): Row[] => {
  if (row?.list == null) return []
  const cells = row.list.split(CELL_SEPARATOR)
  if (cells.length % width > 0) throw new Error('A cell of a list contains U+001F')
  const items: Row[] = []
  for (let i = 0; i < cells.length; i += width) items.push(fromCells(cells.slice(i, i + width) as Cells))
  return items
}

/** What a statement returns for a part of a list of revisions: one item more than requested if the list continues. */
export interface RevisionListText extends TextListRow {
  /** Position of the last requested item; null when it has none. */
  position: Timestamp | null
}

/** @throws Error when the list continues but has no cursor: any other cursor would skip revisions */
export const revisionsFromRow = <Cells extends string[]>(
  row: RevisionListText | undefined,
  first: number,
  format: ItemFormat<Cells, RevisionRow>,
): RevisionListRow => {
  const items = itemsFromRow(row, format)
  const following = items[first]
  if (!following) return { items, next: null }
  const { id, createdAt } = items[first - 1]!
  const next = createdAt === following.createdAt ? row!.position : createdAt!
  if (next === null) throw new Error(`Revision ${id} shares its created_at with others and has no position`)
  return { items: items.slice(0, first), next }
}

/** The last accepted revision of a page: its id, date (as PostgreSQL prints it) and author. */
type RevisionCells = [revisionId: string, createdAt: string, author: string]
type PageCells = [id: string, path: string, title: string, ...RevisionCells]
type RevisionItemCells = [id: string, createdAt: string, author: string, comment: string, size: string]
type RecentRevisionCells = [
  id: string,
  pageId: string,
  createdAt: string,
  author: string,
  comment: string,
  size: string,
  locale: string,
  ns: string,
  path: string,
  title: string,
]
type CategoryMemberCells = [
  sortKey: string,
  id: string,
  ns: string,
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

interface PageListKey {
  locale: string
  ns: Namespace
}

const pageFromCells =
  ({ locale, ns }: PageListKey) =>
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

export const pageItems = (key: PageListKey): ItemFormat<PageCells, PageRow> => ({
  width: 6,
  fromCells: pageFromCells(key),
})

export const revisionItems = (pageId: string): ItemFormat<RevisionItemCells, RevisionRow> => ({
  width: 5,
  fromCells: ([id, createdAt, author, comment, size]) => ({
    id,
    pageId,
    createdAt: timestampFromPostgres(createdAt),
    author,
    comment,
    size: Number(size),
  }),
})

export const recentRevisionItems: ItemFormat<RecentRevisionCells, RevisionRow> = {
  width: 10,
  fromCells: ([id, pageId, createdAt, author, comment, size, locale, ns, path, title]) => ({
    id,
    pageId,
    createdAt: timestampFromPostgres(createdAt),
    author,
    comment,
    size: Number(size),
    page: { id: pageId, locale, ns: ns as Namespace, path, title },
  }),
}

export const categoryMemberItems = ({
  locale,
}: {
  locale: string
}): ItemFormat<CategoryMemberCells, CategoryMemberRow> => ({
  width: 8,
  fromCells: ([sortKey, id, ns, path, title, revisionId, createdAt, revisionAuthor]) => ({
    sortKey,
    page: {
      id,
      locale,
      ns: ns as Namespace,
      path,
      title,
      revisionId,
      revisionCreatedAt: timestampFromPostgres(createdAt),
      revisionAuthor,
    },
  }),
})
