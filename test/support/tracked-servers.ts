import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type ConnectionTracker, trackConnections } from '../../src/http/connections.ts'
import { listen, makeHttpServer, portOf } from '../../src/http/server.ts'

/** Servers with tracked connections, and sockets to them, for the tests of a `describe`. Each test ends with none. */
export interface TrackedServers {
  /** Starts a server on a free port. @param bounds those of `trackConnections` */
  start(
    answer: RequestListener,
    ...bounds: [most?: number, slowReader?: Parameters<typeof trackConnections>[2], keepAliveMs?: number]
  ): Promise<{ server: Server; connections: ConnectionTracker }>
  /** Opens a connection. It ignores errors. */
  open(server: Server): Promise<Socket>
}

export const withTrackedServers = (): TrackedServers => {
  const servers: Server[] = []
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const server of servers.splice(0)) {
      server.close()
      server.closeAllConnections()
    }
  })
  return {
    start: async (answer, ...bounds) => {
      const server = makeHttpServer(0)
      servers.push(server)
      const connections = trackConnections(server, ...bounds)
      server.on('request', connections.track(answer))
      await listen(server, 0, '127.0.0.1', 'PORT')
      return { server, connections }
    },
    open: async (server) => {
      const socket = connect(portOf(server), '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => {})
      await once(socket, 'connect')
      return socket
    },
  }
}
