import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { UNREAD_RESPONSE_BYTES } from '../limits/service.ts'

/** Response bodies that are in memory because clients have not read them yet. A shared body counts once. */
interface UnreadResponses {
  /**
   * Counts a response's body until the response is closed. If one connection holds too many bytes, it is closed. If
   * all connections together hold too many, those with the oldest responses are closed, until the rest is within bounds.
   */
  add(socket: Socket, response: ServerResponse, body: Buffer): void
  readonly bytes: number
  /** Connections that were closed since the start. */
  readonly disconnects: number
}

/** The unread responses of one connection. */
interface ConnectionResponses {
  bytes: number
  responses: Set<ServerResponse>
  onClose(): void
}

/**
 * Long: responses, bodies and connections have to change together.
 * @param bounds bytes: of a connection with more than one response, of all, and the smallest body that counts
 */
export const limitUnreadResponses = (
  bounds: Readonly<Record<keyof typeof UNREAD_RESPONSE_BYTES, number>> = UNREAD_RESPONSE_BYTES,
): UnreadResponses => {
  /** In the order in which they were added. */
  const unread = new Map<ServerResponse, { socket: Socket; body: Buffer }>()
  const readers = new Map<Buffer, number>()
  const connections = new Map<Socket, ConnectionResponses>()
  let bytes = 0
  let disconnects = 0

  const remove = (response: ServerResponse): void => {
    const removed = unread.get(response)
    if (!removed) return
    const { socket, body } = removed
    unread.delete(response)
    const otherReaders = readers.get(body)! - 1
    if (otherReaders > 0) readers.set(body, otherReaders)
    else {
      readers.delete(body)
      bytes -= body.length
    }
    const connection = connections.get(socket)!
    connection.bytes -= body.length
    connection.responses.delete(response)
    if (connection.responses.size > 0) return
    connections.delete(socket)
    socket.off('close', connection.onClose)
  }
  const removeAll = ({ responses }: ConnectionResponses): void => {
    for (const response of responses) remove(response)
  }
  /** One listener per connection, removed with its last response: a proxy's connection serves a million of them. */
  const addConnection = (socket: Socket): ConnectionResponses => {
    const connection: ConnectionResponses = {
      bytes: 0,
      responses: new Set(),
      onClose: () => removeAll(connection),
    }
    connections.set(socket, connection)
    socket.once('close', connection.onClose) // a response that waits behind another one has no event `close`
    return connection
  }
  const disconnect = (socket: Socket): void => {
    disconnects += 1
    removeAll(connections.get(socket)!)
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
    add: (socket, response, body) => {
      if (body.length < bounds.countedFrom || socket.destroyed) return
      unread.set(response, { socket, body })
      const otherReaders = readers.get(body) ?? 0
      readers.set(body, otherReaders + 1)
      if (otherReaders === 0) bytes += body.length
      const connection = connections.get(socket) ?? addConnection(socket)
      connection.bytes += body.length
      connection.responses.add(response)
      response.once('close', () => remove(response))
      if (connection.responses.size > 1 && connection.bytes > bounds.connection) disconnect(socket)
      else if (bytes > bounds.process) disconnectOldest()
    },
    get bytes() {
      return bytes
    },
    get disconnects() {
      return disconnects
    },
  }
}

/** The unread responses of this process. */
export const unreadResponses = limitUnreadResponses()
