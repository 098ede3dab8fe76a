import { createHash, type Hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Address, type ExportedPage, type PageRange, START, type WikiMoment } from '../data/exporting.ts'
import { linesOfPage } from './page-lines.ts'
import type { Part, PartialExport } from './partial.ts'

export interface ExportProgress {
  /** Pages that are in the file. */
  pages: number
  totalPages: number
  /** Of these, those that an earlier run had written. */
  keptPages: number
}

export interface PartOptions {
  gzip: boolean
  license?: string
  /** Pages of a part; a few more, as they are read. */
  partPages: number
  onProgress(progress: ExportProgress): void
}

/** A part ends when it has so many bytes before they are compressed: it is in memory whole. */
const PART_BYTES = 16 * 1024 * 1024

const compressed = promisify(gzip)

/**
 * Writes the parts of a file that are not there yet, or not as the wiki is now.
 * @returns all parts of the file, in order
 */
export const partsOf = async (
  moment: WikiMoment,
  partial: PartialExport,
  { gzip, license, partPages, onProgress }: PartOptions,
): Promise<Part[]> => {
  const progress: ExportProgress = { pages: 0, totalPages: await moment.countPages(), keptPages: 0 }
  const bytesOf = async (lines: string[]): Promise<Buffer> => {
    const text = Buffer.from(lines.join(''))
    return gzip ? compressed(text) : text
  }
  const done = (part: Part, isKept: boolean): Part => {
    progress.pages += part.pages
    if (isKept) progress.keptPages += part.pages
    onProgress(progress)
    return part
  }

  const head = async (): Promise<Part> => {
    const lines: string[] = []
    for await (const record of moment.head()) {
      lines.push(`${JSON.stringify(record.type === 'wiki' && license ? { ...record, license } : record)}\n`)
    }
    const print = createHash('sha256').update(lines.join('')).digest('hex')
    const kept = partial.partAfter(null)
    if (kept?.print === print) return done(kept, true)
    const bytes = await bytesOf(lines)
    return done(await partial.write({ after: null, to: START, pages: 0, revisions: 0, print }, bytes), false)
  }

  /** @returns undefined where there is no page any more */
  const pagesIn = async (range: PageRange): Promise<Part | undefined> => {
    const part = { after: range.after, to: range.after, pages: 0, revisions: 0 }
    const print = createHash('sha256')
    const lines: string[] = []
    let length = 0
    for await (const pages of moment.pages(range, 'whole')) {
      for (const page of pages) {
        for (const line of linesOfPage(page)) {
          lines.push(line)
          length += line.length
        }
        addPrint(print, { ...page, revisions: page.revisions.map(withDigest) })
        part.revisions += page.revisions.length
      }
      part.pages += pages.length
      part.to = addressOf(pages.at(-1)!)
      if (part.pages >= partPages || length >= PART_BYTES) break
    }
    if (part.pages === 0) return undefined
    return done(await partial.write({ ...part, print: print.digest('hex') }, await bytesOf(lines)), false)
  }

  const isAsItWas = async ({ after, to, print }: Part): Promise<boolean> => {
    const now = createHash('sha256')
    for await (const pages of moment.pages({ after: after!, to: to! }, 'digests')) {
      for (const page of pages) addPrint(now, page)
    }
    return now.digest('hex') === print
  }

  const starts = [...partial.kept].flatMap(({ after }) => (after === null ? [] : [after])).sort(inOrder)
  const parts = [await head()]
  for (let after = START; ; ) {
    const earlier = partial.partAfter(after)
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
const inOrder = (a: Address, b: Address): number =>
  Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])) || Buffer.compare(Buffer.from(a[1]), Buffer.from(b[1]))

const addressOf = ({ locale, path }: ExportedPage): Address => [locale, path]

type Revision = ExportedPage['revisions'][number]

const withDigest = (revision: Revision): Revision => ({
  ...revision,
  markdown: createHash('md5').update(revision.markdown).digest('hex'),
})

const addPrint = (print: Hash, page: ExportedPage): void => {
  print.update(`${JSON.stringify(page)}\n`)
}
