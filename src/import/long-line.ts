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

/** A page without its revisions. */
type PageHead = Omit<PageRecord, 'revisions'>

export interface LongLineBounds extends SplitBounds {
  /** Bytes of revisions in one record. */
  batch: number
}

/**
 * Reads a line that is too long to be parsed at once. A page becomes several records with some of its revisions each.
 * If the fields of the page come after its revisions, the revisions wait for them in a temporary file. (D71)
 * @param chunks the bytes of the line
 * @throws ImportError with the line, the field and the expected value; UsageError if the temporary file cannot be
 * written
 */
export async function* readLongLine(
  chunks: AsyncIterable<Buffer>,
  number: number,
  bounds: LongLineBounds,
): AsyncGenerator<ImportRecord> {
  const splitter = new RevisionSplitter(number, bounds)
  const spillFile = makeSpillFile()
  const revisions = new RevisionBatch(number, bounds.batch)
  /** The head, if it precedes the revisions; null if it does not. */
  let earlyHead: PageHead | null | undefined
  try {
    for await (const chunk of chunks) {
      for (const bytes of splitter.read(chunk)) {
        if (earlyHead === undefined) earlyHead = parseHead(splitter.rest())
        if (earlyHead === null) await spillFile.write(bytes)
        else {
          const full = revisions.add(bytes)
          if (full) yield { ...earlyHead, revisions: full }
        }
      }
    }
    const value = parseJson(splitter.rest(), number)
    if (!splitter.hasSplit) {
      yield parseRecord(wikiFileRecord, value, number)
      return
    }
    // The revisions were cut out. For a record that is not a page, the error names the field that it must not have.
    const head = parseRecord(wikiFileRecord, { ...(value as object), revisions: [] }, number) as PageRecord
    if (earlyHead && (earlyHead.locale !== head.locale || earlyHead.path !== head.path))
      throw new ImportError(`Line ${number}: path: must occur only once`)
    for await (const bytes of spillFile.read()) {
      const full = revisions.add(bytes)
      if (full) yield { ...head, revisions: full }
    }
    yield { ...head, revisions: revisions.take() }
  } finally {
    await spillFile.remove()
  }
}

/** @returns null if the fields so far are incomplete or invalid; the end of the line reports invalid ones */
const parseHead = (rest: Buffer): PageHead | null => {
  try {
    const text = rest.toString('utf8').replace(/[0,\s]*$/, '')
    return pageRecord.safeParse({ ...JSON.parse(`${text}]}`), revisions: [] }).data ?? null
  } catch {
    return null
  }
}

/** Collects revisions of a page for a record. */
class RevisionBatch {
  readonly #number: number
  readonly #maxBytes: number
  #revisions: RevisionRecord[] = []
  #bytes = 0
  #count = 0

  constructor(number: number, maxBytes: number) {
    this.#number = number
    this.#maxBytes = maxBytes
  }

  /** @returns the revisions before this one, if they fill a record; otherwise null */
  add(bytes: Buffer): RevisionRecord[] | null {
    const value = parseJson(bytes, this.#number)
    const revision = parseRecord(revisionRecord, value, this.#number, ['revisions', this.#count])
    const { length } = this.#revisions
    const isFull = length >= TRANSFER_BATCH.revisions || this.#bytes + bytes.length > this.#maxBytes
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
