import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { BadRequest, MethodNotAllowed, type PublicError } from '../errors.ts'
import { CORS_HEADERS } from './cors.ts'
import { errorResponse } from './responses.ts'

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

/** A word and an address, as every request line begins: else it is another protocol's bytes. */
const METHOD = /^[\w-]+ [/*h]/i

/** What Node's parser refuses, as this API words it. */
const wordings: Record<string, (packet: Buffer) => PublicError> = {
  HPE_HEADER_OVERFLOW: () => new BadRequest('The address and headers are too long.', 431),
  HPE_INVALID_URL: () =>
    new BadRequest('The address holds what must be percent-encoded: letters beyond ASCII, say.'),
  HPE_INVALID_METHOD: (packet) =>
    METHOD.test(packet.toString('latin1', 0, 40))
      ? new MethodNotAllowed()
      : new BadRequest('The request is not HTTP.'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new BadRequest('The request did not arrive in time.', 408),
}

/** How long what a refused client goes on sending is thrown away, milliseconds. */
const LINGER_MS = 1_000

type ServerSocket = Socket & { _httpMessage?: ServerResponse | null }

/** What was refused, for the log and the metrics. */
export interface RefusedConnection {
  id: string
  error: PublicError
  /** Of the connection: nothing that a proxy says is known. */
  client: string | undefined
}

export interface ParserErrors {
  /** For the event `clientError` of node:http, whose own answer has neither body nor CORS headers. */
  clientError(error: ParserError, socket: ServerSocket): void
  /** For its event `connect`, which hands on a bare socket: nobody else listens to its errors. */
  connect(request: IncomingMessage, socket: Duplex): void
}

/**
 * Answers connections whose request cannot be parsed, in the form of every other error, and closes them;
 * answers to requests that came before go first.
 * @param onRefusal sees each, before it is answered
 */
export const makeParserErrors = (onRefusal: (refusal: RefusedConnection) => void): ParserErrors => {
  /** Connections that are refused as soon as the requests before are answered. */
  const waiting = new WeakSet<Socket>()
  const refusedBefore = new WeakSet<Duplex>()

  const refuse = (socket: Duplex, error: PublicError, isHead = false): void => {
    const id = randomUUID()
    onRefusal({ id, error, client: (socket as Socket).remoteAddress })
    socket.end(answerText(error, id, isHead))
    // Closing while the client still sends would reset the connection, and lose the answer on its way.
    refusedBefore.add(socket)
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
  const clientError = (error: ParserError, socket: ServerSocket): void => {
    if (waiting.has(socket) || refusedBefore.has(socket)) return
    const before = socket._httpMessage
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else if (before) {
      waiting.add(socket)
      before.once('close', () => {
        waiting.delete(socket)
        clientError(error, socket)
      })
    } else {
      const packet = error.rawPacket ?? Buffer.alloc(0)
      const refused = wordings[error.code ?? '']?.(packet) ?? new BadRequest('The request is not HTTP.')
      refuse(socket, refused, isHead(packet, error.bytesParsed))
    }
  }
  const connect = (_: IncomingMessage, socket: Duplex): void => {
    socket.on('error', () => {})
    refuse(socket, new MethodNotAllowed())
    socket.resume()
  }
  return { clientError, connect }
}

/** Whether the request that was being read is a HEAD, as far as its packet shows: the last that begins in it. */
const isHead = (packet: Buffer, bytesParsed = packet.length): boolean => {
  const read = packet.toString('latin1', 0, bytesParsed)
  const before = read.lastIndexOf('\r\n\r\n')
  return read.startsWith('HEAD ', before < 0 ? 0 : before + 4)
}

const answerText = (refused: PublicError, id: string, isHead: boolean): string => {
  const { status, headers, body } = errorResponse(refused, 0)
  const lines = Object.entries({
    ...headers,
    ...CORS_HEADERS,
    Vary: 'Accept-Encoding',
    Date: new Date().toUTCString(),
    'X-Request-Id': id,
    'Content-Length': String(body.length),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`
}
