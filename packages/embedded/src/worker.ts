/** The thread that owns a data folder: the bridge that accepts clients. PGlite is in a thread of its own. */
import type { Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { ClientConnection, type ConnectionReady } from './connection.ts'
import { removeCopies } from './copy-files.ts'
import { hasSpace, keepNotes, lockDataDirectory, suspendNotes } from './data-directory.ts'
import { Instance, openReaderCopy } from './instance.ts'
import { firstValue, ownQuery } from './messages.ts'
import type { SocketDirectory } from './process-lock.ts'
import { Sessions, type SessionsOptions } from './sessions.ts'
import { endOnFailure, type Failure } from './thread.ts'

export interface WorkerData {
  directory: SocketDirectory
  isTcp: boolean
  snapshot: string
  /** Channels of the notifications that readers listen to. */
  channels: readonly string[]
}

/**
 * What the thread reports.
 * - `owned-by-other`: another process owns the folder. The thread ends.
 * - `ready`: it serves clients.
 * - `warning`: something that an operator should know. It goes on.
 * - `failed`: sent before the thread ends for any other reason.
 *
 * The process sends the thread one message only, of any content: to close the database.
 */
export type WorkerReport =
  | { kind: 'owned-by-other' }
  | { kind: 'ready'; port: number }
  | { kind: 'warning'; message: string }
  | ({ kind: 'failed' } & Failure)

/** How long clients may take to finish what they have begun, such as an import, milliseconds. */
const DRAIN_MS = 600_000

/**
 * What the bridge does with clients.
 *
 * ```
 * starting --`start`: the database accepts queries--> serving    (clients wait until then)
 * serving  --`drain`--------------------------------> draining   (it refuses new clients)
 * starting, serving, draining --`fail`--------------> failed     (it ends all clients, and refuses new ones)
 * draining --DRAIN_MS pass--------------------------> failed
 * ```
 */
type BridgeState =
  | { name: 'starting' }
  | { name: 'serving'; sessions: Sessions }
  | { name: 'draining' | 'failed'; message: string }

/** All clients of the embedded database, from before its start until after its end. */
class Bridge {
  readonly #connections = new Set<ClientConnection>()
  readonly #ready: ConnectionReady
  #state: BridgeState = { name: 'starting' }
  #connectionCount = 0
  #resolveReady: (ready: Awaited<ConnectionReady>) => void = () => {}
  #rejectReady: (error: Error) => void = () => {}
  #onLastLeft: () => void = () => {}

  constructor() {
    this.#ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve
      this.#rejectReady = reject
    })
    this.#ready.catch(() => {}) // each connection reports the error to its own client
  }

  /** Accepts a client. Before `start` the client waits. */
  accept(socket: Socket): void {
    const id = ++this.#connectionCount
    const connection: ClientConnection = new ClientConnection(id, socket, this.#ready, () =>
      this.#leave(connection),
    )
    this.#connections.add(connection)
    if ('message' in this.#state) connection.end('57P03', this.#state.message)
  }

  /** Serves the waiting clients, and all later ones. */
  async start(options: Omit<SessionsOptions, 'notify' | 'hasReaders'>): Promise<void> {
    const version = firstValue(
      await options.send(ownQuery("select pg_catalog.current_setting('server_version')")),
    )
    for (const channel of options.channels) await options.send(ownQuery(`listen "${channel}"`))
    const sessions = new Sessions({
      ...options,
      notify: (channel, bytes) => this.#notify(channel, bytes),
      hasReaders: () => [...this.#connections].some(({ isReader }) => isReader),
    })
    this.#state = { name: 'serving', sessions }
    this.#resolveReady({ sessions, serverVersion: version! })
  }

  /**
   * Refuses new clients, and ends every connection when it has finished what it has begun, or after ten minutes.
   * Resolves when the session runs nothing any more.
   */
  async drain(message: string): Promise<void> {
    const sessions = this.#state.name === 'serving' ? this.#state.sessions : null
    this.#state = { name: 'draining', message }
    const allLeft = new Promise<void>((resolve) => {
      this.#onLastLeft = resolve
    })
    for (const connection of this.#connections) connection.finish(message)
    const timer = setTimeout(() => this.fail(message), DRAIN_MS)
    if (this.#connections.size > 0) await allLeft
    clearTimeout(timer)
    await sessions?.drained()
  }

  /** Ends every connection at once, and refuses new clients. */
  fail(message: string): void {
    this.#state = { name: 'failed', message }
    this.#rejectReady(new Error(message))
    for (const connection of this.#connections) connection.end('57P01', message)
  }

  #notify(channel: string, notification: Buffer): void {
    for (const connection of this.#connections)
      if (connection.listensOn(channel)) connection.send(notification)
  }

  #leave(connection: ClientConnection): void {
    this.#connections.delete(connection)
    if (this.#connections.size === 0) this.#onLastLeft()
  }
}

const { directory, isTcp, snapshot, channels } = workerData as WorkerData
const report = (message: WorkerReport): void => parentPort?.postMessage(message)
const bridge = new Bridge()

const fail = endOnFailure((failure) => {
  bridge.fail(`the embedded database has failed: ${failure.message}`)
  report({ kind: 'failed', ...failure })
})

const lock = await lockDataDirectory(directory, isTcp, (socket) => bridge.accept(socket))
if (lock === null) report({ kind: 'owned-by-other' })
else {
  removeCopies(directory.path)
  await suspendNotes(directory.path)
  const database = new Instance({ kind: 'database', dataDir: directory.path, snapshot })
  await database.report()
  await bridge.start({
    send: database.send,
    channels,
    hasSpace: () => hasSpace(directory.path),
    openCopy: (runOwn, signal) => openReaderCopy(directory.path, runOwn, signal),
    onNoCopy: (reason) => {
      report({ kind: 'warning', message: `Readers wait until an import has ended: ${reason}` })
    },
  })
  let isClosing = false
  void database.ended.then((error) => isClosing || fail(error))
  parentPort?.once('message', async () => {
    await bridge.drain('the process that had opened the embedded database ends; another one opens it now')
    isClosing = true
    const lastSnapshot = firstValue(await database.send(ownQuery('select pg_catalog.pg_current_snapshot()')))
    await database.close()
    await keepNotes(directory.path, lastSnapshot)
    await lock.release()
    process.exit()
  })
  report({ kind: 'ready', port: lock.port })
}
