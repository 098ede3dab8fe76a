import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { CONNECTIONS_MAX, KEEP_ALIVE_MS, SHUTDOWN, SLOW_READER } from '../limits/service.ts'
import { isPipelining } from './pipelining.ts'

type SlowReaderLimits = Readonly<Record<keyof typeof SLOW_READER, number>>

/** What a check of a connection compares with the check before. Times are by the clock of `performance.now`, milliseconds. */
interface ConnectionState {
  /** What the client had read when it last made progress, and when that was. */
  bytesRead: number
  readAt: number
  /** What the client had sent at the last check, and since when the connection has been idle. */
  bytesSent: number
  idleSince: number
}

/** Open connections: those that have been idle for longest come first. A busy one moves to the end when it becomes idle. */
type Connections = Map<Socket, ConnectionState>

/** The newest response of each connection, until it is sent. node:http sends the responses of a connection in order. */
const newestResponses = new WeakMap<Duplex, ServerResponse>()

/** The last response of a tracked connection that is not sent completely; undefined if there is none. */
export const unfinishedResponse = (socket: Duplex): ServerResponse | undefined => newestResponses.get(socket)

export type ConnectionTracker = ReturnType<typeof trackConnections>

/** The header that says how long an idle connection stays open. Responses that close the connection do not have it. */
export const KEEP_ALIVE_HEADER = ['Keep-Alive', `timeout=${KEEP_ALIVE_MS / 1000}`] as const

/**
 * Bounds the number and the age of a server's connections. node:http itself never closes a connection whose client
 * does not read the response. One timer checks all connections.
 * @param most connections that are open at a time
 * @param keepAliveMs how long an idle connection stays open at least, milliseconds
 */
export const trackConnections = (
  server: Server,
  most = CONNECTIONS_MAX,
  slowReader: SlowReaderLimits = SLOW_READER,
  keepAliveMs = KEEP_ALIVE_MS,
) => {
  const connections: Connections = new Map()
  /** Connections that were closed since the start: because the client read too slowly; idle ones, to make room. */
  const closed = { slowReaders: 0, evicted: 0 }

  server.on('connection', (socket: Socket) => {
    const now = performance.now()
    connections.set(socket, { bytesRead: 0, readAt: now, bytesSent: 0, idleSince: now })
    socket.once('close', () => connections.delete(socket))
    const evicted = connections.size > most ? closeLongestIdle(connections.keys()) : undefined
    if (evicted === undefined) return
    // Here, because its event `close` comes in a later turn of the event loop, and more connections may come before.
    connections.delete(evicted)
    closed.evicted += 1
  })
  const checkConnections = () => {
    const now = performance.now()
    for (const [socket, state] of connections) {
      if (isTooSlow(socket, state, now, slowReader)) {
        closed.slowReaders += 1
        socket.destroy()
      } else if (idleMs(socket, state, now) > keepAliveMs) socket.destroy()
    }
  }
  // After a stall of this process, what has arrived meanwhile is read first.
  const timer = setInterval(() => setImmediate(checkConnections), slowReader.checkMs).unref()

  return {
    /**
     * The listener for the event `request`: it calls `listener`, and records the newest response of the connection, and
     * when the connection becomes idle. Most responses are sent at once, and need no listener for their end.
     */
    track: (listener: RequestListener) => trackIdle(connections, listener),
    counts: () => ({ open: connections.size, ...closed }),
    /**
     * Stops accepting connections, and resolves when all are closed. Running requests finish, and their responses have
     * `Connection: close`. After `SHUTDOWN.longestMs`, the connections that are left are closed.
     * @param graceMs how long idle connections may still bring a request, milliseconds: a client that sends a request
     * while its connection is being closed cannot know whether the server read it
     */
    drain: async (graceMs: number) => {
      await drainServer(server, connections, graceMs)
      clearInterval(timer)
    },
  }
}

const trackIdle = (connections: Connections, listener: RequestListener): RequestListener => {
  const moveToEnd = (socket: Socket): void => {
    const state = connections.get(socket)
    if (state === undefined) return
    connections.delete(socket)
    connections.set(socket, state)
  }
  function onClose(this: ServerResponse): void {
    const { socket } = this.req
    if (newestResponses.get(socket) === this) newestResponses.delete(socket)
    moveToEnd(socket)
  }
  return (request, response) => {
    const { socket } = request
    listener(request, response)
    const isSent = response.writableEnded && response.socket !== null && socket.writableLength === 0
    if (isSent) return moveToEnd(socket)
    newestResponses.set(socket, response)
    response.on('close', onClose)
  }
}

const drainServer = async (server: Server, connections: Connections, graceMs: number): Promise<void> => {
  announceClose(server)
  // Not the close of node:http: it cuts responses that clients still read, and closes idle connections at once.
  NetServer.prototype.close.call(server)
  for (const socket of connections.keys()) closeAfterResponse(socket)
  const closeIdle = () => {
    for (const socket of connections.keys()) if (isIdle(socket)) socket.destroy()
  }
  const timers: NodeJS.Timeout[] = []
  timers.push(
    // After a stall of this process, what has arrived meanwhile is read first.
    setTimeout(() => {
      setImmediate(closeIdle)
      timers.push(setInterval(() => setImmediate(closeIdle), SHUTDOWN.checkMs))
    }, graceMs),
    setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy()
    }, SHUTDOWN.longestMs),
  )
  for (let [socket] = connections.keys(); socket; [socket] = connections.keys())
    await new Promise((resolve) => socket!.once('close', resolve))
  for (const timer of timers) clearTimeout(timer)
  server.close() // ends node:http's check for requests that take too long to arrive
}

/** From now on, the newest response of each connection has `Connection: close`. */
const announceClose = (server: Server): void => {
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const previous = newestResponses.get(socket)
    if (previous && !previous.headersSent) previous.shouldKeepAlive = true
    response.shouldKeepAlive = false
  })
}

const isIdle = (socket: Socket): boolean => !unfinishedResponse(socket) && socket.writableLength === 0

/**
 * Whether the client has taken nothing for longer than a slow line would need. `writableLength` counts a chunk until
 * all of it is taken, so a large chunk gets more time.
 */
const isTooSlow = (
  socket: Socket,
  state: ConnectionState,
  now: number,
  { graceMs, bytesPerSecond }: SlowReaderLimits,
): boolean => {
  const unread = socket.writableLength
  const bytes = socket.bytesWritten - unread
  if (unread === 0 || bytes !== state.bytesRead) {
    state.bytesRead = bytes
    state.readAt = now
    return false
  }
  return now - state.readAt > graceMs + (unread / bytesPerSecond) * 1000
}

/** How long the client has sent nothing while no response was made or read, milliseconds. */
const idleMs = (socket: Socket, state: ConnectionState, now: number): number => {
  if (!isIdle(socket) || socket.bytesRead !== state.bytesSent) {
    state.bytesSent = socket.bytesRead
    state.idleSince = now
  }
  return now - state.idleSince
}

/** Closes the connection that has been idle for longest, or the newest one if none is idle. @returns the closed one */
const closeLongestIdle = (sockets: Iterable<Socket>): Socket | undefined => {
  let last: Socket | undefined
  for (const socket of sockets) {
    last = socket
    if (isIdle(socket)) break
  }
  last?.destroy()
  return last
}

/** A pipeline stays open until it is idle: closing it earlier would lose the requests that wait. */
const closeAfterResponse = (socket: Socket): void => {
  const running = unfinishedResponse(socket)
  if (running && !running.headersSent && !isPipelining(socket)) running.shouldKeepAlive = false
}
