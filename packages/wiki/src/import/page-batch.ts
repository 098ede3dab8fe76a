import { createHash } from 'node:crypto'
import { ImportError } from '../errors.ts'
import {
  type CompletePage,
  type CompleteRevision,
  type ImportedPage,
  type PageKey,
  type PageRecord,
  pageKey,
  type RevisionRecord,
  revisionBytes,
} from '../records.ts'
import { quote, sortKeyOf } from '../text.ts'

/** The maximum of a batch. A record with more is a batch of its own. */
export type BatchLimits = { pages: number; revisions: number; bytes: number }

export class RevisionIdTaken extends ImportError {
  readonly id: string

  constructor(id: string, { locale, path }: PageKey, advice?: string) {
    super(
      `revisions[].id: ${id} is already the id of a revision of the page ${quote(path)} (${locale}); ids must be unique${advice === undefined ? '' : `. ${advice}`}`,
    )
    this.id = id
  }
}

type MergedPage = Omit<CompletePage, 'revisions'> & { revisions: Map<string, CompleteRevision> }

/** Pages that are written together. Records of one page are merged: all revisions, and the state of the last one. */
export class PageBatch {
  readonly #limits: BatchLimits
  readonly #pages = new Map<string, MergedPage>()
  /** The page of each revision, and the line in the source. */
  readonly #revisions = new Map<string, { pageKey: string; line: string | undefined }>()
  #revisionCount = 0
  #bytes = 0
  #lastKey = ''

  constructor(limits: BatchLimits) {
    this.#limits = limits
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0
  }

  /** Whether the batch must be written before a record with this number of bytes is added. */
  isFullFor(bytes: number): boolean {
    const { pages, revisions, bytes: maxBytes } = this.#limits
    return this.#pages.size >= pages || this.#revisionCount >= revisions || this.#bytes + bytes > maxBytes
  }

  /** @param line of the record in its source @throws ImportError if another page of the batch has the same revision */
  add(record: ImportedPage, bytes: number, line: string | undefined): void {
    const key = pageKey(record)
    const former = this.#pages.get(key)
    const revisions = former?.revisions ?? new Map<string, CompleteRevision>()
    for (const revision of record.revisions) {
      const complete = completeRevision(record, revision)
      const other = this.#revisions.get(complete.id)
      if (other && other.pageKey !== key)
        throw atLine(line, new RevisionIdTaken(complete.id, this.#pages.get(other.pageKey)!))
      this.#revisions.set(complete.id, { pageKey: key, line })
      revisions.set(complete.id, complete)
    }
    this.#pages.set(key, {
      ...record,
      revisions,
      unreadRevisions: [...(former?.unreadRevisions ?? []), ...(record.unreadRevisions ?? [])],
      hasAllRevisions: record.hasAllRevisions || former?.hasAllRevisions,
      formerPaths: record.formerPaths ?? former?.formerPaths,
      aliases: record.aliases ?? former?.aliases,
      sourcePath: record.sourcePath ?? former?.sourcePath,
      dialect: record.dialect ?? former?.dialect,
    })
    this.#revisionCount += record.revisions.length
    this.#bytes += bytes
    this.#lastKey = key
  }

  unfinished(next: PageRecord): PageKey | undefined {
    return pageKey(next) === this.#lastKey ? next : undefined
  }

  pages(): CompletePage[] {
    return [...this.#pages.values()].map((page) => ({ ...page, revisions: [...page.revisions.values()] }))
  }

  withLine = (error: unknown): never => {
    throw error instanceof RevisionIdTaken ? this.located(error) : error
  }

  located(error: RevisionIdTaken): ImportError {
    return atLine(this.#revisions.get(error.id)?.line, error)
  }
}

export const recordBytes = ({ revisions }: PageRecord): number =>
  revisions.reduce((sum, revision) => sum + revisionBytes(revision), 0)

const atLine = (line: string | undefined, error: ImportError): ImportError =>
  line === undefined ? error : new ImportError(`${line}: ${error.message}`)

const completeRevision = (page: PageKey, revision: RevisionRecord): CompleteRevision => {
  const { id = derivedId(page, revision), title } = revision
  const categories = new Map<string, CompleteRevision['categories'][number]>()
  for (const { key, sort_key = sortKeyOf(title) } of revision.categories)
    categories.set(key, { key, sort_key })
  return { ...revision, id, categories: [...categories.values()] }
}

/** Namespace of the derived ids: a random UUID, which must never change. */
const NAMESPACE = Buffer.from('6f1c1d0e8a5b4d6f9d3e0b7a52c9e417', 'hex')

/** The id of a revision that has none in its source: UUIDv5 of its page, time and text. @see RFC 9562, 5.5 */
const derivedId = ({ locale, path }: PageKey, { created_at, markdown }: RevisionRecord): string => {
  const name = JSON.stringify([locale, path, created_at, markdown])
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
