import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type ListenOptions, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { makeFolders } from '@lectern/wiki/folders'

/** Prefixes of the sockets in a locked folder. Other versions of Lectern use the same names. */
const OWNER = '.owner.'
const CANDIDATE = '.candidate-'
/** A candidate's socket of this age was left behind by a process that was killed, milliseconds. */
const STALE_MS = 60_000

/** A folder that this process owns until it releases it, or ends. */
export interface ProcessLock {
  /** Releases the folder: from then on, another process can own it. */
  release(): Promise<void>
}

/** Called with the connection of each client of the owner. */
type Accept = (socket: Socket) => void

const hangUp: Accept = (socket) => {
  socket.destroy()
}

/**
 * Makes this process the owner of a folder, and hangs up on every client.
 * @returns null when a live process owns the folder
 * @throws the system's error, such as that of a file system without sockets
 */
export const lockFolder = (directory: SocketDirectory): Promise<ProcessLock | null> =>
  process.platform === 'win32' ? lockByPipe(directory) : lockWithSocket(directory, hangUp)

/**
 * Makes this process the owner of a folder, and accepts clients on a port of 127.0.0.1: for systems where
 * clients have no unix sockets (Windows).
 * @param portFile file name under which the folder records the port; the next owner uses the same port if it can
 * @returns null when a live process owns the folder
 */
export const lockWithPort = async (
  directory: SocketDirectory,
  portFile: string,
  accept: Accept,
): Promise<(ProcessLock & { port: number }) | null> => {
  const lock = await lockFolder(directory)
  if (lock === null) return null
  const file = join(directory.path, portFile)
  const host = '127.0.0.1'
  const server = await listen(accept, { host, port: recordedPort(directory, portFile) ?? 0 }).catch(() =>
    listen(accept, { host, port: 0 }),
  )
  const { port } = server.address() as { port: number }
  writeFileSync(`${file}.new`, String(port), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return {
    port,
    async release() {
      await close(server)
      await lock.release()
    },
  }
}

/** The port of the last owner; null when there was none. */
export const recordedPort = ({ path }: SocketDirectory, portFile: string): number | null => {
  try {
    return Number(readFileSync(join(path, portFile), 'utf8')) || null
  } catch {
    return null
  }
}

/** System calls that create the sockets of a lock. */
const SOCKET_CALLS = new Set(['listen', 'link'])
/** How these calls fail on a file system that has no sockets. */
const NO_SOCKETS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOSYS'])

/** Whether a folder could not be locked because its file system has no sockets. */
export const isWithoutSockets = (error: unknown): boolean => {
  const { syscall = '', code = '' } = error as NodeJS.ErrnoException
  return SOCKET_CALLS.has(syscall) && NO_SOCKETS.has(code)
}

/**
 * The lock is a listening socket, which the kernel closes when its process ends, for whatever reason (D48). A lock file
 * cannot do this: a process that finds a stale file and removes it may remove the file that another process has
 * just created.
 *
 * So owners have numbers. Each owner is the socket `.owner.<n>`. link(2) gives it that name, and fails where the
 * name exists; a process calls it only when its socket listens, and only when `.owner.<n - 1>` is dead. A dead
 * socket never comes to life again, and only a higher owner removes the highest socket. A process that slept
 * meanwhile finds the higher one, and gives up.
 * @param socketName file name of the socket on which the owner accepts clients. Absent: none
 * @returns null when a live process owns the folder
 */
export const lockWithSocket = async (
  { socketFolder: folder }: SocketDirectory,
  accept: Accept,
  socketName?: string,
): Promise<ProcessLock | null> => {
  for (;;) {
    const last = owners(folder).at(-1) ?? 0
    if (last > 0 && (await isAlive(join(folder, OWNER + last)))) return null
    const candidate = join(folder, CANDIDATE + randomBytes(6).toString('hex'))
    const server = await listen(accept, { path: candidate })
    chmodSync(candidate, 0o600)
    if (becomesOwner(folder, candidate, last + 1)) {
      if (socketName === undefined) rmSync(candidate)
      else renameSync(candidate, join(folder, socketName))
      await removeDeadSockets(folder, last)
      return { release: () => close(server) }
    }
    await close(server)
  }
}

/** The lock is a named pipe, which Windows gives to one process only. */
const lockByPipe = async (directory: SocketDirectory): Promise<ProcessLock | null> => {
  const name = createHash('sha256').update(directory.path).digest('hex').slice(0, 32)
  try {
    const server = await listen(hangUp, { path: `\\\\.\\pipe\\lectern-${name}` })
    return { release: () => close(server) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
    throw error
  }
}

/** Numbers of the owners whose sockets exist, alive or dead, the highest last. */
const owners = (folder: string): number[] =>
  readdirSync(folder)
    .filter((name) => /^\.owner\.\d+$/.test(name))
    .map((name) => Number(name.slice(OWNER.length)))
    .sort((a, b) => a - b)

/** Whether a process listens on a socket. Any error but a plain refusal counts as a live process. */
const isAlive = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES') reject(error)
      else resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT')
    })
  })

/** Names a candidate as owner `number`. @returns whether this process is now the owner */
const becomesOwner = (folder: string, candidate: string, number: number): boolean => {
  const name = join(folder, OWNER + number)
  try {
    linkSync(candidate, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  if (owners(folder).at(-1) === number) return true
  rmSync(name, { force: true })
  return false
}

const removeDeadSockets = async (folder: string, last: number): Promise<void> => {
  for (const number of owners(folder))
    if (number <= last) rmSync(join(folder, OWNER + number), { force: true })
  for (const name of readdirSync(folder).filter((name) => name.startsWith(CANDIDATE))) {
    const path = join(folder, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    // The age alone is not enough: a clock may jump.
    if (Date.now() - mtimeMs > STALE_MS && !(await isAlive(path))) rmSync(path, { force: true })
  }
}

const listen = (accept: Accept, options: ListenOptions): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(accept)
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      server.on('error', () => {}) // accepting a client failed: there are too few file descriptors
      resolve(server)
    })
  })

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

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
  makeFolders(folder)
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
  if (owner !== uid || (mode & 0o077) !== 0)
    throw new UsageError(
      `Other users can enter ${linkFolder}, or own it. Remove it, or choose a folder with a path of at most ${SOCKET_PATH_BYTES - SOCKET_NAME_BYTES} bytes.`,
    )
  const link = join(linkFolder, createHash('sha256').update(real).digest('hex').slice(0, 16))
  try {
    symlinkSync(real, link)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (readlinkSync(link) !== real) throw new UsageError(`${link} is not a link to ${real}. Remove it.`)
  }
  return link
}
