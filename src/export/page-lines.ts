import { LINE_BYTES_MAX } from '../limits.ts'
import type { ExportedPage } from '../read/snapshot.ts'
import type { CompleteRevision } from '../write/records.ts'

/** Half of what an import parses at once. */
const BYTES = LINE_BYTES_MAX.whole / 2

/**
 * A page as lines of the interchange form: one, or several with some of its edits each where one would be long. Where
 * a line ends depends on the page alone, so that what was imported is exported by the same bytes. (D71)
 */
export class PageLines {
  readonly #head: string
  readonly #bytes: number
  #revisions: string[] = []
  #length = 0

  /** @param bytes of the edits of a line; one that has more goes alone */
  constructor(page: ExportedPage, bytes: number = BYTES) {
    this.#head = JSON.stringify(page).slice(0, -1)
    this.#bytes = bytes
  }

  /** @returns the line that was full before this edit; null: it was not */
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
