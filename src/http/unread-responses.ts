import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { UNREAD_RESPONSE_BYTES } from '../limits/service.ts'
import { getOrAdd } from '../shared/memoize.ts'

/**
 * Response bodies that are in memory because clients have not read them yet. A shared body counts once.
 * Long: responses, bodies and connections have to change together.
 * @param bounds bytes: of a connection with more than one response, of all, and the smallest body that counts
 */
export const limitUnreadResponses = (
  bounds: Readonly<Record<keyof typeof UNREAD_RESPONSE_BYTES, number>> = UNREAD_RESPONSE_BYTES,
) => {
  /** In the order in which they were added. */
  const unread = new Map<ServerResponse, { socket: Socket; body: Buffer }>()
  const readers = new Map<Buffer, number>()
  const connections = new WeakMap<Socket, Set<ServerResponse>>()
  let bytes = 0
  let disconnects = 0

  const remove = (response: ServerResponse): void => {
    const removed = unread.get(response)
    if (!removed) return
    const { socket, body } = removed
    unread.delete(response)
    connections.get(socket)!.delete(response)
    readers.set(body, readers.get(body)! - 1)
    if (readers.get(body)! > 0) return
    readers.delete(body)
    bytes -= body.length
  }
  const responsesOf = (socket: Socket): Set<ServerResponse> =>
    getOrAdd(connections, socket, () => {
      const responses = new Set<ServerResponse>()
      socket.once('close', () => responses.forEach(remove)) // a response that waits behind another one has no event `close`
      return responses
    })
  const disconnect = (socket: Socket): void => {
    disconnects += 1
    responsesOf(socket).forEach(remove)
    socket.destroy()
  }
  /** Closing the reader of a body that others read too would free nothing. */
  const disconnectOldest = (): void => {
    for (const { socket, body } of unread.values()) {
      if (bytes <= bounds.process) return
      if (readers.get(body) === 1) disconnect(socket)
    }
  }
  return {
    /**
     * Counts a response's body until the response is closed. If one connection holds too many bytes, it is closed. If
     * all connections together hold too many, those with the oldest responses are closed, until the rest is within bounds.
     */
    add: (socket: Socket, response: ServerResponse, body: Buffer): void => {
      if (body.length < bounds.countedFrom || socket.destroyed) return
      unread.set(response, { socket, body })
      if (!readers.has(body)) bytes += body.length
      readers.set(body, (readers.get(body) ?? 0) + 1)
      const responses = responsesOf(socket).add(response)
      response.once('close', () => remove(response))
      const bytesOfConnection = [...responses].reduce((sum, one) => sum + unread.get(one)!.body.length, 0)
      if (responses.size > 1 && bytesOfConnection > bounds.connection) disconnect(socket)
      else if (bytes > bounds.process) disconnectOldest()
    },
    /** Bytes of these bodies now, and connections that were closed since the start. */
    counts: () => ({ bytes, disconnects }),
  }
}

export const unreadResponses = limitUnreadResponses()

/**
 * Waits until the client has taken what was written, or its connection is closed.
 * @param longestMs after this time, milliseconds, the response is destroyed. Default: who calls bounds the time otherwise
 */
export const drained = (response: ServerResponse, longestMs?: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = longestMs === undefined ? undefined : setTimeout(() => response.destroy(), longestMs)
    const finish = (): void => {
      clearTimeout(timer)
      response.off('drain', finish).off('close', finish)
      resolve()
    }
    response.on('drain', finish).on('close', finish)
    if (response.destroyed) finish()
  })
