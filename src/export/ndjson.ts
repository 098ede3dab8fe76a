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
  /** Default: whether the file's name ends in `.gz`. */
  gzip?: boolean
  /** Address of the license, in place of the wiki's own. */
  license?: string
  /** How many pages are written at a time, which is what an interruption loses. Default: 500. */
  partPages?: number
  onProgress?(progress: ExportProgress): void
  /** Bytes of edits that are in memory at a time; one that has more goes alone. */
  batchBytes?: number
}

export interface ExportSummary {
  pages: number
  revisions: number
  /** Of the pages, those that an earlier run had written. */
  reusedPages: number
  /** What was not written since no import would take it: a sentence each. Absent where there is nothing. */
  notes?: string[]
}

/**
 * Writes the wiki in the interchange form. The file appears when it is whole; until then its parts lie in a
 * folder beside it, where the next run goes on after an interruption. It holds the wiki as of one moment, at
 * which the last run began: a part that the wiki would not give any more is written again. (D62)
 * @throws UsageError when the file cannot be written, another process is at it, or the database goes away
 */
export const exportNdjson = async (
  database: Database,
  file: string,
  options: ExportOptions = {},
): Promise<ExportSummary> => {
  const { view = 'everything', gzip = file.endsWith('.gz'), license } = options
  const { partPages = 500, onProgress = () => {} } = options
  const partial = await open(file, { view, gzip })
  const keptBefore = new Set<ExportPart>(partial.completedParts)
  try {
    let notes: string[] = []
    const parts = await inSnapshot(
      database,
      view,
      async (moment) => {
        const all = await writeParts(moment, partial, { gzip, license, partPages, onProgress })
        notes = notesOf(moment.omitted())
        return all
      },
      options.batchBytes,
    )
    await partial.finish(parts)
    const sum = (key: 'pages' | 'revisions', some: ExportPart[]) =>
      some.reduce((so, part) => so + part[key], 0)
    return {
      pages: sum('pages', parts),
      revisions: sum('revisions', parts),
      reusedPages: sum(
        'pages',
        parts.filter((part) => keptBefore.has(part)),
      ),
      ...(notes.length > 0 ? { notes } : {}),
    }
  } catch (error) {
    const reason = explained(file, error)
    const isKept = await partial.close()
    throw isKept && reason instanceof UsageError
      ? new UsageError(`${reason.message} ${canResume(file)}`)
      : reason
  }
}

const TEXTS: Record<OmittedContent['what'], string> = {
  text: `Edits left out, because a text of an import has at most ${TEXT_BYTES_MAX} bytes`,
  categories: `Edits written with their first ${CATEGORIES_MAX} categories, which is what an import takes`,
}

const notesOf = (leftOut: readonly OmittedContent[]): string[] =>
  (['text', 'categories'] as const).flatMap((what) => {
    const some = leftOut.filter((one) => one.what === what)
    const [first] = some
    if (!first) return []
    const place = quote(`${first.path} (${first.locale}), edit ${first.id}`)
    return [`${TEXTS[what]}: ${some.length}, first ${place}`]
  })

/** What to tell who stopped an export. */
export const canResume = (file: string): string =>
  `What is written so far is in ${partialFolder(file)}: the same command goes on from there.`

const open = async (file: string, form: Parameters<typeof openPartial>[1]): Promise<PartialExport> => {
  try {
    if ((await stat(file).catch(() => undefined))?.isDirectory()) {
      throw new UsageError(`${file} cannot be written: it is a folder. Give the name of a file in it.`)
    }
    return await openPartial(file, form)
  } catch (error) {
    throw explained(file, error)
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such folder; make it first',
  ENOTDIR: 'there is no such folder; make it first',
  EACCES: 'permission is denied; give a place where you may write',
  EPERM: 'permission is denied; give a place where you may write',
  EROFS: 'the disk is read-only; give another place',
  ENOSPC: 'the disk is full; make room',
}

/** What a person can mend; other errors are left as they are. */
const explained = (file: string, error: unknown): unknown => {
  const { syscall, code = '', message } = error as NodeJS.ErrnoException
  if (isConnectionError(error) && !FILE_CALLS.has(syscall ?? ''))
    return new UsageError(`The database went away: ${message}.`)
  return syscall ? new UsageError(`${file} cannot be written: ${REASONS[code] ?? message}.`) : error
}

/** Some of whose errors have the codes of connections, too. */
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
