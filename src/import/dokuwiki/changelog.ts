import type { DataFolder } from './data-folder.ts'

/** A line of a changelog. It has no IP address, so no record can have one. */
export interface ChangelogLine {
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
export const readChangelog = async (folder: DataFolder, path: string): Promise<ChangelogLine[] | null> => {
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
