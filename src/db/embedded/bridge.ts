import type { Socket } from 'node:net'
import { ClientConnection, type ConnectionReady } from './connection.ts'
import { ownQuery } from './messages.ts'
import { firstValue } from './replies.ts'
import { Sessions, type SessionsOptions } from './sessions.ts'

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
export class Bridge {
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

  /**
   * Serves the waiting clients, and all later ones.
   */
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
