import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type ListenOptions, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { SocketDirectory } from './socket-directory.ts'

/** Part of the path that a `pg.Pool` makes of a folder and this port. */
export const PORT = 5432
const SOCKET = `.s.PGSQL.${PORT}`
const OWNER = '.owner.'
const CANDIDATE = '.candidate-'
const PORT_FILE = '.embedded-port'
/** A candidate's socket of that age was left behind by a process that was killed, milliseconds. */
const STALE_MS = 60_000

/** A folder that this process owns until the servers are closed. */
export interface ProcessLock {
  port: number
  /** Gives the folder up: another process may own it from here on. */
  release(): Promise<void>
}

/** Takes in clients. */
type Accept = (socket: Socket) => void

/**
 * Makes this process the owner of a data folder, unless another that lives is: then null.
 *
 * Ownership is a listening socket, which the kernel closes with its process however that ends. No lock file
 * can be trusted with it: who finds one stale and removes it may remove the one that another just made.
 * So owners are numbered: each is the socket `.owner.<n>`, a name given by link(2), which fails where there
 * is one already, and given only once the socket listens and only when `.owner.<n - 1>` is dead. A dead
 * socket never comes to life, and the highest one is removed only by a higher one: who was asleep while it
 * happened finds the higher one, and gives up.
 */
export const lockFolder = async (
  { socketFolder: folder }: SocketDirectory,
  accept: Accept,
): Promise<ProcessLock | null> => {
  for (;;) {
    const last = owners(folder).at(-1) ?? 0
    if (last > 0 && (await isAlive(join(folder, OWNER + last)))) return null
    const candidate = join(folder, CANDIDATE + randomBytes(6).toString('hex'))
    const server = await listen(accept, { path: candidate })
    chmodSync(candidate, 0o600)
    if (wins(folder, candidate, last + 1)) {
      renameSync(candidate, join(folder, SOCKET))
      await removeDead(folder, last)
      return { port: PORT, release: () => close(server) }
    }
    await close(server)
  }
}

/**
 * The same where there are no unix sockets (Windows): a named pipe is the owner's, which the system gives to
 * one process only, and clients come to 127.0.0.1, to a port that stays the same if it can.
 */
export const lockWithPort = async (
  directory: SocketDirectory,
  accept: Accept,
): Promise<ProcessLock | null> => {
  const pipe = await lockWithoutClients(directory)
  if (pipe === null) return null
  const file = join(directory.path, PORT_FILE)
  const host = '127.0.0.1'
  const server = await listen(accept, { host, port: recordedPort(directory) ?? 0 }).catch(() =>
    listen(accept, { host, port: 0 }),
  )
  const { port } = server.address() as { port: number }
  writeFileSync(`${file}.new`, String(port), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return {
    port,
    async release() {
      await close(server)
      await pipe.release()
    },
  }
}

/** The port of the last owner; null when there was none. */
export const recordedPort = ({ path }: SocketDirectory): number | null => {
  try {
    return Number(readFileSync(join(path, PORT_FILE), 'utf8')) || null
  } catch {
    return null
  }
}

/** The same for who takes in nobody. */
export const lockWithoutClients = async (directory: SocketDirectory): Promise<ProcessLock | null> => {
  const hangUp = (socket: Socket): void => {
    socket.destroy()
  }
  if (process.platform !== 'win32') return lockFolder(directory, hangUp)
  const name = createHash('sha256').update(directory.path).digest('hex').slice(0, 32)
  try {
    const server = await listen(hangUp, { path: `\\\\.\\pipe\\lectern-${name}` })
    return { port: 0, release: () => close(server) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
    throw error
  }
}

/** Numbers of the owners that there are files of, the highest last. */
const owners = (folder: string): number[] =>
  readdirSync(folder)
    .filter((name) => /^\.owner\.\d+$/.test(name))
    .map((name) => Number(name.slice(OWNER.length)))
    .sort((a, b) => a - b)

/** Whether somebody listens. Anything but a plain refusal counts as life. */
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

const wins = (folder: string, candidate: string, number: number): boolean => {
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

const removeDead = async (folder: string, last: number): Promise<void> => {
  for (const number of owners(folder))
    if (number <= last) rmSync(join(folder, OWNER + number), { force: true })
  for (const name of readdirSync(folder).filter((name) => name.startsWith(CANDIDATE))) {
    const path = join(folder, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    // Its age alone would not do: a clock may jump.
    if (Date.now() - mtimeMs > STALE_MS && !(await isAlive(path))) rmSync(path, { force: true })
  }
}

const listen = (accept: Accept, options: ListenOptions): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(accept)
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      server.on('error', () => {}) // a client that could not be taken in, for want of file descriptors
      resolve(server)
    })
  })

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
