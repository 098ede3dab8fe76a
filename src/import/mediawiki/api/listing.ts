import { z } from 'zod'
import type { ApiParameters, MediawikiApi } from './client.ts'
import { MEDIAWIKI_API } from './limits.ts'

const flag = z.boolean().default(false)

const listedRevision = z.object({
  revid: z.int().positive(),
  parentid: z.int().default(0),
  timestamp: z.string(),
  size: z.int().nonnegative().default(0),
  user: z.string().default(''),
  userhidden: flag,
  comment: z.string().default(''),
  commenthidden: flag,
  sha1hidden: flag,
})

/** A MediaWiki that does not know this list leaves it out: it must not look like an empty wiki. */
const listingResponse = z.object({
  query: z.object({
    allrevisions: z.array(
      z.object({
        pageid: z.int(),
        ns: z.int(),
        title: z.string(),
        revisions: z.array(listedRevision),
      }),
    ),
  }),
})

/** A revision of the wiki without its text. */
export interface ListedRevision {
  id: number
  isFirst: boolean
  pageId: number
  namespace: number
  title: string
  timestamp: string
  /** Bytes of the text. */
  size: number
  /** Undefined: hidden. */
  contributor: string | undefined
  comment: string | undefined
  isTextHidden: boolean
}

/** A part of the list of all revisions. */
interface ListingPart {
  /** In the order of the list. */
  revisions: ListedRevision[]
  /** Where the next part begins; null: this was the last one. */
  next: ApiParameters | null
}

interface ListingOptions {
  namespaces: ReadonlySet<number>
  direction: 'newer' | 'older'
  /** Where an earlier listing ended. */
  start?: ApiParameters | null
  /** Whether authors, comments and hidden parts are needed, too. */
  isDetailed?: boolean
  /** Revisions per request. */
  limit?: number
}

/**
 * Lists the revisions of all pages by time, 500 per request. Unlike recent changes, MediaWiki never purges this list, and
 * it contains revisions that were imported or made by scripts. (D92)
 */
export async function* listRevisions(
  api: MediawikiApi,
  { namespaces, direction, start = null, isDetailed = false, limit = MEDIAWIKI_API.listed }: ListingOptions,
): AsyncGenerator<ListingPart> {
  const parameters = {
    list: 'allrevisions',
    arvprop: isDetailed ? 'ids|timestamp|size|user|comment|sha1' : 'ids|timestamp|size',
    arvlimit: limit,
    arvdir: direction,
    arvnamespace: [...namespaces].sort((a, b) => a - b).join('|'),
  }
  for await (const { data, next } of api.list(listingResponse, parameters, start)) {
    const revisions = data.query.allrevisions.flatMap(({ pageid, ns, title, revisions }) =>
      revisions.map((revision) => ({
        id: revision.revid,
        isFirst: revision.parentid === 0,
        pageId: pageid,
        namespace: ns,
        title,
        timestamp: revision.timestamp,
        size: revision.size,
        contributor: revision.userhidden ? undefined : revision.user,
        comment: revision.commenthidden ? undefined : revision.comment,
        isTextHidden: revision.sha1hidden,
      })),
    )
    const sign = direction === 'newer' ? 1 : -1
    // A response groups them by page.
    revisions.sort((a, b) => sign * (compare(a.timestamp, b.timestamp) || a.id - b.id))
    yield { revisions, next }
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
