import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { CONNECTIONS_MAX, SHUTDOWN, SLOW_READER } from '../limits.ts'
import { isPipelining } from './pipelining.ts'

/** `_httpMessage` is the answer that node:http is making or sending; it has no public name. */
type ServerSocket = Socket & { _httpMessage?: ServerResponse | null }

/** When a client that reads too slowly is cut. @see SLOW_READER */
interface SlowReaderLimits {
  graceMs: number
  bytesPerSecond: number
  checkMs: number
}

/** What a connection had read when it last read anything. */
interface Reading {
  bytes: number
  /** By the clock of `performance.now`, milliseconds. */
  at: number
}

export interface ConnectionTracker {
  /** How many there are now. */
  readonly open: number
  /** How many were cut since the start because they read too slowly. */
  readonly slowReaders: number
  /** How many idle ones were closed since the start to make room. */
  readonly evicted: number
  /**
   * Stops accepting and resolves when every connection is closed: running requests finish, and tell their
   * client by `Connection: close`. What is left after `STOPPING.longestMs` is cut.
   * @param graceMs how long idle connections may still bring a request, milliseconds: a client that sends
   * one while its connection is being closed cannot know whether it was read
   */
  drain(graceMs: number): Promise<void>
}

/**
 * Looks after the connections of a server, which node:http lets live for ever while an answer is being read.
 * @param most connections that are open at a time
 */
export const trackConnections = (
  server: Server,
  most = CONNECTIONS_MAX,
  slowReader: SlowReaderLimits = SLOW_READER,
): ConnectionTracker => {
  /** In the order in which they became idle, the first for longest; one that is answered keeps its place until then. */
  const readings = new Map<ServerSocket, Reading>()
  const counts = { slowReaders: 0, evicted: 0 }

  /** Moves the connection of an answer that is done behind all others: from now on it is idle. */
  function becomeIdle(this: ServerResponse): void {
    const socket: ServerSocket = this.req.socket
    const reading = readings.get(socket)
    if (reading === undefined) return
    readings.delete(socket)
    readings.set(socket, reading)
  }
  server.on('request', (_: IncomingMessage, response: ServerResponse) => response.on('close', becomeIdle))
  server.on('connection', (socket: ServerSocket) => {
    readings.set(socket, { bytes: 0, at: performance.now() })
    socket.once('close', () => readings.delete(socket))
    const evicted = readings.size > most ? makeRoom(readings.keys()) : undefined
    if (evicted === undefined) return
    // At once: it closes after this turn, in which more may come.
    readings.delete(evicted)
    counts.evicted += 1
  })
  const sweep = () => {
    const now = performance.now()
    for (const [socket, reading] of readings) {
      if (!isTooSlow(socket, reading, now, slowReader)) continue
      counts.slowReaders += 1
      socket.destroy()
    }
  }
  const sweeping = setInterval(sweep, slowReader.checkMs)
  sweeping.unref()

  const drain = async (graceMs: number): Promise<void> => {
    if (!server.listening) return clearInterval(sweeping)
    const closed = new Promise((resolve) => server.once('close', resolve))
    const newest = new WeakMap<Socket, ServerResponse>()
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const before = newest.get(socket)
      if (before && !before.headersSent) before.shouldKeepAlive = true
      response.shouldKeepAlive = false
      newest.set(socket, response)
    })
    // Not http's own close: it cuts answers that are still being read, and idle connections at once.
    NetServer.prototype.close.call(server)
    for (const socket of readings.keys()) closeAfterAnswer(socket)
    const closeIdle = () => {
      for (const socket of readings.keys()) if (isIdle(socket)) socket.destroy()
    }
    const timers: NodeJS.Timeout[] = []
    timers.push(
      setTimeout(() => {
        closeIdle()
        timers.push(setInterval(closeIdle, SHUTDOWN.checkMs))
      }, graceMs),
      setTimeout(() => {
        for (const socket of readings.keys()) socket.destroy()
      }, SHUTDOWN.longestMs),
    )
    await closed
    for (const timer of [...timers, sweeping]) clearTimeout(timer)
    server.close() // ends the check of node:http for requests that take too long to arrive
  }
  return {
    get open() {
      return readings.size
    },
    get slowReaders() {
      return counts.slowReaders
    },
    get evicted() {
      return counts.evicted
    },
    drain,
  }
}

const isIdle = (socket: ServerSocket): boolean => !socket._httpMessage && socket.writableLength === 0

/**
 * Whether nothing that was sent has been taken for longer than a slow line would need. `writableLength` counts
 * a chunk until all of it is taken, so a large chunk gets longer.
 */
const isTooSlow = (
  socket: ServerSocket,
  reading: Reading,
  now: number,
  { graceMs, bytesPerSecond }: SlowReaderLimits,
): boolean => {
  const waiting = socket.writableLength
  const bytes = socket.bytesWritten - waiting
  if (waiting === 0 || bytes !== reading.bytes) {
    reading.bytes = bytes
    reading.at = now
    return false
  }
  return now - reading.at > graceMs + (waiting / bytesPerSecond) * 1000
}

/** Closes the first connection that is idle, or else the newest. @param sockets in the order in which they became idle */
const makeRoom = (sockets: Iterable<ServerSocket>): ServerSocket | undefined => {
  let last: ServerSocket | undefined
  for (const socket of sockets) {
    last = socket
    if (!isIdle(socket)) continue
    break
  }
  last?.destroy()
  return last
}

/** Requests behind the one that runs would not be answered, so a pipeline is left to close when it is idle. */
const closeAfterAnswer = (socket: ServerSocket): void => {
  const running = socket._httpMessage
  if (running && !running.headersSent && !isPipelining(socket)) running.shouldKeepAlive = false
}
