import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../errors.ts'

/** Where an embedded database lives. */
export interface DataDirectory {
  /** The data folder's real path. */
  dataDir: string
  /** The same folder under a name short enough for sockets in it. */
  folder: string
}

/** The longest path of a socket, bytes: 103 on macOS, 107 on Linux. */
const SOCKET_PATH_BYTES = 100
/** Room for the longest name that a socket in the folder gets, its slash included. */
const SOCKET_NAME_BYTES = 24

/** Makes the data folder where there is none. Throws a UsageError when it cannot be used. */
export const prepareDataDirectory = (dataDir: string): DataDirectory => {
  try {
    const place = prepareSocketDirectory(dataDir)
    if (existsSync(join(place.dataDir, 'PG_VERSION'))) {
      throw new UsageError(
        `${place.dataDir} is the data folder of a PostgreSQL server: give the embedded database another`,
      )
    }
    return place
  } catch (error) {
    throw directoryError(dataDir, error)
  }
}

/** The disk of the data folder is full. Nothing is lost by it: with room the database opens again. */
export class DiskFull extends UsageError {
  override name = 'NoSpace'

  /** @param said by the system or PostgreSQL */
  constructor(folder: string, said: string) {
    super(
      `No space is left on the disk of ${folder} (${said}): make room, or choose another folder. Nothing that was stored is lost.`,
    )
  }
}

/**
 * A folder that sockets can be made in, whatever else it is for; makes it where there is none.
 * @throws the system's error when it cannot be used
 */
export const prepareSocketDirectory = (dataDir: string): DataDirectory => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const real = realpathSync(dataDir)
  accessSync(real, constants.R_OK | constants.W_OK | constants.X_OK)
  return { dataDir: real, folder: isShort(real) ? real : shortNameOf(real) }
}

/** What to tell when something cannot be done in a folder; errors that are no system's are left as they are. */
export const directoryError = (folder: string, error: unknown): unknown => {
  const code = (error as NodeJS.ErrnoException).code
  if (error instanceof UsageError || code === undefined) return error
  if (code === 'ENOSPC' || code === 'EDQUOT') return new DiskFull(folder, code)
  return new UsageError(
    `${folder} cannot hold the embedded database (${code}): make it writable, or choose another folder on a local disk`,
  )
}

const isShort = (folder: string): boolean =>
  Buffer.byteLength(folder) + SOCKET_NAME_BYTES <= SOCKET_PATH_BYTES

/** A link to the folder, in a folder of the temporary ones that only this user may enter. */
const shortNameOf = (real: string): string => {
  const uid = process.getuid?.() ?? 0
  const private_ = join(tmpdir(), `lectern-${uid}`)
  mkdirSync(private_, { recursive: true, mode: 0o700 })
  const { uid: owner, mode } = lstatSync(private_)
  if (owner !== uid || (mode & 0o077) !== 0) {
    throw new UsageError(
      `${private_} is not this user's alone: remove it, or choose a folder of a shorter path`,
    )
  }
  const link = join(private_, createHash('sha256').update(real).digest('hex').slice(0, 16))
  try {
    symlinkSync(real, link)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (readlinkSync(link) !== real)
      throw new UsageError(`${link} leads elsewhere than to ${real}: remove it`)
  }
  return link
}
