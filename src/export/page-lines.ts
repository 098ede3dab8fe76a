import { LINE_BYTES_MAX } from '@lectern/wiki/limits'
import type { CompleteRevision } from '@lectern/wiki/records'
import type { ExportedPage } from '../read/snapshot.ts'

/** Bytes of revisions in one line: half of what an import parses at once. */
const LINE_BYTES = LINE_BYTES_MAX.whole / 2

/**
 * A page as lines of the interchange format: one line, or several lines with some of its revisions each. Where a line
 * ends depends on the page alone, so an import followed by an export gives the same bytes. (D71)
 */
export class PageLines {
  readonly #head: string
  readonly #bytes: number
  #revisions: string[] = []
  #length = 0

  /** @param bytes of revisions in one line; a larger revision gets a line of its own */
  constructor(page: ExportedPage, bytes: number = LINE_BYTES) {
    this.#head = JSON.stringify(page).slice(0, -1)
    this.#bytes = bytes
  }

  /** @returns a line with the revisions before this one, if it is full; otherwise null */
  add(revision: CompleteRevision): string | null {
    const text = JSON.stringify(revision)
    const added = Buffer.byteLength(text)
    const full = this.#revisions.length > 0 && this.#length + added > this.#bytes ? this.end() : null
    this.#revisions.push(text)
    this.#length += added
    return full
  }

  /** @returns the last line */
  end(): string {
    const line = `${this.#head},"revisions":[${this.#revisions.join(',')}]}\n`
    this.#revisions = []
    this.#length = 0
    return line
  }
}
