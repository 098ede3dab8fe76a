import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of a connection that wait behind another's answer. */
const waiting = new WeakMap<Socket, number>()

export const isPipelining = (socket: Socket): boolean => waiting.has(socket)

/**
 * How many requests of a connection wait for their turn, this one included; 0 for one whose turn it is.
 * node:http starts every request of a packet at once, so that 64 KB can ask for a thousand answers, and holds
 * them in memory until those before are read.
 */
export const placeInPipeline = (socket: Socket, response: ServerResponse): number => {
  if (response.socket !== null) return 0
  const place = (waiting.get(socket) ?? 0) + 1
  waiting.set(socket, place)
  response.once('close', () => {
    const left = (waiting.get(socket) ?? 1) - 1
    if (left === 0) waiting.delete(socket)
    else waiting.set(socket, left)
  })
  return place
}
