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
  /** Pages that are in the file. */
  pages: number
  totalPages: number
  /** Of these, those that an earlier run had written. */
  reusedPages: number
}

interface PartOptions {
  gzip: boolean
  license?: string
  /** Pages of a part. */
  partPages: number
  onProgress(progress: ExportProgress): void
}

/** A part ends with the page that makes it so many bytes before they are compressed: what an interruption loses. */
const PART_BYTES = 16 * 1024 * 1024

const compressed = promisify(gzip)

/**
 * Writes the parts of a file that are not there yet, or not as the wiki is now.
 * @returns all parts of the file, in order
 */
export const writeParts = async (
  moment: Snapshot,
  partial: PartialExport,
  { gzip, license, partPages, onProgress }: PartOptions,
): Promise<ExportPart[]> => {
  const progress: ExportProgress = { pages: 0, totalPages: await moment.countPages(), reusedPages: 0 }
  /** Lines on their way to the file: a few megabytes, which are a gzip member of their own. */
  let lines: string[] = []
  let held = 0
  const flush = async (): Promise<void> => {
    const text = Buffer.from(lines.length === 1 ? lines[0]! : lines.join(''))
    lines = []
    held = 0
    await partial.append(gzip ? await compressed(text) : text)
  }
  const write = async (line: string): Promise<void> => {
    lines.push(line)
    held += line.length
    if (held >= TRANSFER_BATCH.bytes) await flush()
  }
  const end = async (part: Parameters<PartialExport['end']>[0]): Promise<ExportPart> => {
    if (lines.length > 0) await flush()
    return partial.end(part)
  }
  const done = (part: ExportPart, isKept: boolean): ExportPart => {
    progress.pages += part.pages
    if (isKept) progress.reusedPages += part.pages
    onProgress(progress)
    return part
  }

  const head = async (): Promise<ExportPart> => {
    const headLines: string[] = []
    for await (const record of moment.head()) {
      headLines.push(
        `${JSON.stringify(record.type === 'wiki' && license ? { ...record, license } : record)}\n`,
      )
    }
    const digest = createHash('sha256').update(headLines.join('')).digest('hex')
    const kept = partial.nextCompletedPart(null)
    if (kept?.digest === digest) return done(kept, true)
    for (const line of headLines) await write(line)
    return done(await end({ after: null, to: BEFORE_ALL_PAGES, pages: 0, revisions: 0, digest }), false)
  }

  /** @returns undefined where there is no page any more */
  const pagesIn = async (range: PageRange): Promise<ExportPart | undefined> => {
    const part = { after: range.after, to: range.after, pages: 0, revisions: 0 }
    const print = createHash('sha256')
    let length = 0
    let page: PageLines | undefined
    const writeLine = async (line: string | null): Promise<void> => {
      if (line === null) return
      length += line.length
      await write(line)
    }
    for await (const portion of moment.pages(range, 'whole')) {
      page ??= new PageLines(portion.page)
      for (const revision of portion.revisions) await writeLine(page.add(revision))
      addPrint(print, { ...portion, revisions: portion.revisions.map(withDigest) })
      part.revisions += portion.revisions.length
      if (!portion.isLast) continue
      await writeLine(page.end())
      page = undefined
      part.pages += 1
      part.to = [portion.page.locale, portion.page.path]
      if (part.pages >= partPages || length >= PART_BYTES) break
    }
    if (part.pages === 0) return undefined
    return done(await end({ ...part, digest: print.digest('hex') }), false)
  }

  const isAsItWas = async ({ after, to, digest }: ExportPart): Promise<boolean> => {
    const now = createHash('sha256')
    for await (const portion of moment.pages({ after: after!, to: to! }, 'digests')) addPrint(now, portion)
    return now.digest('hex') === digest
  }

  const starts = [...partial.completedParts]
    .flatMap(({ after }) => (after === null ? [] : [after]))
    .sort(inOrder)
  const parts = [await head()]
  for (let after = BEFORE_ALL_PAGES; ; ) {
    const earlier = partial.nextCompletedPart(after)
    if (earlier && (await isAsItWas(earlier))) {
      parts.push(done(earlier, true))
      after = earlier.to!
      continue
    }
    // Up to where another part begins, which may well be as it was.
    const to = starts.find((start) => inOrder(start, after) > 0)
    for (let last = after; ; ) {
      const part = await pagesIn({ after: last, to })
      if (!part) break
      parts.push(part)
      last = part.to!
    }
    if (!to) return parts
    after = to
  }
}

/** As the database orders them: by bytes, which is not how JavaScript orders strings. */
const inOrder = (a: PageAddress, b: PageAddress): number =>
  Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])) || Buffer.compare(Buffer.from(a[1]), Buffer.from(b[1]))

type Revision = ExportedPageChunk['revisions'][number]

const withDigest = (revision: Revision): Revision => ({
  ...revision,
  markdown: createHash('md5').update(revision.markdown).digest('hex'),
})

/** The same however many portions a page comes in. */
const addPrint = (print: Hash, { page, revisions, isLast }: ExportedPageChunk): void => {
  for (const revision of revisions) print.update(`${JSON.stringify(revision)}\n`)
  if (isLast) print.update(`${JSON.stringify(page)}\n`)
}
