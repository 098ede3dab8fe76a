import { type ChangelogLine, readChangelog } from './changelog.ts'
import type { DataFolder } from './data-folder.ts'
import type { DokuwikiNotes } from './notes.ts'
import type { DokuwikiPageFile } from './pages.ts'
import { type FileText, readText } from './texts.ts'

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
