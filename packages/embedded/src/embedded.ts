import { setTimeout } from 'node:timers/promises'
import { UsageError } from '@lectern/wiki/errors'
import pg from 'pg'
import { DiskFull, directoryError, ownerPort, prepareDataDirectory } from './data-directory.ts'
import type { SocketDirectory } from './process-lock.ts'
import { snapshotPath } from './snapshot.ts'
import { errorOf, startThread } from './thread.ts'
import type { WorkerData, WorkerReport } from './worker.ts'

/** An embedded database that this process owns, or that it has joined as a client of the owner. */
export type EmbeddedDatabase = OpenDatabase

export interface EmbeddedOptions {
  /** Use 127.0.0.1 instead of a unix socket: the default on Windows. Any user of the machine can connect to it. */
  isTcp?: boolean
  /** The folder that a new database is a copy of. Default: the folder of this build, if it exists. */
  snapshot?: string
  /** Channels that readers listen to: also those that connect during a transaction get its notifications. */
  channels?: readonly string[]
  /** Gets what an operator should know. */
  onWarning?: (message: string) => void
  /** Called when a full disk ended the database, before Lectern tries to open it again until there is space. */
  onFullDisk?: (error: Error) => void
}

/** How long to wait for an owner that lives but accepts no connection, milliseconds. */
const OWNER_TIMEOUT_MS = 60_000
const RETRY_MS = 50
/** Time between two attempts to open a database whose disk is full, milliseconds: each takes a second of CPU time. */
const FULL_DISK_RETRY_MS = 3_000

/**
 * Opens the embedded database of a folder, for the same SQL and the same `pg` pools as on a server (D2). Several
 * processes can do so at a time: the first one owns the database.
 * Its users are `postgres` and `lectern_reader`. Clients may use any database name.
 * @throws UsageError that names the folder, when it cannot be used
 */
export const openEmbeddedDatabase = async (
  dataDir: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> => {
  const directory = prepareDataDirectory(dataDir)
  const isTcp = options.isTcp ?? process.platform === 'win32'
  const { snapshot = snapshotPath(), channels = [], onWarning = () => {} } = options
  const data = { directory, isTcp, snapshot, channels }
  const attempts: Attempt[] = [() => joinOwner(directory, isTcp), () => startOwner(data, onWarning)]
  if (isTcp) attempts.reverse() // another program may use the recorded port, so try to own the folder first
  const acquire = (signal?: AbortSignal) => acquireOwnership(directory, attempts, signal)
  const host = isTcp ? '127.0.0.1' : directory.socketFolder
  return new OpenDatabase(host, await acquire(), acquire, options.onFullDisk)
}

/**
 * The part of this process in the database.
 *
 * ```
 * owner     --its thread ends-------------------------------> reopening
 * joined    --the owner ends--------------------------------> reopening
 * reopening --no live process owns the folder---------------> owner
 * reopening --another process owns it-----------------------> joined
 * reopening --the disk is full------------------------------> reopening, after FULL_DISK_RETRY_MS
 * reopening --the database cannot be opened-----------------> failed
 * any       --`close`---------------------------------------> closed
 * ```
 */
class OpenDatabase {
  /** The host for a `pg.Pool`: a folder with the socket `.s.PGSQL.5432`, or 127.0.0.1 where unix sockets do not exist. */
  readonly host: string
  /** Resolves if the database ended and could not be opened again. It then refuses connections for good. */
  readonly failed: Promise<Error>
  readonly #acquire: (signal: AbortSignal) => Promise<DatabaseOwnership>
  readonly #closing = new AbortController()
  readonly #onFullDisk: (error: Error) => void
  /** While it is reopened, and afterwards: the last one. */
  #ownership: DatabaseOwnership
  #reopening: Promise<void> = Promise.resolve()
  #reportFailure: (error: Error) => void = () => {}

  constructor(
    host: string,
    ownership: DatabaseOwnership,
    acquire: (signal: AbortSignal) => Promise<DatabaseOwnership>,
    onFullDisk: (error: Error) => void = () => {},
  ) {
    this.host = host
    this.#acquire = acquire
    this.#onFullDisk = onFullDisk
    this.failed = new Promise((resolve) => {
      this.#reportFailure = resolve
    })
    this.#ownership = ownership
    void this.#reopenAfterEnd()
  }

  get port(): number {
    return this.#ownership.port
  }

  /**
   * Whether this process owns the database. A process that joined may become the owner when the owner ends. Its
   * connections are lost then, but after a moment the same host and port accept new ones.
   */
  get isOwner(): boolean {
    return this.#ownership.isOwner
  }

  /**
   * Leaves the database. An owner refuses new connections, and lets other processes finish the transactions that they
   * are in or wait for: for up to ten minutes, since an import is one transaction. Then it closes the database, and a
   * process that joined becomes the owner. Killing the owner instead does not harm the data.
   */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#reopening
    await this.#ownership.close()
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  async #reopenAfterEnd(): Promise<void> {
    await this.#ownership.ended
    if (this.#isClosed) return
    this.#reopening = this.#reopen()
  }

  async #reopen(): Promise<void> {
    try {
      this.#ownership = await this.#acquireWithSpace()
      void this.#reopenAfterEnd()
    } catch (error) {
      if (!this.#isClosed) this.#reportFailure(error as Error)
    }
  }

  /** A full disk does not harm the stored data, and an operator can free space: readers wait for that. (D48) */
  async #acquireWithSpace(): Promise<DatabaseOwnership> {
    for (let isReported = false; ; isReported = true) {
      try {
        return await this.#acquire(this.#closing.signal)
      } catch (error) {
        if (!(error instanceof DiskFull) || this.#isClosed) throw error
        if (!isReported) this.#onFullDisk(error)
        await setTimeout(FULL_DISK_RETRY_MS, undefined, this.#closing).catch(() => {})
      }
    }
  }
}

/** Joins or becomes the owner. `shutting-down`: the owner is about to end; null: this attempt does not apply now. */
type Attempt = () => Promise<DatabaseOwnership | 'shutting-down' | null>

const acquireOwnership = async (
  directory: SocketDirectory,
  attempts: Attempt[],
  signal?: AbortSignal,
): Promise<DatabaseOwnership> => {
  const now = () => performance.now()
  for (let end = now() + OWNER_TIMEOUT_MS; now() < end && !signal?.aborted; await setTimeout(RETRY_MS)) {
    for (const attempt of attempts) {
      const ownership = await attempt()
      if (ownership === 'shutting-down') {
        end = now() + OWNER_TIMEOUT_MS
        break
      }
      if (ownership) return ownership
    }
  }
  throw new UsageError(
    `Another process uses ${directory.path}, and does not respond. End that process, then try again.`,
  )
}

/** The part of this process in an embedded database, until it ends. */
export interface DatabaseOwnership {
  isOwner: boolean
  port: number
  /** Resolves at `close`, when the owner has ended, or when the thread of the database has ended. */
  ended: Promise<unknown>
  close(): Promise<void>
}

/** How a connection fails when the owner has ended. */
const OWNER_GONE_CODES = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAGAIN']
/** What an owner responds while it waits for other processes to finish, or when it could not start. */
const OWNER_SHUTTING_DOWN_CODES = ['57P01', '57P03']

/** How long an owner may take to start its database, milliseconds: initdb takes 5 to 10 s. */
const CONNECT_MS = 60_000

/**
 * Starts the database in a thread of this process.
 * @param onWarning gets what an operator should know
 * @returns null when another process owns the folder
 * @throws UsageError when the database cannot be opened
 */
export const startOwner = (
  data: WorkerData,
  onWarning: (message: string) => void,
): Promise<DatabaseOwnership | null> =>
  new Promise((resolve, reject) => {
    const worker = startThread('./worker.js', data)
    let failure: Error | null = null
    const ended = new Promise<Error>((resolveEnded) => {
      worker.once('exit', () => {
        const error = failure ?? new Error('The embedded database has ended')
        resolveEnded(error)
        reject(error)
      })
    })
    const close = async (): Promise<void> => {
      worker.postMessage('close')
      await ended
    }
    worker.on('error', (error: Error) => {
      failure = error
    })
    worker.on('message', (report: WorkerReport) => {
      if (report.kind === 'owned-by-other') resolve(null)
      else if (report.kind === 'warning') onWarning(report.message)
      else if (report.kind === 'failed') failure = errorOf(report)
      else resolve({ isOwner: true, port: report.port, ended, close })
    })
  })

/**
 * Joins the process that owns the database, when its database has started.
 * @returns null when no process owns the folder; `shutting-down` when the owner is about to end
 */
export const joinOwner = async (
  directory: SocketDirectory,
  isTcp: boolean,
): Promise<DatabaseOwnership | 'shutting-down' | null> => {
  const port = ownerPort(directory, isTcp)
  if (port === null) return null
  // This connection sends no query. It ends when the owner ends.
  const watch = new pg.Client({
    host: isTcp ? '127.0.0.1' : directory.socketFolder,
    port,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: CONNECT_MS,
  })
  const ended = new Promise<Error>((resolve) => {
    watch.on('error', resolve)
    watch.on('end', () => resolve(new Error('The process that owned the embedded database has ended')))
  })
  try {
    await watch.connect()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (OWNER_SHUTTING_DOWN_CODES.includes(code ?? '')) return 'shutting-down'
    if (OWNER_GONE_CODES.includes(code ?? '') || /^(Connection terminated|timeout expired)/.test(message))
      return null
    throw directoryError(directory.path, error)
  }
  return { isOwner: false, port, ended, close: () => watch.end() }
}
