import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { UNREAD_RESPONSE_BYTES } from '../limits.ts'

/** Bodies that are in memory because clients have not read them yet, each counted once however many read it. */
interface UnreadResponses {
  /**
   * Counts an answer's body until the answer is closed. Where a connection holds too much, it is cut; where all
   * do, those whose answers have been pending for longest are, until it is enough.
   */
  add(socket: Socket, response: ServerResponse, body: Buffer): void
  readonly bytes: number
  /** Connections that were cut since the start. */
  readonly disconnects: number
}

/** What a connection holds. */
interface Held {
  bytes: number
  responses: Set<ServerResponse>
  onClose(): void
}

/** @param bounds bytes: of a connection with more than one answer, of all, and from what on a body is counted */
export const limitUnreadResponses = (
  bounds: Readonly<Record<keyof typeof UNREAD_RESPONSE_BYTES, number>> = UNREAD_RESPONSE_BYTES,
): UnreadResponses => {
  /** In the order in which they began. */
  const answers = new Map<ServerResponse, { socket: Socket; body: Buffer }>()
  const readers = new Map<Buffer, number>()
  const held = new Map<Socket, Held>()
  let bytes = 0
  let cut = 0

  const remove = (response: ServerResponse): void => {
    const answer = answers.get(response)
    if (!answer) return
    const { socket, body } = answer
    answers.delete(response)
    const others = readers.get(body)! - 1
    if (others > 0) readers.set(body, others)
    else {
      readers.delete(body)
      bytes -= body.length
    }
    const own = held.get(socket)!
    own.bytes -= body.length
    own.responses.delete(response)
    if (own.responses.size > 0) return
    held.delete(socket)
    socket.off('close', own.onClose)
  }
  /** One listener a connection, which goes with its last answer: a proxy's connection lives for a million of them. */
  const begin = (socket: Socket): Held => {
    const own: Held = { bytes: 0, responses: new Set(), onClose: () => removeAll(own) }
    held.set(socket, own)
    socket.once('close', own.onClose) // an answer behind another has no close of its own
    return own
  }
  const removeAll = ({ responses }: Held): void => {
    for (const response of responses) remove(response)
  }
  const cutOff = (socket: Socket): void => {
    cut += 1
    removeAll(held.get(socket)!)
    socket.destroy()
  }
  /** Cutting one that reads what others read too would free nothing. */
  const cutOldest = (): void => {
    for (const { socket, body } of answers.values()) {
      if (bytes <= bounds.process) return
      if (readers.get(body) === 1) cutOff(socket)
    }
  }
  return {
    add: (socket, response, body) => {
      if (body.length < bounds.countedFrom || socket.destroyed) return
      answers.set(response, { socket, body })
      const others = readers.get(body) ?? 0
      readers.set(body, others + 1)
      if (others === 0) bytes += body.length
      const own = held.get(socket) ?? begin(socket)
      own.bytes += body.length
      own.responses.add(response)
      response.once('close', () => remove(response))
      if (own.responses.size > 1 && own.bytes > bounds.connection) cutOff(socket)
      else if (bytes > bounds.process) cutOldest()
    },
    get bytes() {
      return bytes
    },
    get disconnects() {
      return cut
    },
  }
}

/** Those of this process. */
export const unreadResponses = limitUnreadResponses()
