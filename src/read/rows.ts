import type { SearchHit } from '../search/query/hit.ts'
import type { Namespace } from '../wiki/namespaces.ts'
import type { Timestamp } from '../wiki/time.ts'

/** What statements answer, by the names that they give their columns; also what GraphQL resolvers get. */

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

/** What is stored of it: no name and no default language where no import said them. */
export interface StoredWikiRow extends Omit<WikiRow, 'name' | 'defaultLocale'> {
  name: string | null
  defaultLocale: string | null
}

export interface CategoryRow {
  locale: string
  key: string
  name: string
  /** Absent where they were not read along. */
  members?: CategoryMemberRow[]
}

export interface TranslationRow {
  locale: string
  path: string
  title: string
}

/** A live page. What lists do not read along is absent, and loaded when asked for. */
export interface PageRow {
  /** bigint as text */
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

/** An accepted edit of a live page. What its statement does not read along is absent. */
export interface RevisionRow {
  id: string
  /** bigint as text */
  pageId?: string
  createdAt?: Timestamp
  author?: string
  comment?: string
  size?: number
  markdown?: string
  page?: PageRow
  /** null: the first edit */
  parentId?: string | null
}

export interface CategoryMemberRow {
  sortKey: string
  page: PageRow
}

export type SearchHitRow = SearchHit<PageRow>

/** Part of a list of edits, newest first. */
export interface RevisionListRow {
  items: RevisionRow[]
  /** The date at which the list goes on; null at its end. */
  next: Timestamp | null
}

/** A page whose statement read its last accepted edit too. */
type PageWithRevision = PageRow & { revisionId: string }

export const hasRevision = (page: PageRow): page is PageWithRevision => page.revisionId !== undefined

/** A page's last accepted edit, out of the page's own columns. */
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
