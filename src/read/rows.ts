import type { SearchHit, SearchResult } from '../search/query/hit.ts'
import type { Namespace } from '../wiki/namespaces.ts'
import type { PageSection } from '../wiki/outline.ts'
import type { Timestamp } from '../wiki/time.ts'

/** Rows of statements, by the names of their columns. GraphQL resolvers get them too. */

export interface LocaleRow {
  locale: string
  name: string
}

export interface WikiRow {
  name: string
  defaultLocale: string
  license: string | null
  locales: LocaleRow[]
}

/** The stored row: without a name or a default language when no import contained them. */
export interface StoredWikiRow extends Omit<WikiRow, 'name' | 'defaultLocale'> {
  name: string | null
  defaultLocale: string | null
}

export interface CategoryRow {
  locale: string
  key: string
  name: string
  /** How many live pages it has. Absent when the statement does not read it. */
  pages?: number
  /** Absent when the statement does not read them. */
  members?: CategoryMemberRow[]
}

export interface TranslationRow {
  locale: string
  path: string
  title: string
}

/** A live page. What the statement of a list does not read is absent, and loaded when a query selects it. */
export interface PageRow {
  /** A bigint as text. */
  id: string
  locale: string
  ns: Namespace
  path: string
  title: string
  revisionId?: string
  revisionCreatedAt?: Timestamp
  revisionAuthor?: string
  revisionComment?: string
  revisionSize?: number
  revisionMarkdown?: string
  categories?: CategoryRow[]
  translations?: TranslationRow[]
}

/** An accepted revision of a live page. What its statement does not read is absent. */
export interface RevisionRow {
  id: string
  /** A bigint as text. */
  pageId?: string
  createdAt?: Timestamp
  author?: string
  comment?: string
  size?: number
  markdown?: string
  page?: PageRow
  /** Null if no other revision has its time. */
  position?: Timestamp | null
  /** Null for the first revision. */
  parentId?: string | null
}

/** A row with the columns of a page beside those of a revision. */
export type WithPage<Row> = Omit<Row, 'page'> & Omit<PageRow, 'id'> & { pageId: string }

export const revisionWithPage = ({
  locale,
  ns,
  path,
  title,
  ...revision
}: WithPage<RevisionRow>): RevisionRow => ({
  ...revision,
  page: { id: revision.pageId, locale, ns, path, title },
})

/** A section of a revision's text. */
export interface SectionRow extends PageSection {
  revision: RevisionRow
}

export interface ContributorRow {
  name: string
  edits: number
  lastAt: Timestamp
}

export interface ContributorsRow {
  total: number
  items: ContributorRow[]
}

/** Two revisions to compare, with their texts. */
export interface RevisionPairRow {
  to: Required<Omit<RevisionRow, 'parentId' | 'position'>>
  /** Null if there is no such revision, such as one before the first. */
  from: { id: string; createdAt: Timestamp; markdown: string } | null
}

export interface CategoryMemberRow {
  sortKey: string
  page: PageRow
}

/** A page to or from which a page links. */
export interface LinkRow {
  locale: string
  ns: Namespace
  path: string
  /** Null if the page does not exist, as guests see the wiki. */
  page: PageRow | null
  isRedirect: boolean
}

export type SearchHitRow = SearchHit<PageRow>
export type SearchResultRow = SearchResult<PageRow>

/** The last change of a page, or the address at which there is no page any more. */
export interface ChangeRow {
  changedAt: Timestamp
  locale: string
  ns: Namespace
  path: string
  page: PageRow | null
  /** The page that was at the address before it moved. */
  movedTo: PageRow | null
}

/** Part of the changes, oldest first. */
export interface ChangeListRow {
  items: ChangeRow[]
  /** The same as `cursor`; null at the end of the list. */
  next: string | null
  /** Where the next part will start, also at the end. */
  cursor: string
}

/** Whether a list continues, and with which cursor. (D108) */
interface PageInfoRow {
  hasNextPage: boolean
  endCursor: string | null
}

/** Part of a list, with information for paging. */
interface PagedRow<Item> {
  items: Item[]
  pageInfo: PageInfoRow
}

export type PageListRow = PagedRow<PageRow>
export type CategoryMemberListRow = PagedRow<CategoryMemberRow>
export type SearchListRow = PagedRow<SearchHitRow>

/**
 * Cuts a list to `first` items.
 * @param read up to `first` + 1 items: the additional item shows that the list continues
 * @param cursorOf the cursor after an item
 * @param end the cursor after all items that were read, if the list continues behind them
 */
export const pagedRow = <Item>(
  read: Item[],
  first: number,
  cursorOf: (last: Item) => string,
  end: string | null = null,
): PagedRow<Item> => {
  const items = read.slice(0, first)
  const endCursor = read.length > first ? cursorOf(items.at(-1)!) : end
  return { items, pageInfo: { hasNextPage: endCursor !== null, endCursor } }
}

/** Part of a list of revisions, newest first. */
export interface RevisionListRow {
  items: RevisionRow[]
  /** The cursor of the next part; null at the end of the list. */
  next: Timestamp | null
}

/** A page whose statement read the last accepted revision too. */
type PageWithRevision = PageRow & { revisionId: string }

export const hasRevision = (page: PageRow): page is PageWithRevision => page.revisionId !== undefined

/** The last accepted revision of a page, from the page's columns. */
export const revisionOfPage = (page: PageWithRevision): RevisionRow => ({
  id: page.revisionId,
  pageId: page.id,
  createdAt: page.revisionCreatedAt,
  author: page.revisionAuthor,
  comment: page.revisionComment,
  size: page.revisionSize,
  markdown: page.revisionMarkdown,
  page,
})
