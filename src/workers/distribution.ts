import { createServer, type Server, type Socket } from 'node:net'

/** How long a connection waits for a worker, milliseconds: longer than the longest delay before a restart. */
const HOLD_MS = 30_000

/** A connection that no worker has accepted yet. The primary reads nothing of it. */
interface Connection {
  socket: Socket
  /** The setting of the port that it came to. */
  setting: string
}

/** Passes a connection to a worker. Resolves when the worker has it, and rejects when the worker ends before. */
type PassConnection = (setting: string, socket: Socket) => Promise<void>

/** The connections of all ports, which the primary accepts and passes to workers in turn. */
export type Distribution = ReturnType<typeof makeDistribution>

/**
 * Each worker gets one connection at a time, and the next one when it has accepted that. The primary keeps a connection
 * open until then: if the worker ends before, another one gets it. Without a worker, connections wait. The listening
 * sockets of node:cluster do neither: its primary forgets a connection that a killed worker has not accepted, without
 * closing it, and closes the port with the last worker. `reusePort` needs Node 23.
 */
export const makeDistribution = () => {
  const free = new Set<PassConnection>()
  const held: Connection[] = []
  const distribute = (): void => {
    for (const pass of free) {
      while (held[0]?.socket.destroyed) held.shift()
      const connection = held.shift()
      if (connection === undefined) return
      free.delete(pass)
      void passTo(pass, connection)
    }
  }
  const passTo = async (pass: PassConnection, connection: Connection): Promise<void> => {
    try {
      await pass(connection.setting, connection.socket)
      connection.socket.destroy() // the worker has a descriptor of its own
      free.add(pass)
    } catch {
      held.unshift(connection)
    }
    distribute()
  }
  return {
    /** @returns a server for the port of this setting: not listening yet. @param most connections that may wait at a time */
    makeServer: (setting: string, most: number): Server => {
      const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
        socket.on('error', () => {})
        socket.setTimeout(HOLD_MS, () => socket.destroy())
        held.push({ socket, setting })
        distribute()
      })
      server.maxConnections = most
      return server
    },
    /** A worker takes connections from now on, until `pass` rejects. */
    addWorker: (pass: PassConnection): void => {
      free.add(pass)
      distribute()
    },
    /** Closes the connections that still wait. */
    close: (): void => {
      for (const { socket } of held) socket.destroy()
    },
  }
}
