import { stat } from 'node:fs/promises'
import { isConnectionError } from '../db/connection-error.ts'
import type { Database } from '../db/database.ts'
import { UsageError } from '../errors.ts'
import { CATEGORIES_MAX, TEXT_BYTES_MAX } from '../limits.ts'
import { type ExportView, inSnapshot, type OmittedContent } from '../read/snapshot.ts'
import { quote } from '../wiki/text.ts'
import { type ExportPart, openPartial, type PartialExport, partialFolder } from './partial.ts'
import { type ExportProgress, writeParts } from './parts.ts'

export interface ExportOptions {
  /** Default: everything. */
  view?: ExportView
  /** Default: whether the name of the file ends in `.gz`. */
  gzip?: boolean
  /** URL of the license; replaces the license that is stored with the wiki. */
  license?: string
  /** Pages of a part. An interruption loses one part. Default: 500. */
  partPages?: number
  onProgress?(progress: ExportProgress): void
  /** Bytes of revisions in memory at a time. A larger revision is a batch of its own. */
  batchBytes?: number
}

export interface ExportSummary {
  pages: number
  revisions: number
  /** The pages among them that an earlier run wrote. */
  reusedPages: number
  /** One sentence for each kind of content that no import accepts, and that was therefore left out. */
  notes?: string[]
}

/**
 * Writes the wiki in the interchange format. The file appears when it is complete. Until then its parts are in a
 * folder beside it, and the next run continues there after an interruption. The file shows the wiki at the time when
 * the last run began: parts that no longer match the wiki are written again. (D62)
 * @throws UsageError if the file cannot be written, another process exports to it, or the connection to the database
 * is lost
 */
export const exportNdjson = async (
  database: Database,
  file: string,
  options: ExportOptions = {},
): Promise<ExportSummary> => {
  const { view = 'everything', gzip = file.endsWith('.gz'), license } = options
  const { partPages = 500, onProgress = () => {} } = options
  const partial = await open(file, { view, gzip })
  const reusable = new Set<ExportPart>(partial.completedParts)
  try {
    let notes: string[] = []
    const parts = await inSnapshot(
      database,
      view,
      async (snapshot) => {
        const written = await writeParts(snapshot, partial, { gzip, license, partPages, onProgress })
        notes = omissionNotes(snapshot.omitted())
        return written
      },
      options.batchBytes,
    )
    await partial.finish(parts)
    const sum = (key: 'pages' | 'revisions', some: ExportPart[]) =>
      some.reduce((total, part) => total + part[key], 0)
    return {
      pages: sum('pages', parts),
      revisions: sum('revisions', parts),
      reusedPages: sum(
        'pages',
        parts.filter((part) => reusable.has(part)),
      ),
      ...(notes.length > 0 ? { notes } : {}),
    }
  } catch (error) {
    const reason = explainError(file, error)
    const isResumable = await partial.close()
    throw isResumable && reason instanceof UsageError
      ? new UsageError(`${reason.message} ${resumeAdvice(file)}`)
      : reason
  }
}

const OMISSIONS: Record<OmittedContent['what'], string> = {
  text: `Edits left out, because an import accepts texts of at most ${TEXT_BYTES_MAX} bytes`,
  categories: `Edits written without some of their categories, because an import accepts at most ${CATEGORIES_MAX}`,
}

const omissionNotes = (omitted: readonly OmittedContent[]): string[] =>
  (['text', 'categories'] as const).flatMap((what) => {
    const some = omitted.filter((one) => one.what === what)
    const [first] = some
    if (!first) return []
    const example = quote(`${first.path} (${first.locale}), edit ${first.id}`)
    return [`${OMISSIONS[what]}: ${some.length}, first ${example}`]
  })

/** What the user can do after an export has stopped. */
export const resumeAdvice = (file: string): string =>
  `The export so far is in ${partialFolder(file)}. Run the same command again to continue.`

const open = async (file: string, format: Parameters<typeof openPartial>[1]): Promise<PartialExport> => {
  try {
    if ((await stat(file).catch(() => undefined))?.isDirectory()) {
      throw new UsageError(`Cannot write ${file}: it is a folder. Specify a file in this folder.`)
    }
    return await openPartial(file, format)
  } catch (error) {
    throw explainError(file, error)
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'the folder does not exist. Create it first',
  ENOTDIR: 'the folder does not exist. Create it first',
  EACCES: 'permission denied. Specify a file that you can write',
  EPERM: 'permission denied. Specify a file that you can write',
  EROFS: 'the disk is read-only. Specify a file on another disk',
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
const FILE_CALLS = new Set([
  'open',
  'mkdir',
  'write',
  'read',
  'rename',
  'fdatasync',
  'ftruncate',
  'lstat',
  'rm',
])
