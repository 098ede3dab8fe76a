import {
  constants,
  copyFileSync,
  type Dirent,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { RESERVE_BYTES } from './data-directory.ts'

/** Copies of the database are folders beside it, with these names. */
const COPY_PREFIX = 'postgres.readers-'
const CONTROL_FILE = join('global', 'pg_control')
const LOG_FOLDER = 'pg_wal'
/** Folders whose files a database does not need when it opens. */
const TEMPORARY = ['pgsql_tmp', 'pg_stat_tmp']

/** What of the log a copy needs: names of the first and the last segment. */
export interface LogRange {
  first: string
  last: string
}

export const copyPath = (dataDir: string, number: number): string => join(dataDir, `${COPY_PREFIX}${number}`)

/** Removes the copies that a process left behind when it was killed. */
export const removeCopies = (dataDir: string): void => {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(COPY_PREFIX)) rmSync(join(dataDir, name), { recursive: true, force: true })
}

/**
 * Copies the files of a database, apart from its log, while readers may use it. The file that says where recovery
 * begins comes first, and `copyLog` must follow: then PostgreSQL recovers the copy as if it had crashed.
 * @throws Error when the disk has no space for the copy, and for what a transaction writes meanwhile
 */
export const copyDataFiles = (from: string, to: string): void => {
  const files = pathsIn(from, (entry) => entry.isFile()).filter(isNeeded)
  const { bavail, bsize } = statfsSync(from)
  const needed = 2 * files.reduce((sum, path) => sum + sizeOf(join(from, path)), RESERVE_BYTES)
  if (bavail * bsize < needed)
    throw new Error(`${Math.ceil(needed / 1024 ** 2)} MB would have to be free on the disk of ${from}`)
  mkdirSync(to, { mode: 0o700 })
  for (const folder of pathsIn(from, (entry) => entry.isDirectory()))
    mkdirSync(join(to, folder), { recursive: true, mode: 0o700 })
  copyFile(from, to, CONTROL_FILE)
  for (const path of files) if (path !== CONTROL_FILE) copyFile(from, to, path)
}

/** Copies the log. It may have further segments that PostgreSQL keeps for later. */
export const copyLog = (from: string, to: string, { first, last }: LogRange): void => {
  for (const name of readdirSync(join(from, LOG_FOLDER)))
    if (name >= first && name <= last) copyFile(from, to, join(LOG_FOLDER, name))
}

/** Paths in a folder, at all depths. */
const pathsIn = (folder: string, isWanted: (entry: Dirent) => boolean): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(isWanted)
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))

const isNeeded = (path: string): boolean => {
  const parts = path.split(/[/\\]/)
  return !(parts[0] === LOG_FOLDER && parts.length === 2) && !TEMPORARY.some((name) => parts.includes(name))
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** A file may be removed meanwhile: then the database does not need it. On some file systems, a copy takes no space. */
const copyFile = (from: string, to: string, path: string): void => {
  try {
    copyFileSync(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
