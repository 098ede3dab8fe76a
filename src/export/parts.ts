import { createHash, type Hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { TRANSFER_BATCH } from '../limits.ts'
import {
  BEFORE_ALL_PAGES,
  type ExportedPageChunk,
  type PageAddress,
  type PageRange,
  type Snapshot,
} from '../read/snapshot.ts'
import { PageLines } from './page-lines.ts'
import type { ExportPart, PartialExport } from './partial.ts'

export interface ExportProgress {
  /** Pages that the file contains. */
  pages: number
  totalPages: number
  /** The pages among them that an earlier run wrote. */
  reusedPages: number
}

interface PartOptions {
  gzip: boolean
  license?: string
  /** Pages of a part. */
  partPages: number
  onProgress(progress: ExportProgress): void
}

/** A part ends after the page that reaches this size, bytes before compression. An interruption loses one part. */
const PART_BYTES = 16 * 1024 * 1024

/**
 * Writes the parts of the file that are missing, or that differ from the wiki as it is now.
 * @returns all parts of the file, in order
 */
export const writeParts = async (
  snapshot: Snapshot,
  partial: PartialExport,
  options: PartOptions,
): Promise<ExportPart[]> => {
  const writer = new PartWriter(snapshot, partial, options, await snapshot.countPages())
  const starts = [...partial.completedParts]
    .flatMap(({ after }) => (after === null ? [] : [after]))
    .sort(compareAddresses)
  const parts = [await writer.head()]
  for (let after = BEFORE_ALL_PAGES; ; ) {
    const completed = partial.nextCompletedPart(after)
    if (completed && (await isUnchanged(snapshot, completed))) {
      parts.push(writer.reuse(completed))
      after = completed.to!
      continue
    }
    // Stop where another completed part starts: it may be unchanged.
    const to = starts.find((start) => compareAddresses(start, after) > 0)
    for (let last = after; ; ) {
      const part = await writer.pages({ after: last, to })
      if (!part) break
      parts.push(part)
      last = part.to!
    }
    if (!to) return parts
    after = to
  }
}

/** Writes one part after another, and reports the progress after each. */
class PartWriter {
  readonly #snapshot: Snapshot
  readonly #partial: PartialExport
  readonly #options: PartOptions
  readonly #lines: LineBuffer
  readonly #progress: ExportProgress

  constructor(snapshot: Snapshot, partial: PartialExport, options: PartOptions, totalPages: number) {
    this.#snapshot = snapshot
    this.#partial = partial
    this.#options = options
    this.#lines = new LineBuffer(partial, options.gzip)
    this.#progress = { pages: 0, totalPages, reusedPages: 0 }
  }

  /** Writes the wiki and its categories, unless an earlier run wrote the same. */
  async head(): Promise<ExportPart> {
    const { license } = this.#options
    const lines: string[] = []
    for await (const record of this.#snapshot.head()) {
      lines.push(`${JSON.stringify(record.type === 'wiki' && license ? { ...record, license } : record)}\n`)
    }
    const digest = createHash('sha256').update(lines.join('')).digest('hex')
    const completed = this.#partial.nextCompletedPart(null)
    if (completed?.digest === digest) return this.reuse(completed)
    for (const line of lines) await this.#lines.write(line)
    return this.#end({ after: null, to: BEFORE_ALL_PAGES, pages: 0, revisions: 0, digest })
  }

  /** @returns undefined if the range has no more pages */
  async pages(range: PageRange): Promise<ExportPart | undefined> {
    const part = { after: range.after, to: range.after, pages: 0, revisions: 0 }
    const hash = createHash('sha256')
    let length = 0
    let page: PageLines | undefined
    const writeLine = async (line: string | null): Promise<void> => {
      if (line === null) return
      length += line.length
      await this.#lines.write(line)
    }
    for await (const chunk of this.#snapshot.pages(range, 'whole')) {
      page ??= new PageLines(chunk.page)
      for (const revision of chunk.revisions) await writeLine(page.add(revision))
      updateHash(hash, { ...chunk, revisions: chunk.revisions.map(withTextDigest) })
      part.revisions += chunk.revisions.length
      if (!chunk.isLast) continue
      await writeLine(page.end())
      page = undefined
      part.pages += 1
      part.to = [chunk.page.locale, chunk.page.path]
      if (part.pages >= this.#options.partPages || length >= PART_BYTES) break
    }
    return part.pages === 0 ? undefined : this.#end({ ...part, digest: hash.digest('hex') })
  }

  /** Counts a part that an earlier run wrote. */
  reuse(part: ExportPart): ExportPart {
    this.#progress.reusedPages += part.pages
    return this.#reportProgress(part)
  }

  async #end(part: Parameters<PartialExport['end']>[0]): Promise<ExportPart> {
    await this.#lines.flush()
    return this.#reportProgress(await this.#partial.end(part))
  }

  #reportProgress(part: ExportPart): ExportPart {
    this.#progress.pages += part.pages
    this.#options.onProgress(this.#progress)
    return part
  }
}

const compress = promisify(gzip)

/** Lines on their way to the file: a few megabytes. With `gzip`, each flush writes one gzip member. */
class LineBuffer {
  readonly #partial: PartialExport
  readonly #gzip: boolean
  #lines: string[] = []
  #length = 0

  constructor(partial: PartialExport, isCompressed: boolean) {
    this.#partial = partial
    this.#gzip = isCompressed
  }

  async write(line: string): Promise<void> {
    this.#lines.push(line)
    this.#length += line.length
    if (this.#length >= TRANSFER_BATCH.bytes) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#lines.length === 0) return
    const text = Buffer.from(this.#lines.length === 1 ? this.#lines[0]! : this.#lines.join(''))
    this.#lines = []
    this.#length = 0
    await this.#partial.append(this.#gzip ? await compress(text) : text)
  }
}

const isUnchanged = async (snapshot: Snapshot, { after, to, digest }: ExportPart): Promise<boolean> => {
  const hash = createHash('sha256')
  for await (const chunk of snapshot.pages({ after: after!, to: to! }, 'digests')) updateHash(hash, chunk)
  return hash.digest('hex') === digest
}

/** The order of the database: by bytes. JavaScript orders strings by UTF-16 code units. */
const compareAddresses = (a: PageAddress, b: PageAddress): number =>
  Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])) || Buffer.compare(Buffer.from(a[1]), Buffer.from(b[1]))

type Revision = ExportedPageChunk['revisions'][number]

const withTextDigest = (revision: Revision): Revision => ({
  ...revision,
  markdown: createHash('md5').update(revision.markdown).digest('hex'),
})

/** The result does not depend on how a page is divided into chunks. */
const updateHash = (hash: Hash, { page, revisions, isLast }: ExportedPageChunk): void => {
  for (const revision of revisions) hash.update(`${JSON.stringify(revision)}\n`)
  if (isLast) hash.update(`${JSON.stringify(page)}\n`)
}
