import type { RecentQuery } from '../generated/queries.ts'
import type { Place } from './route.ts'

type Edit = Omit<RecentQuery['recent'][number], 'page'>

/** An accepted edit as history, recent changes and a revision show it. */
export const editFields = ({ id, createdAt, author, comment, size }: Edit) => ({
  id,
  created_at: createdAt,
  author: { name: author.name },
  comment,
  size,
})

/** This API's address of a revision. */
export const revisionUrl = (id: string, { base }: Place): string => `${base}/revisions/${id}`

type PageWithRevision = RecentQuery['recent'][number]['page'] & {
  revision: { id: string; createdAt: string; author: { name: string } }
}

/** A page's last accepted edit as pages and lists of pages show it. */
export const revisionFields = ({ id, createdAt, author }: PageWithRevision['revision']) => ({
  id,
  created_at: createdAt,
  author: { name: author.name },
})

/** A page as an item of a list. */
export const pageFields = ({ path, title, locale, ns, url, revision }: PageWithRevision) => ({
  path,
  title,
  locale,
  ns,
  url,
  revision: revisionFields(revision),
})
