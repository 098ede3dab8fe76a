import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PIPELINED } from '../limits.ts'

/** Requests of each connection that wait behind another's answer; only of connections that have any. */
const waiting = new Map<Socket, number>()
let waitingInAll = 0
let cut = 0

export const isPipelining = (socket: Socket): boolean => waiting.has(socket)

/** Connections that were cut since the start because too many requests waited on them. */
export const pipelinesCut = (): number => cut

/**
 * How many requests of a connection wait for their turn, this one included; 0 for one whose turn it is.
 * node:http starts every request of a packet at once, so that 64 KB can ask for a thousand answers, and holds
 * them in memory until those before are read. A connection on which more wait than `PIPELINED.connection` is
 * cut, and where more wait on all than `PIPELINED.all`, the one with most. (D78)
 */
export const placeInPipeline = (socket: Socket, response: ServerResponse): number => {
  if (response.socket !== null) return 0
  const before = waiting.get(socket)
  const place = (before ?? 0) + 1
  waiting.set(socket, place)
  waitingInAll += 1
  if (before === undefined) socket.once('close', () => forget(socket))
  response.once('close', () => leave(socket))
  if (place > PIPELINED.connection) cutOff(socket)
  else if (waitingInAll > PIPELINED.all) cutOff(deepest())
  return place
}

const leave = (socket: Socket): void => {
  const place = waiting.get(socket)
  if (place === undefined) return
  waitingInAll -= 1
  if (place === 1) waiting.delete(socket)
  else waiting.set(socket, place - 1)
}

const forget = (socket: Socket): void => {
  waitingInAll -= waiting.get(socket) ?? 0
  waiting.delete(socket)
}

/** The parser of node:http, which has no public name. */
type ParsedSocket = Socket & { parser?: { onIncoming?: () => number } | null }

/** What tells Node's parser that HTTP ends here, as before an upgrade: it leaves the rest of the packet alone. */
const READ_NO_MORE = (): number => 2

const cutOff = (socket: ParsedSocket): void => {
  cut += 1
  forget(socket)
  if (socket.parser) socket.parser.onIncoming = READ_NO_MORE
  socket.destroy()
}

const deepest = (): Socket => {
  let most = 0
  let found: Socket | undefined
  for (const [socket, place] of waiting) {
    if (place <= most) continue
    most = place
    found = socket
  }
  return found!
}
