import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { UsageError } from '@lectern/wiki/errors'
import { ImportNotes } from '@lectern/wiki/import/notes'
import { CATEGORIES_MAX, TEXT_BYTES_MAX, TRANSFER_BATCH } from '@lectern/wiki/limits'
import type { CompleteRevision } from '@lectern/wiki/records'
import { isConnectionError } from '../db/connection-error.ts'
import type { Database } from '../db/database.ts'
import {
  type ExportedPage,
  type ExportView,
  inSnapshot,
  type OmittedContent,
  type Snapshot,
} from '../read/snapshot.ts'
import { createTemporaryFile, exportFiles, STANDARD_OUTPUT } from './output-files.ts'

export interface ExportOptions {
  /** Default: everything. */
  view?: ExportView
  /** Default: whether the name of the file ends in `.gz`. */
  gzip?: boolean
  /** URL of the license; replaces the license that is stored with the wiki. */
  license?: string
  /** Called after each page, with how many pages are written. */
  onProgress?(progress: { pages: number; totalPages: number }): void
  /** Bytes of revisions in memory at a time. A larger revision is a batch of its own. */
  batchBytes?: number
}

export interface ExportSummary {
  pages: number
  revisions: number
  /** Files in the folder beside it. */
  files: number
  /** One sentence for each kind of content that no import accepts, and that was therefore left out. */
  notes?: string[]
}

/**
 * Writes the wiki in the interchange format, as it is when the export begins. The file appears when it is complete: until
 * then, `FILE.partial` is written. If the export ends early, an older file stays as it is. `-` is standard output, without files.
 * @throws UsageError if the file cannot be written, another export to it begins, or the connection to the database is lost
 */
export const exportNdjson = async (database: Database, file: string, options: ExportOptions = {}) => {
  const { gzip = file.endsWith('.gz') } = options
  try {
    await refuseFolder(file)
    const temporary = file === '-' ? STANDARD_OUTPUT : await createTemporaryFile(file)
    try {
      const summary = await inSnapshot(database, options, async (snapshot) => {
        const summary: ExportSummary = { pages: 0, revisions: 0, files: 0 }
        const texts = textsOf(linesOf(snapshot, summary, file, options))
        await (gzip ? pipeline(texts, createGzip(), temporary.write) : temporary.write(texts))
        const notes = omissionNotes(snapshot.omitted())
        return { ...summary, ...(notes.length > 0 ? { notes } : {}) }
      })
      await temporary.finish()
      return summary
    } finally {
      await temporary.discard()
    }
  } catch (error) {
    throw explainError(file, error)
  }
}

/** The lines of the file. Counts what it has written in `summary`. */
async function* linesOf(
  snapshot: Snapshot,
  summary: ExportSummary,
  file: string,
  { license, onProgress = () => {} }: ExportOptions,
): AsyncGenerator<string> {
  const totalPages = await snapshot.countPages()
  for await (const record of snapshot.head())
    yield `${JSON.stringify(record.type === 'wiki' && license ? { ...record, license } : record)}\n`
  let page: ReturnType<typeof makePageLines> | undefined
  for await (const { page: current, revision } of snapshot.pages()) {
    page ??= makePageLines(current)
    if (revision) {
      const line = page.add(revision)
      if (line !== null) yield line
      summary.revisions += 1
      continue
    }
    yield page.end()
    page = undefined
    summary.pages += 1
    onProgress({ pages: summary.pages, totalPages })
  }
  for await (const line of file === '-' ? [] : exportFiles(snapshot, file)) {
    summary.files += 1
    yield line
  }
}

/** Lines, joined to texts of a few megabytes. */
async function* textsOf(lines: AsyncGenerator<string>): AsyncGenerator<string> {
  let text = ''
  for await (const line of lines) {
    text += line
    if (text.length < TRANSFER_BATCH.bytes) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

const OMISSIONS: Record<OmittedContent['what'], string> = {
  text: `Edits left out, because an import accepts texts of at most ${TEXT_BYTES_MAX} bytes`,
  categories: `Edits written without some of their categories, because an import accepts at most ${CATEGORIES_MAX}`,
}

const omissionNotes = (omitted: readonly OmittedContent[]): string[] => {
  const notes = new ImportNotes(OMISSIONS)
  for (const { what, path, locale, id } of omitted) notes.add(what, `${path} (${locale}), edit ${id}`)
  return notes.lines()
}

const refuseFolder = async (file: string): Promise<void> => {
  if ((await stat(file).catch(() => undefined))?.isDirectory())
    throw new UsageError(`Cannot write ${file}: it is a folder. Specify a file in this folder.`)
}

const NO_FOLDER = 'the folder does not exist. Create it first'
const NO_RIGHT = 'permission denied. Specify a file that you can write'
const REASONS: Record<string, string> = {
  ENOENT: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: 'the disk is read-only. Specify a file on another disk',
  ERR_FS_EISDIR: 'a folder has the name of its temporary file, which ends in .partial. Remove this folder',
  ENOSPC: 'the disk is full. Free some space',
}

/** Explains the errors that the user can fix; returns other errors unchanged. */
const explainError = (file: string, error: unknown): unknown => {
  const { syscall, code = '', message } = error as NodeJS.ErrnoException
  if (isConnectionError(error) && !FILE_CALLS.has(syscall ?? ''))
    return new UsageError(`The connection to the database was lost: ${message}.`)
  return syscall ? new UsageError(`Cannot write ${file}: ${REASONS[code] ?? message}.`) : error
}

/** System calls on files. Some of their error codes are also codes of connection errors. */
const FILE_CALLS = new Set(['open', 'write', 'fsync', 'rename', 'lstat', 'rm', 'unlink'])

/** Bytes of revisions in one line: half of a batch. A larger revision gets a line of its own. */
const LINE_BYTES = TRANSFER_BATCH.bytes / 2

/**
 * A page as lines of the interchange format: one line, or several lines with some of its revisions each. Where a line
 * ends depends on the page alone, so an import followed by an export gives the same bytes. (D71)
 */
const makePageLines = (page: ExportedPage) => {
  const head = JSON.stringify(page).slice(0, -1)
  let revisions: string[] = []
  let length = 0
  /** @returns the last line */
  const end = (): string => {
    const line = `${head},"revisions":[${revisions.join(',')}]}\n`
    revisions = []
    length = 0
    return line
  }
  return {
    end,
    /** @returns a line with the revisions before this one, if it is full; otherwise null */
    add: (revision: CompleteRevision): string | null => {
      const text = JSON.stringify(revision)
      const added = Buffer.byteLength(text)
      const full = revisions.length > 0 && length + added > LINE_BYTES ? end() : null
      revisions.push(text)
      length += added
      return full
    },
  }
}
