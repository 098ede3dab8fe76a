import type { Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { Connection, type Ready } from './connection.ts'
import { Session } from './session.ts'

/** Everybody that is connected to the database, from before it has started until it has ended. */
export interface Bridge {
  /** Takes in a client; until the database is there it waits. */
  accept(socket: Socket): void
  /** Serves those who wait, and all that come. */
  start(database: PGlite): Promise<void>
  /** Ends every connection with a FATAL error, and all that come. Resolves when the session is at rest. */
  end(message: string): Promise<void>
}

export const createBridge = (): Bridge => {
  const connections = new Set<Connection>()
  let connectionsMade = 0
  let session: Session | null = null
  let ended: string | null = null
  let started: (ready: Awaited<Ready>) => void = () => {}
  let failed: (error: Error) => void = () => {}
  const ready: Ready = new Promise((resolve, reject) => {
    started = resolve
    failed = reject
  })
  ready.catch(() => {}) // each connection tells its own client

  const notify = (channel: string, notification: Buffer): void => {
    for (const connection of connections) if (connection.listensOn(channel)) connection.send(notification)
  }

  return {
    accept(socket) {
      const connection = new Connection(++connectionsMade, socket, ready, () =>
        connections.delete(connection),
      )
      connections.add(connection)
      if (ended !== null) connection.end('57P03', ended)
    },

    async start(database) {
      const { rows } = await database.query<{ version: string }>(
        `select current_setting('server_version') as version`,
      )
      session = new Session(database, notify)
      started({ session, serverVersion: rows[0]!.version })
    },

    async end(message) {
      ended = message
      failed(new Error(message))
      for (const connection of connections) connection.end('57P01', message)
      await session?.settled()
    },
  }
}
