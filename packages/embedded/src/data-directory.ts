import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { isFullDisk } from '@lectern/wiki/full-disk'
import { quote } from '@lectern/wiki/text'
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

export const hasSpace = (folder: string): boolean => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= RESERVE_BYTES
}

/** The folder of the database in a data folder. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'postgres')

const notesFile = (dataDir: string): string => join(databaseFolder(dataDir), 'lectern-notes.json')

const controlDigest = (dataDir: string): string =>
  hash('sha256', readFileSync(join(databaseFolder(dataDir), 'global', 'pg_control')))

/** Notes about the content of the database, by name. */
interface Notes {
  /** pg_current_snapshot when they were true: each transaction that writes changes it. */
  snapshot?: string | null
  /** Digest of a file that each opening and each closing of the database changes. Absent: they do not count. */
  control?: string
  notes?: Record<string, unknown>
}

const parseNotes = (dataDir: string): Promise<Notes> =>
  readFile(notesFile(dataDir), 'utf8')
    .then(JSON.parse)
    .catch(() => ({}))

const countingNotes = async (dataDir: string): Promise<Notes> => {
  const { control, ...left } = await parseNotes(dataDir)
  return control !== undefined && control === controlDigest(dataDir) ? left : {}
}

const writeNotes = (dataDir: string, notes: Notes): Promise<void> =>
  writeFile(notesFile(dataDir), JSON.stringify(notes), { mode: 0o600 }).catch(() => {})

/** Leaves a note about the content of the open database. It counts when the database is closed. */
export const leaveNote = async (dataDir: string, snapshot: string, name: string, note: unknown) => {
  const left = await parseNotes(dataDir)
  const others = left.snapshot === snapshot ? left.notes : {}
  await writeNotes(dataDir, { snapshot, notes: { ...others, [name]: note } })
}

/** Lets no note count while the database is open. Call it before; those that do not count now are lost. */
export const suspendNotes = async (dataDir: string): Promise<void> => {
  if (existsSync(notesFile(dataDir))) await writeNotes(dataDir, await countingNotes(dataDir))
}

/** Lets the notes of a closed database count, unless something was written after them. @param snapshot before closing */
export const keepNotes = async (dataDir: string, snapshot: string | null): Promise<void> => {
  const left = await parseNotes(dataDir)
  if (left.snapshot === snapshot) await writeNotes(dataDir, { ...left, control: controlDigest(dataDir) })
}

/** A note about a database that is closed, which need not be opened for it; null if none counts. */
export const readNote = async (dataDir: string, name: string): Promise<unknown> =>
  (await countingNotes(dataDir)).notes?.[name] ?? null

/** What may be in a data folder before its database: hidden files, clones, a database that is not complete. */
const HARMLESS = /^(?:\.|sources$|postgres\.|lost\+found$)/

/** Why no database can be created in a folder: it has files of others. Undefined: it can be, or there is one. */
export const foreignContent = (folder: string): string | undefined => {
  const foreign = readdirSync(folder).find((name) => !HARMLESS.test(name))
  if (foreign === undefined || existsSync(databaseFolder(folder))) return undefined
  return `${folder} has other files (such as ${quote(foreign)}), and no database of Lectern. Set DATA_DIR to an empty folder, a new one, or one with such a database.`
}

/**
 * Creates the data folder if it does not exist.
 * @throws UsageError when the embedded database cannot use it
 */
export const prepareDataDirectory = (dataDir: string): SocketDirectory => {
  try {
    const directory = prepareSocketDirectory(dataDir)
    const problem = foreignContent(directory.path)
    if (problem !== undefined) throw new UsageError(`DATA_DIR: ${problem}`)
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
  if (isWithoutSockets(error))
    return new UsageError(
      `${folder} is on a file system without sockets (${code}), and the embedded database needs them. Choose a folder on a local disk.`,
    )
  return new UsageError(
    `The embedded database cannot use ${folder} (${code}). Make it writable, or choose another folder on a local disk.`,
  )
}
