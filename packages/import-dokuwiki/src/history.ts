import { decompressFile } from '@lectern/wiki/import/bunzip2'
import { decodeText } from '@lectern/wiki/import/text-encoding'
import { revisionIdOf } from '@lectern/wiki/import/wiki-record'
import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import type { DataFolder } from './folders.ts'
import type { DokuwikiNotes } from './notes.ts'
import type { DokuwikiPageFile } from './pages.ts'

/** The id of a revision of a DokuWiki: it begins with its time in seconds, which DokuWiki itself uses as its id. */
export const dokuwikiRevisionId = (locale: string, id: string, time: number): string =>
  revisionIdOf(time.toString(16).padStart(12, '0'), ['dokuwiki', locale, id, time].join('\0'))

/** A line of a changelog. It has no IP address, so no record can have one. */
interface ChangelogLine {
  /** Seconds since 1970. */
  time: number
  isDeletion: boolean
  /** Login name; empty for guests. */
  user: string
  summary: string
}

/** Bytes of one changelog: more than 100,000 lines. */
const MAX_BYTES = 32 * 1024 * 1024
/** The last second that a timestamp of Lectern can have: the end of the year 9999. */
const MAX_TIME = 253_402_300_799

/**
 * Reads the changelog of a page, in the order of time. Of several lines of one second, the last one counts. Lines that
 * are not changes are left out.
 * @returns null if the file is too long or cannot be read; an empty list if there is none
 */
const readChangelog = async (folder: DataFolder, path: string): Promise<ChangelogLine[] | null> => {
  const names = await folder.namesBeside(path)
  if (!names.has(path.slice(path.lastIndexOf('/') + 1))) return []
  const file = await folder.openFile(path)
  if (file === null) return null
  try {
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > MAX_BYTES) return null
    const changes = new Map<number, ChangelogLine>()
    for (const line of (await file.readFile()).toString('utf8').split('\n')) {
      const change = parseChangelogLine(line)
      if (change) changes.set(change.time, change)
    }
    return [...changes.values()].sort((a, b) => a.time - b.time)
  } catch {
    return null
  } finally {
    await file.close()
  }
}

/** Fields: time, IP address, type, id, user, summary, extra, change of size. */
const parseChangelogLine = (line: string): ChangelogLine | null => {
  const fields = line.split('\t')
  const time = Number(fields[0])
  if (fields.length < 4 || !/^\d{1,12}$/.test(fields[0]!) || time > MAX_TIME) return null
  return {
    time,
    isDeletion: fields[2] === 'D',
    user: (fields[4] ?? '').toWellFormed(),
    summary: (fields[5] ?? '').toWellFormed(),
  }
}

/** A text of a file, or why there is none. */
type FileText = { text: string } | 'missing' | 'broken' | 'too long'

/** Size of a chunk of decompressed bytes. */
const CHUNK = 1 << 16

/**
 * Reads a text, compressed with gzip (`.gz`) or bzip2 (`.bz2`) or not. Stops after the longest text that a page can
 * have, so a small file that expands to gigabytes costs no more than any other.
 */
export const readText = async (folder: DataFolder, path: string): Promise<FileText> => {
  const file = await folder.openFile(path)
  if (file === null) return 'missing'
  try {
    if (!(await file.stat()).isFile()) return 'broken'
    return await collect(decompressFile(path, file.createReadStream({ highWaterMark: CHUNK }), CHUNK))
  } catch {
    return 'broken'
  } finally {
    await file.close().catch(() => {}) // a stream that ended has closed it
  }
}

const collect = async (chunks: AsyncIterable<Buffer>): Promise<FileText> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > TEXT_BYTES_MAX) return 'too long'
    parts.push(chunk)
  }
  return { text: decodeText(Buffer.concat(parts)).text.toWellFormed() }
}

/** The folders with the texts and changelogs of pages. */
export interface DokuwikiData {
  pages: DataFolder
  attic: DataFolder
  meta: DataFolder
}

/** A revision of a page, and where its text is. */
export interface DokuwikiRevision {
  /** Seconds since 1970. */
  time: number
  user: string
  summary: string
  /** Path of its text: in the folder of pages for the current text, otherwise in the attic. */
  path: string
  isCurrent: boolean
}

/**
 * The revisions of a page that have a text, in the order of time. The current text is the last one: DokuWiki shows it
 * whatever the changelog says. If the file was changed without DokuWiki, the current text is a revision of its own.
 * @param onlyCurrent whether guests of the wiki see no old revisions
 */
export const readHistory = async (
  data: DokuwikiData,
  page: DokuwikiPageFile,
  { onlyCurrent }: { onlyCurrent: boolean },
  notes: DokuwikiNotes,
): Promise<DokuwikiRevision[]> => {
  const changes = await readChangelog(data.meta, `${page.file}.changes`)
  if (changes === null) notes.add('no changelog', page.id)
  const edits = (changes ?? []).filter(({ isDeletion }) => !isDeletion)
  const names = await data.attic.namesBeside(page.file)
  const old = edits.flatMap((change) => atticRevision(page, change, names))
  const current = page.isDeleted ? null : await currentRevision(data, page, changes ?? [], old)
  const others = old.filter(({ time }) => time !== current?.time)
  const missing = edits.length - others.length - (edits.some(({ time }) => time === current?.time) ? 1 : 0)
  if (onlyCurrent) {
    if (others.length > 0) notes.add('old revisions', page.id)
    return current === null ? [] : [current]
  }
  for (let count = 0; count < missing; count += 1) notes.add('no text', page.id)
  return current === null ? others : [...others, current]
}

const EXTENSIONS = ['.txt.gz', '.txt.bz2', '.txt']

const atticRevision = (
  page: DokuwikiPageFile,
  { time, user, summary }: ChangelogLine,
  names: ReadonlySet<string>,
): DokuwikiRevision[] => {
  const base = `${page.file}.${time}`
  const name = base.slice(base.lastIndexOf('/') + 1)
  const extension = EXTENSIONS.find((one) => names.has(name + one))
  return extension === undefined ? [] : [{ time, user, summary, path: base + extension, isCurrent: false }]
}

/**
 * The revision of the current text. The time of the file says which one it is. A copied file has another time: then it
 * is the last revision if the texts are equal. @see getCurrentRevisionInfo in DokuWiki's inc/ChangeLog/ChangeLog.php
 */
const currentRevision = async (
  data: DokuwikiData,
  page: DokuwikiPageFile,
  changes: readonly ChangelogLine[],
  old: readonly DokuwikiRevision[],
): Promise<DokuwikiRevision> => {
  const path = `${page.file}.txt`
  const last = changes.at(-1)
  const time = await timeOf(data.pages, path)
  const external = { user: '', summary: '', path, isCurrent: true }
  if (last === undefined) return { ...external, time }
  const isLast =
    time === last.time ||
    (await hasTextOf(
      data,
      path,
      old.find((one) => one.time === last.time),
    ))
  if (isLast && !last.isDeletion)
    return { time: last.time, user: last.user, summary: last.summary, path, isCurrent: true }
  return { ...external, time: Math.max(time, last.time + 1) }
}

/** When a file was changed, seconds since 1970. */
const timeOf = async (folder: DataFolder, path: string): Promise<number> => {
  const file = await folder.openFile(path)
  try {
    const { mtimeMs } = (await file?.stat()) ?? { mtimeMs: 0 }
    return Math.max(0, Math.floor(mtimeMs / 1000))
  } finally {
    await file?.close()
  }
}

const hasTextOf = async (
  data: DokuwikiData,
  path: string,
  revision: DokuwikiRevision | undefined,
): Promise<boolean> => {
  if (revision === undefined) return false
  const [current, old] = await Promise.all([readText(data.pages, path), readText(data.attic, revision.path)])
  return isText(current) && isText(old) && current.text === old.text
}

const isText = (text: FileText): text is { text: string } => typeof text !== 'string'
