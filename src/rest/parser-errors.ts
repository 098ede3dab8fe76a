import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { BadRequest, MethodNotAllowed, type PublicError } from '../errors.ts'
import { errorAnswer } from './answers.ts'
import { CORS_HEADERS } from './cors.ts'

/** What Node's parser refuses, as this API words it. */
const wordings: Record<string, () => PublicError> = {
  HPE_HEADER_OVERFLOW: () => new BadRequest('The address and headers are too long.', 431),
  HPE_INVALID_METHOD: () => new MethodNotAllowed(),
  ERR_HTTP_REQUEST_TIMEOUT: () => new BadRequest('The request did not arrive in time.', 408),
}

/**
 * Answers a connection whose request cannot be parsed, in the form of every other error, and closes it.
 * For the event `clientError` of node:http, whose own answer has neither body nor CORS headers.
 */
export const answerParserError = (
  error: NodeJS.ErrnoException,
  socket: Socket & { _httpMessage?: unknown },
): void => {
  const answering = socket._httpMessage != null
  if (!socket.writable || answering || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const refused = wordings[error.code ?? '']?.() ?? new BadRequest('The request is not HTTP.')
  const { status, headers, body } = errorAnswer(refused, 0)
  const lines = Object.entries({
    ...headers,
    ...CORS_HEADERS,
    'X-Request-Id': randomUUID(),
    'Content-Length': String(body.length),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
