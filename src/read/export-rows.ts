import type { CompletePage, CompleteRevision } from '../write/records.ts'

/** A page of an export, without its revisions. Absent keys are not written. */
export type ExportedPage = Omit<CompletePage, 'translation_group' | 'revisions'> & {
  translation_group?: string
}

/** The columns of a page in an export. */
export interface PageColumns {
  id: string
  locale: string
  path: string
  state: CompletePage['state']
  translation_group: string | null
  /** In the view of a guest: of the last accepted revision. */
  title?: string
  revision_id?: string
  categories?: CompleteRevision['categories']
}

/** A revision without its text. */
export interface SizeColumns {
  /** Number of its page among the requested ones, from 1. */
  n: number
  id: string
  created_at: string
  /** Bytes of the text. */
  size: number
  /** Bytes of everything that is read of the revision. */
  bytes: number
}

/** In the view of a guest, a revision has no status, and only the last accepted one a title and categories. */
export type RevisionColumns = Omit<CompleteRevision, 'status' | 'title' | 'categories'> &
  Partial<CompleteRevision>

export const exportedPage = ({ locale, path, state, translation_group }: PageColumns): ExportedPage => ({
  type: 'page',
  locale,
  path,
  state,
  ...(translation_group === null ? {} : { translation_group }),
})

export const exportedRevision = (
  page: PageColumns,
  revision: RevisionColumns,
  categories: CompleteRevision['categories'],
): CompleteRevision => ({
  id: revision.id,
  created_at: revision.created_at,
  author: revision.author,
  comment: revision.comment,
  status: revision.status ?? 'accepted',
  title: revision.title ?? page.title!,
  markdown: revision.markdown,
  categories: categories.map(({ key, sort_key }) => ({ key, sort_key })),
})

export const exportedCategories = (
  page: PageColumns,
  revision: RevisionColumns,
): CompleteRevision['categories'] =>
  revision.categories ?? (revision.id === page.revision_id ? page.categories! : [])
