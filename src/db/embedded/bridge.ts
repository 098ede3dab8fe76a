import type { Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { ClientConnection, type ConnectionReady } from './connection.ts'
import { SharedSession } from './shared-session.ts'

/** Everybody that is connected to the database, from before it has started until it has ended. */
interface Bridge {
  /** Takes in a client; until the database is there it waits. */
  accept(socket: Socket): void
  /** Serves those who wait, and all that come. @param hasRoom whether the disk has any for what the owner writes */
  start(database: PGlite, hasRoom: () => boolean): Promise<void>
  /**
   * Refuses who comes, and ends every connection when it has finished what it began, or after ten minutes.
   * Resolves when the session is at rest.
   */
  finish(message: string): Promise<void>
  /** Ends every connection at once, and all that come. */
  fail(message: string): void
}

/** How long others may take to finish what they began, such as an import, milliseconds. */
const FINISH_MS = 600_000

export const createBridge = (): Bridge => {
  const connections = new Set<ClientConnection>()
  let connectionsMade = 0
  let session: SharedSession | null = null
  let ended: string | null = null
  let started: (ready: Awaited<ConnectionReady>) => void = () => {}
  let failed: (error: Error) => void = () => {}
  let empty: () => void = () => {}
  const ready: ConnectionReady = new Promise((resolve, reject) => {
    started = resolve
    failed = reject
  })
  ready.catch(() => {}) // each connection tells its own client

  const notify = (channel: string, notification: Buffer): void => {
    for (const connection of connections) if (connection.listensOn(channel)) connection.send(notification)
  }

  const leave = (connection: ClientConnection): void => {
    connections.delete(connection)
    if (connections.size === 0) empty()
  }

  const fail = (message: string): void => {
    ended = message
    failed(new Error(message))
    for (const connection of connections) connection.end('57P01', message)
  }

  return {
    accept(socket) {
      const connection: ClientConnection = new ClientConnection(++connectionsMade, socket, ready, () =>
        leave(connection),
      )
      connections.add(connection)
      if (ended !== null) connection.end('57P03', ended)
    },

    async start(database, hasRoom) {
      const { rows } = await database.query<{ version: string }>(
        `select current_setting('server_version') as version`,
      )
      session = new SharedSession(database, notify, hasRoom)
      started({ session, serverVersion: rows[0]!.version })
    },

    async finish(message) {
      ended = message
      const left = new Promise<void>((resolve) => {
        empty = resolve
      })
      for (const connection of connections) connection.finish(message)
      const late = setTimeout(() => fail(message), FINISH_MS)
      if (connections.size > 0) await left
      clearTimeout(late)
      await session?.drained()
    },

    fail,
  }
}
