import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { BadRequest, MethodNotAllowed, type PublicError } from '../errors.ts'
import { errorAnswer } from './answers.ts'
import { CORS_HEADERS } from './cors.ts'

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer }

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

type ServerSocket = Socket & { _httpMessage?: ServerResponse | null }

/** Connections that are refused as soon as the requests before are answered. */
const waiting = new WeakSet<Socket>()

/**
 * Answers a connection whose request cannot be parsed, in the form of every other error, and closes it;
 * answers to requests that came before go first.
 * For the event `clientError` of node:http, whose own answer has neither body nor CORS headers.
 */
export const answerParserError = (error: ParserError, socket: ServerSocket): void => {
  if (waiting.has(socket)) return
  const before = socket._httpMessage
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
  else if (before) {
    waiting.add(socket)
    before.once('close', () => {
      waiting.delete(socket)
      answerParserError(error, socket)
    })
  } else
    refuse(
      socket,
      wordings[error.code ?? '']?.(error.rawPacket ?? Buffer.alloc(0)) ??
        new BadRequest('The request is not HTTP.'),
    )
}

/** Answers a CONNECT. For that event of node:http, which hands on a bare socket: nobody else listens to its errors. */
export const answerConnect = (_: IncomingMessage, socket: Duplex): void => {
  socket.on('error', () => {})
  refuse(socket, new MethodNotAllowed())
  socket.once('finish', () => socket.destroy())
}

const refuse = (socket: Duplex, refused: PublicError): void => {
  const { status, headers, body } = errorAnswer(refused, 0)
  const lines = Object.entries({
    ...headers,
    ...CORS_HEADERS,
    Vary: 'Accept-Encoding',
    Date: new Date().toUTCString(),
    'X-Request-Id': randomUUID(),
    'Content-Length': String(body.length),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
