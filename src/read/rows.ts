import type { Namespace } from '@lectern/wiki/locales'
import type { PageSection } from '@lectern/wiki/outline'
import { type Timestamp, timestampFromPostgres } from '@lectern/wiki/time'
import { servedName } from '../db/diagnostics.ts'
import type { StatementRows } from '../generated/statement-rows.ts'
import type { SearchHit, SearchResult } from '../search/query/results.ts'

/** Rows of statements, by the names of their columns, which PostgreSQL describes. GraphQL resolvers get them too. */

/** A row without the number of its key. */
export type Row<Name extends keyof StatementRows> = Omit<StatementRows[Name], 'n'>

export interface LocaleRow {
  locale: string
  name: string
}

export type WikiRow = ReturnType<typeof wikiWithDefaults>

/** The wiki with defaults for everything that no import has stored: its name, a default language, and languages. */
export const wikiWithDefaults = ({ name, defaultLocale, license, locales }: Row<'wiki'>) => {
  const isEmpty = locales.length === 0
  const shownLocales: LocaleRow[] = isEmpty ? [{ locale: 'en', name: 'English' }] : locales
  const { locale } = shownLocales.find((one) => one.locale === 'en') ?? shownLocales[0]!
  return {
    name: servedName(name, locales),
    defaultLocale: defaultLocale ?? locale,
    license,
    locales: shownLocales,
  }
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

export type TranslationRow = Row<'translations_of_page'>

type Address = Pick<PageAddress, 'locale' | 'ns' | 'path'>
type PageAddress = Pick<Row<'page_by_id'>, 'id' | 'locale' | 'ns' | 'path' | 'title'>

/** A live page. What the statement of a list does not read is absent, and loaded when a query selects it. */
export type PageRow = PageAddress &
  Partial<Omit<Row<'page_by_path'>, keyof PageAddress | 'categories' | 'translations'>> & {
    categories?: CategoryRow[]
    translations?: TranslationRow[]
  }

/** An accepted revision of a live page. What its statement does not read is absent. */
export type RevisionRow = { id: string; page?: PageRow } & Partial<
  Omit<Row<'revision_by_id'>, keyof PageAddress> &
    // The cursor of a list after it, if another revision has the same time.
    Pick<Row<'revisions_with_page'>, 'position'>
>

export type EditRow = RevisionRow & Required<Pick<RevisionRow, 'createdAt' | 'author' | 'comment' | 'size'>>

/** A row with the columns of a page beside those of a revision. */
type WithPage<Row> = Omit<Row, 'page'> & Omit<PageRow, 'id'> & { pageId: string }

export const revisionWithPage = (row: WithPage<RevisionRow>): RevisionRow => {
  const { pageId, locale, ns, path, title, dialect } = row
  return Object.assign(row, { page: { id: pageId, locale, ns, path, title, dialect } })
}

export interface SectionRow extends PageSection {
  revision: RevisionRow
}

export type ContributorRow = Omit<Row<'contributors_of_page'>, 'total'>

export interface ContributorsRow {
  total: number
  items: ContributorRow[]
}

export interface RevisionPairRow {
  to: Required<Omit<RevisionRow, 'parentId' | 'position'>>
  /** Null if there is no such revision, such as one before the first. */
  from: { id: string; createdAt: Timestamp; markdown: string } | null
}

export interface CategoryMemberRow {
  sortKey: string
  page: PageRow
}

export interface LinkRow extends Address {
  /** Null if the page does not exist, as guests see the wiki. */
  page: PageRow | null
  isRedirect: boolean
}

/** A file that live pages show or link. Its locale is empty if it belongs to no language. */
export type FileRow = Row<'file_by_path'>

/** A file with a reference by which a page shows or links it. */
export type FileOfPageRow = Row<'files_of_page'>

export type SearchHitRow = SearchHit<PageRow>
export type SearchResultRow = SearchResult<PageRow>

/** The last change of a page, or the address at which there is no page any more. */
export interface ChangeRow extends Address {
  changedAt: Timestamp
  page: PageRow | null
  /** The page that was at the address before it moved. */
  movedTo: PageRow | null
  /** What the list is narrowed by, for cursors. */
  filter: string
  /** The cursor after it, if it is known. */
  cursor?: string
}

/** Part of the changes, oldest first. */
export interface ChangeListRow {
  items: ChangeRow[]
  /** The same as `cursor`; null at the end of the list. */
  next: string | null
  /** Where the next part will start, also at the end. */
  cursor: string
}

/** Part of a list, with information for paging. */
type PagedRow<Item> = ReturnType<typeof pagedRow<Item>>
export type PageListRow = PagedRow<PageRow>
export type CategoryMemberListRow = PagedRow<CategoryMemberRow>
export type SearchListRow = PagedRow<SearchHitRow>

/**
 * Cuts a list to `first` items. `pageInfo` tells whether it continues, and with which cursor. (D10)
 * @param read up to `first` + 1 items: the additional item shows that the list continues
 * @param cursorOf the cursor after an item
 * @param end the cursor after all items that were read, if the list continues behind them
 */
export const pagedRow = <Item>(
  read: Item[],
  first: number,
  cursorOf: (last: Item) => string,
  end: string | null = null,
) => {
  const items = read.slice(0, first)
  const endCursor = read.length > first ? cursorOf(items.at(-1)!) : end
  return { items, pageInfo: { hasNextPage: endCursor !== null, endCursor } }
}

/** Part of a list of revisions, newest first. */
export type RevisionListRow = ReturnType<typeof revisionList>

/** A revision of a list. The last of the list's rows has the date that is its cursor, if it is not `createdAt`. */
type RevisionOfList = EditRow & { cursor: Timestamp | null }

/**
 * @param read up to `first` + 1 items: the additional item shows that the list continues
 * @returns `next`: the cursor of the next part; null at the end of the list
 * @throws Error when the list continues but has no cursor: any other cursor would skip revisions
 */
export const revisionList = (read: RevisionOfList[], first: number) => {
  const following = read[first]
  if (!following) return { items: read, next: null }
  const { id, createdAt, cursor } = read[first - 1]!
  const next = createdAt === following.createdAt ? cursor : createdAt
  if (next == null) throw new Error(`Revision ${id} shares its created_at with others and has no position`)
  return { items: read.slice(0, first), next }
}

/** A page whose statement read the last accepted revision too. */
export type PageWithRevision = PageRow &
  Required<Pick<PageRow, 'revisionId' | 'revisionCreatedAt' | 'revisionAuthor'>>

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

/** The same without what only few queries select. */
export const lastRevisionOfPage = (page: PageWithRevision) => ({
  id: page.revisionId,
  createdAt: page.revisionCreatedAt,
  author: { name: page.revisionAuthor },
})

/**
 * Lists whose statements return one row with a JSON array for each column, null for an empty list: node takes half the
 * time that it takes for a row of each item. An array for each item takes PostgreSQL longer. Ids are numbers there,
 * because V8 looks up each short text of a JSON in a table of all names: a third of the time of parsing.
 */

/** The page at a place of the columns. */
const pageIn = (columns: Row<'pages_after'>, i: number, locale: string, ns: Namespace): PageRow => ({
  id: String(columns.id[i]),
  locale,
  ns,
  path: columns.path[i],
  title: columns.title[i],
  revisionId: columns.revisionId[i],
  revisionCreatedAt: timestampFromPostgres(columns.revisionCreatedAt[i]),
  revisionAuthor: columns.revisionAuthor[i],
})

export const pagesOf = (columns: Row<'pages_after'>, { locale, ns }: Pick<PageRow, 'locale' | 'ns'>) =>
  ((columns.path ?? []) as string[]).map((_, i) => pageIn(columns, i, locale, ns))

export const membersOf = (columns: Row<'category_members'>, locale: string): CategoryMemberRow[] =>
  ((columns.sortKey ?? []) as string[]).map((sortKey, i) => ({
    sortKey,
    page: pageIn(columns, i, locale, columns.ns[i]),
  }))

/** The revisions of a list, with their pages. The statement reads the cursor of the last but one. */
export const revisionsOf = (columns: Row<'recent'>): RevisionOfList[] => {
  const { id: ids, pageId, createdAt, author, comment, size, locale, ns, path, title, cursor } = columns
  return ((ids ?? []) as string[]).map((id, i) => ({
    id,
    pageId: String(pageId[i]),
    createdAt: timestampFromPostgres(createdAt[i]),
    author: author[i],
    comment: comment[i],
    size: size[i],
    page: { id: String(pageId[i]), locale: locale[i], ns: ns[i], path: path[i], title: title[i] },
    cursor,
  }))
}
