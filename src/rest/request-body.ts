import type { IncomingMessage } from 'node:http'
import { BadRequest, Overloaded } from '../errors.ts'

/**
 * The body of a POST on the public listener: its bytes, the bytes of all bodies that a process holds while they
 * arrive, and how long a client has to send one, milliseconds. A call of a tool needs a few hundred bytes; a client
 * may describe itself with an icon of some KB. (D109)
 */
const POST_BODY_LIMITS = {
  bytes: 64 * 1024,
  processBytes: 32 * 1024 * 1024,
  timeoutMs: 10_000,
} as const

/** Bytes of all bodies that this process holds while the rest of them arrives. */
let pendingBytes = 0

const TOO_MANY_BODIES = new Overloaded(
  1,
  'Too many requests with a body are arriving. Try again in a few seconds.',
)

const tooLarge = (): BadRequest =>
  new BadRequest(`The body of the request must have at most ${POST_BODY_LIMITS.bytes} bytes.`, 413)

/**
 * Reads the body of a request. It bounds the size of the body, the time that the client has to send it, and the bytes
 * of all bodies that arrive at a time. node:http discards the rest of a refused body, and closes the connection of a
 * client that takes too long to send it.
 * @throws BadRequest with status 400, 408 or 413, or Overloaded
 */
export const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > POST_BODY_LIMITS.bytes) throw tooLarge()
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    await new Promise<void>((resolve, reject) => {
      const settle = (error?: Error) => {
        clearTimeout(timer)
        request.off('data', onData).off('end', settle).off('close', onClose).resume()
        request.socket.off('end', onClose)
        if (error) reject(error)
        else resolve()
      }
      const onData = (chunk: Buffer) => {
        bytes += chunk.length
        pendingBytes += chunk.length
        chunks.push(chunk)
        if (bytes > POST_BODY_LIMITS.bytes) settle(tooLarge())
        else if (pendingBytes > POST_BODY_LIMITS.processBytes) settle(TOO_MANY_BODIES)
      }
      // A client that closes its side of the connection alone ends the socket, but not the request.
      const onClose = () => {
        if (!request.complete) settle(new BadRequest('The request ended early.'))
      }
      const timer = setTimeout(
        () => settle(new BadRequest('The request took too long to arrive.', 408)),
        POST_BODY_LIMITS.timeoutMs,
      ).unref()
      request.on('data', onData).once('end', settle).once('close', onClose)
      request.socket.once('end', onClose)
    })
  } finally {
    pendingBytes -= bytes
  }
  return Buffer.concat(chunks)
}
