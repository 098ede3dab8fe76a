import { toSingleLine } from '@lectern/wiki/import/wiki-record'
import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import type { RevisionRange, SourceContentQueries } from '@lectern/wiki/stored-content'
import { z } from 'zod'
import { lowestRevisionId, mediawikiRevisionId } from '../revision.ts'
import { addressOf, type ImportedMediawiki } from '../wiki.ts'
import { type ApiParameters, apiRevision, type MediawikiApi } from './client.ts'
import { MEDIAWIKI_API } from './http.ts'

/** A MediaWiki that does not know this list leaves it out: it must not look like an empty wiki. */
const listingResponse = z.object({
  query: z.object({
    allrevisions: z.array(
      z.object({
        pageid: z.int(),
        ns: z.int(),
        title: z.string(),
        revisions: z.array(apiRevision.extend({ size: z.int().nonnegative().default(0) })),
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
 * it contains revisions that were imported or made by scripts. (D46)
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

/** A revision, by its place in the order of time. */
export interface ListPlace {
  timestamp: string
  id: number
}

/** Stored revisions that are compared with one part of the list. */
const MAX_STORED = 5_000

/** What the wiki has otherwise than the database. */
export class Differences {
  /** Revisions to read, by their ids. */
  readonly revisions = new Map<number, { id: number; pageId: number; size: number }>()
  /** Ids of pages to read with all of their revisions. */
  readonly wholePages = new Set<number>()
  /** Titles whose pages changed or are gone; with the path that is stored, if that is how they were found. */
  readonly titles = new Map<string, string | null>()
}

/** A revision of the wiki that the database does not have. */
interface UnknownRevision extends ListedRevision {
  path: string
}

interface ComparisonOptions {
  wiki: ImportedMediawiki
  stored: SourceContentQueries
  /** Whether redirects are pages. If not, the database lacks them. */
  redirects: boolean
  /** Revisions from here on may be new, milliseconds since 1970. */
  since: number
}

/** Compares a part of the list of all revisions, newest first, with the revisions that are stored. */
export class Comparison {
  readonly differences = new Differences()
  readonly #options: ComparisonOptions

  constructor(options: ComparisonOptions) {
    this.#options = options
  }

  /**
   * @param after the last revision of the part before; null: this is the first one
   * @param isLast whether there is no older revision
   */
  async compare(listed: readonly ListedRevision[], after: ListPlace | null, isLast: boolean): Promise<void> {
    const { stored, wiki } = this.#options
    const last = listed.at(-1)
    if (last === undefined && !isLast) return
    const range: RevisionRange = {
      newest: after === null ? null : toPlace(after),
      oldest: isLast || last === undefined ? null : toPlace(last),
    }
    const rows = await stored.revisionsOfSource(wiki.locale, range, MAX_STORED)
    const byId = new Map(rows.map((row) => [row.id, row]))
    const unknown: UnknownRevision[] = []
    for (const revision of listed) {
      const address = addressOf(wiki, revision)
      if (address === null) continue
      const id = mediawikiRevisionId(wiki.database, wiki.locale, address.path, revision.id)
      const row = byId.get(id)
      if (row === undefined) unknown.push({ ...revision, path: address.path })
      else if (isChanged(revision, row)) this.#toRead(revision)
      byId.delete(id)
    }
    for (const { path } of byId.values()) this.differences.titles.set(wiki.site.titleOfPath(path), path)
    await this.#addUnknown(unknown)
  }

  #toRead({ id, pageId, size }: ListedRevision): void {
    this.differences.revisions.set(id, { id, pageId, size })
  }

  /** A page of which the database has nothing is read whole, unless the list has its first revision, too. */
  async #addUnknown(unknown: readonly UnknownRevision[]): Promise<void> {
    if (unknown.length === 0) return
    const { stored, wiki, redirects, since } = this.#options
    const paths = [...new Set(unknown.map(({ path }) => path))]
    const pages = await stored.storedPages(paths.map((path) => ({ locale: wiki.locale, path })))
    const storedPaths = new Set(pages.map(({ path }) => path))
    const begun = new Set(unknown.filter(({ isFirst }) => isFirst).map(({ pageId }) => pageId))
    for (const revision of unknown) {
      const isStored = storedPaths.has(revision.path)
      if (!isStored && !redirects && Date.parse(revision.timestamp) < since) continue
      if (isStored || begun.has(revision.pageId)) this.#toRead(revision)
      else this.differences.wholePages.add(revision.pageId)
    }
  }
}

/** Just below the revision, so it is the last one above this place, and not one below it. */
const toPlace = ({ timestamp, id }: ListPlace) => ({ createdAt: timestamp, id: lowestRevisionId(id) })

const isChanged = (
  { contributor, comment, isTextHidden }: ListedRevision,
  row: { author: string; comment: string; status: string },
): boolean =>
  (row.status === 'rejected') !== isTextHidden ||
  row.author !== toSingleLine(contributor ?? '', FIELD_BYTES_MAX.name) ||
  row.comment !== toSingleLine(comment ?? '', FIELD_BYTES_MAX.comment)
