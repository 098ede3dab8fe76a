import { TRANSFER_BATCH } from '../limits.ts'
import { byteLength } from '../wiki/text.ts'
import type { RevisionRecord } from './records.ts'

/** Bytes of a revision on its way to the database: its text and its other columns. */
export const revisionBytes = ({ markdown, comment, author, title, categories }: RevisionRecord): number => {
  let bytes =
    byteLength(markdown) + byteLength(comment) + byteLength(author) + byteLength(title) + REVISION_OVERHEAD
  for (const { key, sort_key = title } of categories)
    bytes += byteLength(key) + byteLength(sort_key) + CATEGORY_OVERHEAD
  return bytes
}

/** Bytes of a revision and of a category in addition to their texts: id, time, names of fields. */
const REVISION_OVERHEAD = 100
const CATEGORY_OVERHEAD = 30

/** Revisions of one page that a source collects for a record, within the bounds of a batch. */
export class RevisionBatch {
  readonly #limits: { revisions: number; bytes: number }
  #revisions: RevisionRecord[] = []
  #bytes = 0

  /** @param limits a revision with more bytes is a batch of its own */
  constructor(limits: { revisions: number; bytes: number } = TRANSFER_BATCH) {
    this.#limits = limits
  }

  /** Whether the batch must be taken before a revision with this number of bytes is added. */
  isFullFor(bytes: number): boolean {
    const { length } = this.#revisions
    return length > 0 && (length >= this.#limits.revisions || this.#bytes + bytes > this.#limits.bytes)
  }

  add(revision: RevisionRecord, bytes: number): void {
    this.#revisions.push(revision)
    this.#bytes += bytes
  }

  /** Returns the revisions and empties the batch. */
  take(): RevisionRecord[] {
    const revisions = this.#revisions
    this.#revisions = []
    this.#bytes = 0
    return revisions
  }
}
