import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Database } from '../data/database.ts'
import { exportRecords } from '../data/exporting.ts'
import { UsageError } from '../errors.ts'

export interface ExportSummary {
  pages: number
  revisions: number
}

/**
 * Writes the whole wiki in the interchange form; a name that ends in `.gz` is compressed. The file appears
 * when it is whole: until then it has another name beside it.
 * @throws UsageError when the file cannot be written
 */
export const exportNdjson = async (
  database: Database,
  file: string,
  onProgress: (summary: ExportSummary) => void = () => {},
): Promise<ExportSummary> => {
  const summary = { pages: 0, revisions: 0 }
  async function* lines() {
    for await (const record of exportRecords(database)) {
      if (record.type === 'page') {
        summary.pages += 1
        summary.revisions += record.revisions.length
        onProgress(summary)
      }
      yield `${JSON.stringify(record)}\n`
    }
  }
  const partial = `${file}.partial`
  try {
    const output = createWriteStream(partial)
    if (file.endsWith('.gz')) await pipeline(Readable.from(lines()), createGzip(), output)
    else await pipeline(Readable.from(lines()), output)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw unwritable(file, error)
  }
  return summary
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

/** What a person can mend; other errors are left as they are. */
const unwritable = (file: string, error: unknown): unknown => {
  const { syscall, code = '', message } = error as NodeJS.ErrnoException
  return syscall ? new UsageError(`${file} cannot be written: ${REASONS[code] ?? message}.`) : error
}
