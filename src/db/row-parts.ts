import type { Namespace } from '../wiki/namespaces.ts'
import type { Timestamp } from '../wiki/time.ts'

/** Parts of the rows of statements. */

/** A JSON column. Its shape is declared where it is read. */
// biome-ignore lint/suspicious/noExplicitAny: the driver parses JSON into any
export type Json = any

/** int8: page ids and counts beyond int4, as text. */
export type Int8 = string
/** uuid, as text. */
export type Uuid = string
export type PageState = 'live' | 'draft' | 'deleted'
export type RevisionStatus = 'accepted' | 'pending' | 'rejected' | 'draft'

/** Index of the key that a row belongs to, from 1. */
export interface Keyed {
  n: number
}

/** A list as one JSON column; null where it is empty. */
export interface KeyedList extends Keyed {
  list: Json
}

/** A list as one text of cells; null where it is empty. (D118) */
export interface KeyedText extends Keyed {
  list: string | null
}

export interface RevisionList extends KeyedText {
  position: Timestamp | null
}

export type KeyedChanges = KeyedList & { isIssued: boolean; last: Int8; code: string; more: boolean }

export interface LivePage {
  id: Int8
  locale: string
  ns: Namespace
  path: string
  title: string
  revisionId: Uuid
  revisionCreatedAt: Timestamp
  revisionAuthor: string
}

export interface RevisionWithPage {
  id: Uuid
  pageId: Int8
  createdAt: Timestamp
  author: string
  comment: string
  size: number
  locale: string
  ns: Namespace
  path: string
  title: string
}

/** A page of a search result, and the positions of the query's words in it. */
export interface FoundPage extends LivePage {
  config: string
  starts: number[]
  positions: string | null
  /** Its sections, if they are short. */
  body: string | null
}

export interface ExportWiki {
  name: string
  default_locale: string
  license: string | null
  locales: Json
}

export interface ExportCategory {
  locale: string
  key: string
  name: string
}

export interface ExportSizes extends Keyed {
  id: Uuid
  created_at: Timestamp
  size: number
  bytes: number
}

export interface ExportRevision {
  id: Uuid
  created_at: Timestamp
  author: string
  comment: string
  markdown: string
}

export interface PageId {
  pageId: Int8
}

/** A page whose title, or that of a redirect to it, is `name`. */
export type SuggestedTitle = Pick<LivePage, 'id' | 'locale' | 'ns' | 'path' | 'title'> & { name: string }
