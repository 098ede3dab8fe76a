import { createHash } from 'node:crypto'
import { accessSync, constants, lstatSync, mkdirSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'

/** A folder in which processes meet by sockets. */
export interface SocketDirectory {
  /** The folder's real path. */
  path: string
  /** The same folder under a name short enough for sockets in it. */
  socketFolder: string
}

/** The longest path of a socket, bytes: 103 on macOS, 107 on Linux. */
const SOCKET_PATH_BYTES = 100
/** Room for the longest name that a socket in the folder gets, its slash included. */
const SOCKET_NAME_BYTES = 24

/**
 * A folder that sockets can be made in, whatever else it is for; makes it where there is none.
 * @throws the system's error when it cannot be used
 */
export const prepareSocketDirectory = (folder: string): SocketDirectory => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const real = realpathSync(folder)
  accessSync(real, constants.R_OK | constants.W_OK | constants.X_OK)
  return { path: real, socketFolder: isShort(real) ? real : shortNameOf(real) }
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
