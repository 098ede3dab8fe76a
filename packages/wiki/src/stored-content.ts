import type { PageKey, RevisionRecord } from './records.ts'
import type { Timestamp } from './time.ts'

type RevisionPlace = { createdAt: Timestamp; id: string }

/** Revisions between two places, both included. Null: from the newest, or to the oldest. */
export type RevisionRange = { newest: RevisionPlace | null; oldest: RevisionPlace | null }

export interface RevisionSummary extends Pick<RevisionRecord, 'author' | 'comment' | 'status'> {
  id: string
  path: string
}

export interface StoredPage extends PageKey {
  revisions: number
  /** The revision that guests see, and its timestamp; null if they see none. */
  liveId: string | null
  liveAt: Timestamp | null
  /** The last revision by time and id, whether guests see it or not, and its timestamp; null if the page has none. */
  lastId: string | null
  lastAt: Timestamp | null
}

/** A page in the database, for a source that reads only what changed. */
export interface StoredPageState extends PageKey {
  isOwn: boolean
  isLive: boolean
  newestId: string | null
  newestAt: Timestamp | null
  categories: string[]
}

/** Queries of sources, which need not read again what the database has. */
export interface StoredContentQueries {
  knownRevisions(revisions: (PageKey & RevisionPlace)[]): Promise<Set<string>>
  storedPages(pages: PageKey[]): Promise<StoredPage[]>
  /** How many live pages came from this source, by language. */
  livePages(): Promise<{ locale: string; pages: number }[]>
  storedPageStates(pages: readonly PageKey[]): Promise<StoredPageState[]>
  /** The pages of this source that changed last in each of these categories, except some pages. */
  newestMembers(
    categories: readonly { locale: string; key: string }[],
    except: readonly PageKey[],
  ): Promise<(PageKey & { key: string; revisionId: string; createdAt: Timestamp })[]>
  /** The `state` of the source after its last import; null if there is none, or if everything must be read. */
  sourceState(): Promise<unknown>
}

/** Queries of sources that compare what is stored with what they have now. */
export interface SourceContentQueries extends StoredContentQueries {
  formerPaths(pages: PageKey[]): Promise<(PageKey & { formerPath: string })[]>
  /** Revisions of the pages of this source in one language, newest first: at most `limit` of the range. */
  revisionsOfSource(locale: string, range: RevisionRange, limit: number): Promise<RevisionSummary[]>
}
