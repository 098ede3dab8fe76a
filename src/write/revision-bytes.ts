import { TRANSFER_BATCH } from '../limits.ts'
import { byteLength } from '../wiki/text.ts'
import type { RevisionRecord } from './records.ts'

/** Bytes of a revision as it moves to the database: its text and what is stored with it. */
export const revisionBytes = ({ markdown, comment, author, title, categories }: RevisionRecord): number => {
  let bytes = byteLength(markdown) + byteLength(comment) + byteLength(author) + byteLength(title) + ROW
  for (const { key, sort_key = title } of categories) bytes += byteLength(key) + byteLength(sort_key) + MEMBER
  return bytes
}

/** Bytes of a revision and of a category besides their texts: id, time, names of fields. */
const ROW = 100
const MEMBER = 30

/** Revisions of one page that a source collects for a record, within the bounds of a batch. */
export class RevisionBatch {
  readonly #most: { revisions: number; bytes: number }
  #revisions: RevisionRecord[] = []
  #bytes = 0

  /** @param most a revision that alone has more bytes is a batch of its own */
  constructor(most: { revisions: number; bytes: number } = TRANSFER_BATCH) {
    this.#most = most
  }

  /** Whether the batch must be taken before a revision of so many bytes is added. */
  isFullFor(bytes: number): boolean {
    const { length } = this.#revisions
    return length > 0 && (length >= this.#most.revisions || this.#bytes + bytes > this.#most.bytes)
  }

  add(revision: RevisionRecord, bytes: number): void {
    this.#revisions.push(revision)
    this.#bytes += bytes
  }

  /** Empties the batch. */
  take(): RevisionRecord[] {
    const revisions = this.#revisions
    this.#revisions = []
    this.#bytes = 0
    return revisions
  }
}
