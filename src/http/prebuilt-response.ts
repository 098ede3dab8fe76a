import {
  IncomingMessage,
  ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'

/**
 * Responses whose text is known before the request: node:http checks and joins the headers of each response again, and
 * writes head and body as two pieces, which takes a quarter of the time of a cached response. Here, head and body are
 * one text, stored where `writeHead` stores the head that it makes. (D132)
 */

/** What node:http knows of a response under names that are not public. */
type InternalResponse = ServerResponse & {
  /** The text of the head. node:http sends it before the first piece of the body, or at the end. */
  _header: string | null
  /** Whether the client sent `Expect: 100-continue`. */
  _expect_continue?: boolean
}

/**
 * Status line and headers as text.
 * @param headers names and values in alternation
 * @throws TypeError for a header that `writeHead` refuses, too
 */
export const headText = (status: number, headers: readonly string[]): string => {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`]
  for (let i = 0; i < headers.length; i += 2) {
    validateHeaderName(headers[i]!)
    validateHeaderValue(headers[i]!, headers[i + 1]!)
    lines.push(headers[i]!, ': ', headers[i + 1]!, '\r\n')
  }
  return lines.join('') // V8 joins the pieces of a concatenated text only when it reads them
}

/**
 * Sends a response as one text. It has the bytes that `writeHead` and `end` send, with `Date` and `Connection` after the
 * other headers. `canSendPrebuilt` must be true.
 * @param head status line and headers, each with its line end; not checked. A response with a body has `Content-Length`
 * @param body one character for each byte (`latin1`)
 */
export const sendPrebuilt = (response: ServerResponse, status: number, head: string, body = ''): void => {
  response.statusMessage = STATUS_CODES[status]!
  response.statusCode = status
  ;(response as InternalResponse)._header = head + endOfHead() + body
  response.end()
}

/** The end of all heads in the same second. A timer marks its end, because reading the clock takes longer. */
let latestEnd: string | undefined

const endOfHead = (): string => {
  if (latestEnd !== undefined) return latestEnd
  const now = new Date()
  latestEnd = ['Date: ', now.toUTCString(), '\r\nConnection: keep-alive\r\n\r\n'].join('')
  setTimeout(() => {
    latestEnd = undefined
  }, 1000 - now.getMilliseconds()).unref()
  return latestEnd
}

/**
 * Whether `sendPrebuilt` can send this response: the connection stays open, the client speaks HTTP/1.1, no other
 * response has to be sent before, and nobody has set headers. All other responses need `writeHead`.
 */
export const canSendPrebuilt = (request: IncomingMessage, response: ServerResponse): boolean =>
  isPossible &&
  response.shouldKeepAlive &&
  request.httpVersionMinor === 1 &&
  request.httpVersionMajor === 1 &&
  response.socket !== null &&
  !response.headersSent &&
  !(response as InternalResponse)._expect_continue &&
  response.getHeaderNames().length === 0

/**
 * Whether this version of Node sends the same bytes for `sendPrebuilt` as for `writeHead` and `end`: its names that are
 * not public can change.
 */
export const sendsSameBytes = (ResponseClass: typeof ServerResponse): boolean => {
  const headers = ['Content-Type', 'text/plain', 'Content-Length', '4', 'Keep-Alive', 'timeout=9']
  const sameFor = (status: number, body?: string): boolean => {
    const usual = bytesSent(ResponseClass, (response) =>
      response.writeHead(status, headers).end(body, 'latin1'),
    )
    const head = headText(status, headers)
    return usual === bytesSent(ResponseClass, (response) => sendPrebuilt(response, status, head, body))
  }
  try {
    return sameFor(200, 'caf\xe9') && sameFor(304)
  } catch {
    return false
  }
}

/** What a response sends, without the value of `Date`. @throws Error if it is not sent at once */
const bytesSent = (
  ResponseClass: typeof ServerResponse,
  send: (response: ServerResponse) => void,
): string => {
  let text = ''
  const socket = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, encoding, done) => {
      text +=
        typeof chunk === 'string' ? Buffer.from(chunk, encoding).toString('latin1') : chunk.toString('latin1')
      done()
    },
  })
  const request = new IncomingMessage(new Socket())
  request.httpVersionMajor = 1
  request.httpVersionMinor = 1
  const response = new ResponseClass(request)
  response.assignSocket(socket as unknown as Socket)
  send(response)
  if (!response.headersSent || !response.writableEnded) throw new Error('The response is not sent.')
  return `${response.statusCode} ${response.statusMessage}\n${text.replace(/^Date: .*$/m, 'Date')}`
}

const isPossible = sendsSameBytes(ServerResponse)
