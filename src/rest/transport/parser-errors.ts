import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { BadRequest, MethodNotAllowed, type PublicError } from '@lectern/wiki/errors'
import { unfinishedResponse } from '../../http/connections.ts'
import { plainAddress } from '../admission/rate-limit.ts'
import { errorResponse } from './responses.ts'
import { CORS_HEADERS } from './send.ts'

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

/** The beginning of every HTTP request line: a method, and the first character of a target. */
const METHOD = /^[\w-]+ [/*h]/i

export const TOO_LONG = new BadRequest('The request line and the headers are too long.', 431)

/** The errors of this API for the error codes of Node's parser. Undefined: the request is not valid HTTP. */
const publicErrors: Record<string, (packet: Buffer) => PublicError | undefined> = {
  HPE_HEADER_OVERFLOW: () => TOO_LONG,
  HPE_INVALID_URL: () =>
    new BadRequest(
      'The URL contains a character that must be percent-encoded, for example a letter outside ASCII.',
    ),
  HPE_INVALID_METHOD: (packet) =>
    METHOD.test(packet.toString('latin1', 0, 40)) ? new MethodNotAllowed() : undefined,
  ERR_HTTP_REQUEST_TIMEOUT: () => new BadRequest('The request took too long to arrive.', 408),
}

/** How long the server still reads, and discards, what a refused client sends, milliseconds. */
const LINGER_MS = 1_000

export interface RefusedConnection {
  id: string
  error: PublicError
  /** IP address of the connection. The address that a proxy forwards is not known. */
  client: string | undefined
}

/**
 * Refuses connections whose request Node cannot parse: sends the same body as for every other error, then closes the
 * connection. Responses to earlier requests of the connection go first.
 * @param onRefusal called for each refusal, before the response is sent
 */
export const makeParserErrors = (onRefusal: (refusal: RefusedConnection) => void) => {
  /** Connections that are refused when the response to the earlier request is sent. */
  const waiting = new WeakSet<Socket>()
  const refused = new WeakSet<Duplex>()

  const refuse = (socket: Duplex, error: PublicError, isHead = false): void => {
    const id = randomUUID()
    onRefusal({ id, error, client: plainAddress((socket as Socket).remoteAddress) })
    socket.end(responseText(error, id, isHead))
    // Closing while the client still sends would reset the connection, and the client would lose the response.
    refused.add(socket)
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
  /** For the event `clientError` of node:http. Node's own response has neither a body nor CORS headers. */
  const clientError = (error: ParserError, socket: Socket): void => {
    if (waiting.has(socket) || refused.has(socket)) return
    const earlier = unfinishedResponse(socket)
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else if (earlier) {
      waiting.add(socket)
      earlier.once('close', () => {
        waiting.delete(socket)
        clientError(error, socket)
      })
    } else {
      const packet = error.rawPacket ?? Buffer.alloc(0)
      const publicError =
        publicErrors[error.code ?? '']?.(packet) ?? new BadRequest('The request is not valid HTTP.')
      refuse(socket, publicError, isHead(packet, error.bytesParsed))
    }
  }
  /** For the event `connect` of node:http. It passes a bare socket, whose errors no other code handles. */
  const connect = (_: IncomingMessage, socket: Duplex): void => {
    socket.on('error', () => {})
    refuse(socket, new MethodNotAllowed())
    socket.resume()
  }
  return { clientError, connect }
}

/** Whether the unreadable request is a HEAD. Its packet shows this if the request begins there. */
const isHead = (packet: Buffer, bytesParsed = packet.length): boolean => {
  const text = packet.toString('latin1', 0, bytesParsed)
  const endOfEarlier = text.lastIndexOf('\r\n\r\n')
  return text.startsWith('HEAD ', endOfEarlier < 0 ? 0 : endOfEarlier + 4)
}

const responseText = (error: PublicError, id: string, isHead: boolean): string => {
  const { status, headers, body } = errorResponse(error, 0)
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
