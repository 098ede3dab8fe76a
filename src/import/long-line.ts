import { ImportError } from '../errors.ts'
import { TRANSFER_BATCH } from '../limits.ts'
import {
  type ImportRecord,
  type PageRecord,
  pageRecord,
  type RevisionRecord,
  revisionRecord,
  wikiFileRecord,
} from '../write/records.ts'
import { parseJson, parseRecord } from './parse-record.ts'
import { RevisionSplitter, type SplitBounds } from './revision-splitter.ts'
import { makeSpillFile } from './spill-file.ts'

/** What a page's line says besides its edits. */
type Head = Omit<PageRecord, 'revisions'>

export interface LongLineBounds extends SplitBounds {
  /** Bytes of edits in a record. */
  batch: number
}

/**
 * Reads a line that is too long to be parsed at once: a page becomes several records with some of its edits each.
 * Where the fields that say which page it is come behind the edits, these are kept in a temporary file until then. (D71)
 * @param chunks of the line's bytes
 * @throws ImportError with line, field and what was expected; UsageError when the temporary file cannot be written
 */
export async function* readLongLine(
  chunks: AsyncIterable<Buffer>,
  number: number,
  bounds: LongLineBounds,
): AsyncGenerator<ImportRecord> {
  const splitter = new RevisionSplitter(number, bounds)
  const aside = makeSpillFile()
  const revisions = new RevisionBatch(number, bounds.batch)
  let early: Head | null | undefined
  try {
    for await (const chunk of chunks) {
      for (const bytes of splitter.read(chunk)) {
        if (early === undefined) early = headOf(splitter.rest())
        if (early === null) await aside.write(bytes)
        else {
          const full = revisions.add(bytes)
          if (full) yield { ...early, revisions: full }
        }
      }
    }
    const value = parseJson(splitter.rest(), number)
    if (!splitter.hasSplit) {
      yield parseRecord(wikiFileRecord, value, number)
      return
    }
    // The edits have been cut out of it; of a record that is no page, the field that it must not have is named.
    const head = parseRecord(wikiFileRecord, { ...(value as object), revisions: [] }, number) as PageRecord
    if (early && (early.locale !== head.locale || early.path !== head.path))
      throw new ImportError(`Line ${number}: path: stands twice`)
    for await (const bytes of aside.read()) {
      const full = revisions.add(bytes)
      if (full) yield { ...head, revisions: full }
    }
    yield { ...head, revisions: revisions.take() }
  } finally {
    await aside.remove()
  }
}

/** null: what says which page it is, and how, has not all come yet, or is wrong, which the line's end tells. */
const headOf = (rest: Buffer): Head | null => {
  try {
    const text = rest.toString('utf8').replace(/[0,\s]*$/, '')
    return pageRecord.safeParse({ ...JSON.parse(`${text}]}`), revisions: [] }).data ?? null
  } catch {
    return null
  }
}

/** Edits of a page on their way into a record. */
class RevisionBatch {
  readonly #number: number
  readonly #most: number
  #revisions: RevisionRecord[] = []
  #bytes = 0
  #count = 0

  constructor(number: number, most: number) {
    this.#number = number
    this.#most = most
  }

  /** @returns the edits that are a record without this one; null: it goes with them */
  add(bytes: Buffer): RevisionRecord[] | null {
    const value = parseJson(bytes, this.#number)
    const revision = parseRecord(revisionRecord, value, this.#number, ['revisions', this.#count])
    const { length } = this.#revisions
    const isFull = length >= TRANSFER_BATCH.revisions || this.#bytes + bytes.length > this.#most
    const full = length > 0 && isFull ? this.take() : null
    this.#revisions.push(revision)
    this.#count += 1
    this.#bytes += bytes.length
    return full
  }

  take(): RevisionRecord[] {
    const revisions = this.#revisions
    this.#revisions = []
    this.#bytes = 0
    return revisions
  }
}
