import { createHash } from 'node:crypto'
import { accessSync, constants, lstatSync, mkdirSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'

/** A folder that processes create unix sockets in. */
export interface SocketDirectory {
  /** The folder's real path. */
  path: string
  /** The same folder under a path that is short enough for sockets in it. */
  socketFolder: string
}

/** The longest path of a socket, bytes. macOS allows 103, Linux 107. */
const SOCKET_PATH_BYTES = 100
/** The longest name of a socket in the folder, with the slash before it, bytes. */
const SOCKET_NAME_BYTES = 24

/**
 * Prepares a folder for sockets, and creates it if it does not exist.
 * @throws the system's error when the folder cannot be used; UsageError when its path is too long for sockets, and
 * no shorter one can be made
 */
export const prepareSocketDirectory = (folder: string): SocketDirectory => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const real = realpathSync(folder)
  accessSync(real, constants.R_OK | constants.W_OK | constants.X_OK)
  return { path: real, socketFolder: isShort(real) ? real : linkTo(real) }
}

const isShort = (folder: string): boolean =>
  Buffer.byteLength(folder) + SOCKET_NAME_BYTES <= SOCKET_PATH_BYTES

/** A symbolic link to the folder. It is in a temporary folder that only this user may enter. */
const linkTo = (real: string): string => {
  const uid = process.getuid?.() ?? 0
  const linkFolder = join(tmpdir(), `lectern-${uid}`)
  mkdirSync(linkFolder, { recursive: true, mode: 0o700 })
  const { uid: owner, mode } = lstatSync(linkFolder)
  if (owner !== uid || (mode & 0o077) !== 0) {
    throw new UsageError(
      `Other users can enter ${linkFolder}, or own it. Remove it, or choose a folder with a path of at most ${SOCKET_PATH_BYTES - SOCKET_NAME_BYTES} bytes.`,
    )
  }
  const link = join(linkFolder, createHash('sha256').update(real).digest('hex').slice(0, 16))
  try {
    symlinkSync(real, link)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (readlinkSync(link) !== real) throw new UsageError(`${link} is not a link to ${real}. Remove it.`)
  }
  return link
}
