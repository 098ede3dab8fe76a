import { FIELD_BYTES_MAX } from '../../../limits.ts'
import type { RevisionRange, SourceContentQueries } from '../../../write/stored-content.ts'
import { toSingleLine } from '../../single-line.ts'
import { lowestRevisionId, mediawikiRevisionId } from '../revision-id.ts'
import { addressOf, type ImportedMediawiki } from '../wiki.ts'
import type { ListedRevision } from './listing.ts'

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
