import { existsSync } from 'node:fs'
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
