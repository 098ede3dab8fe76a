import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { isFullDisk } from '@lectern/wiki/full-disk'
import {
  isWithoutSockets,
  lockWithPort,
  lockWithSocket,
  type ProcessLock,
  prepareSocketDirectory,
  recordedPort,
  type SocketDirectory,
} from './process-lock.ts'

/** `pg` connects to the socket `.s.PGSQL.5432` when it gets a folder as the host, and this port. */
const SOCKET_PORT = 5432
const SOCKET = `.s.PGSQL.${SOCKET_PORT}`
const PORT_FILE = '.embedded-port'

/**
 * Free space on the disk of the embedded database below which nothing is written, bytes: what one batch of an import
 * can take, including its log. `lectern check` warns earlier. (D48)
 */
export const RESERVE_BYTES = 128 * 1024 * 1024

/** The folder of the database in a data folder. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'postgres')

const noteFile = (dataDir: string): string => join(databaseFolder(dataDir), 'lectern-note.json')

/** A file that each opening and each closing of the database changes. */
const controlDigest = (dataDir: string): string =>
  createHash('sha256')
    .update(readFileSync(join(databaseFolder(dataDir), 'global', 'pg_control')))
    .digest('hex')

const parseNote = (dataDir: string): Promise<{ logEnd?: string; control?: string; note?: unknown }> =>
  readFile(noteFile(dataDir), 'utf8')
    .then(JSON.parse)
    .catch(() => ({}))

const writeNote = (dataDir: string, note: object): Promise<void> =>
  writeFile(noteFile(dataDir), JSON.stringify(note), { mode: 0o600 }).catch(() => {})

/** Leaves a note about the content of the database. @param logEnd its pg_current_wal_insert_lsn() */
export const leaveNote = (dataDir: string, logEnd: string, note: unknown): Promise<void> =>
  writeNote(dataDir, { logEnd, note })

/** Keeps the note of a database that was closed, unless something was written after it. @param logEnd before closing */
export const keepNote = async (dataDir: string, logEnd: string | null): Promise<void> => {
  const left = await parseNote(dataDir)
  if (left.logEnd === logEnd) await writeNote(dataDir, { control: controlDigest(dataDir), note: left.note })
}

/** The note of a database that nobody has opened since, which need not be opened for it; null if there is none. */
export const readNote = async (dataDir: string): Promise<unknown> => {
  const { control, note } = await parseNote(dataDir)
  return control !== undefined && control === controlDigest(dataDir) ? note : null
}

/** Whether a folder belongs to a PostgreSQL server, so that the embedded database cannot use it. */
export const isDataFolderOfServer = (folder: string): boolean => existsSync(join(folder, 'PG_VERSION'))

/**
 * Creates the data folder if it does not exist.
 * @throws UsageError when the embedded database cannot use it
 */
export const prepareDataDirectory = (dataDir: string): SocketDirectory => {
  try {
    const directory = prepareSocketDirectory(dataDir)
    if (isDataFolderOfServer(directory.path)) {
      throw new UsageError(
        `${directory.path} is the data folder of a PostgreSQL server. Choose another folder for the embedded database.`,
      )
    }
    return directory
  } catch (error) {
    throw directoryError(dataDir, error)
  }
}

/**
 * Makes this process the owner of a data folder, and accepts the clients of its database.
 * @returns the port that clients connect to; null when a live process owns the folder
 */
export const lockDataDirectory = async (
  directory: SocketDirectory,
  isTcp: boolean,
  accept: (socket: Socket) => void,
): Promise<(ProcessLock & { port: number }) | null> => {
  try {
    if (isTcp) return await lockWithPort(directory, PORT_FILE, accept)
    const lock = await lockWithSocket(directory, accept, SOCKET)
    return lock && { ...lock, port: SOCKET_PORT }
  } catch (error) {
    throw directoryError(directory.path, error)
  }
}

/** The port to reach the owner of a data folder at; null when the folder has had no owner. */
export const ownerPort = (directory: SocketDirectory, isTcp: boolean): number | null =>
  isTcp ? recordedPort(directory, PORT_FILE) : SOCKET_PORT

/** The disk of the data folder is full. No data is lost: when there is space, the database opens again. */
export class DiskFull extends UsageError {
  override name = 'NoSpace'

  /** @param reason what the system or PostgreSQL reports */
  constructor(folder: string, reason: string) {
    super(
      `No space is left on the disk of ${folder} (${reason}). Free some space, or choose another folder. No stored data is lost.`,
    )
  }
}

/** An error of the system in a folder, as a UsageError that says what to do; any other error unchanged. */
export const directoryError = (folder: string, error: unknown): unknown => {
  const code = (error as NodeJS.ErrnoException).code
  if (error instanceof UsageError || code === undefined) return error
  if (isFullDisk(error)) return new DiskFull(folder, code)
  if (isWithoutSockets(error)) {
    return new UsageError(
      `${folder} is on a file system without sockets (${code}), and the embedded database needs them. Choose a folder on a local disk.`,
    )
  }
  return new UsageError(
    `The embedded database cannot use ${folder} (${code}). Make it writable, or choose another folder on a local disk.`,
  )
}
