import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BadRequest, MethodNotAllowed, Overloaded } from '@lectern/wiki/errors'
import type { ConcurrencyLimit } from '../admission/admission.ts'
import { type RateLimitResult, rateLimited } from '../admission/rate-limit.ts'
import type { ApiClient } from '../route-responder.ts'
import type { Exchange } from './exchange.ts'
import { uncachedEntry } from './response-cache.ts'
import type { ResponseSender } from './response-sender.ts'
import type { ApiResponse } from './responses.ts'
import { EncodedResponse } from './send.ts'

/** An endpoint beside the API that programs call with POST. Its requests count in the rate limit of the API. */
export interface PostEndpoint {
  readonly path: string
  /** Its name in metrics. */
  readonly name: string
  /** Checks a request before its body is read. @throws PublicError */
  check(request: IncomingMessage): void
  /** @throws PublicError; anything else is a defect */
  respond(call: PostCall): Promise<ApiResponse>
}

interface PostCall {
  headers: IncomingHttpHeaders
  body: Buffer
  /** Aborted when the client disconnects. */
  signal: AbortSignal
  /** Reads a route of the API, as the client of this request. @see ReadApi */
  read(url: string): Promise<ApiResponse>
  /** Counts further requests in the rate limit, if the body holds several. @throws RateLimited */
  countRequests(count: number): Promise<void>
}

type Client = Omit<ApiClient, 'prefersMarkdown'> & { host?: string | undefined }
/** Reads a route of the API within this process, as a GET of its path and query would. Errors are responses, too. */
export type ReadApi = (url: string, client: Client) => Promise<ApiResponse>

interface PostHandlerOptions {
  endpoint: PostEndpoint
  read: ReadApi
  limitRate: (url: string, client: string) => RateLimitResult | Promise<RateLimitResult>
  /** Of the requests. Their reads of the API have the limits of their classes besides. */
  limit: ConcurrencyLimit
  sender: ResponseSender
}

const METHODS = 'POST, OPTIONS'

export const makePostHandler = (options: PostHandlerOptions) => {
  const { endpoint, limit, sender } = options
  return {
    owns: (url: string): boolean => url === endpoint.path || url.startsWith(`${endpoint.path}?`),
    /** Responds to a request with any method except GET and HEAD. @throws PublicError */
    handle: (exchange: Exchange) => {
      const { request, clientKey } = exchange
      exchange.route = endpoint.name
      endpoint.check(request)
      if (request.method === 'OPTIONS') return sender.sendPreflight(exchange, METHODS)
      if (request.method !== 'POST') throw new MethodNotAllowed(METHODS, 'This URL takes POST requests.')
      if (limit.isSaturated(clientKey)) throw limit.recordShed()
      respond(exchange, options).then(
        (response) => {
          delete request.headers['if-none-match'] // of GET and HEAD alone
          sender.sendEntry(exchange, uncachedEntry(new EncodedResponse(response), endpoint.name))
        },
        (error: unknown) => sender.sendError(exchange, error),
      )
    },
  }
}

const respond = async (exchange: Exchange, { endpoint, read, limitRate, limit }: PostHandlerOptions) => {
  const { request, response, clientKey, ownHeaders } = exchange
  const { headers, url } = request
  const body = await readBody(request)
  const disconnect = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) disconnect.abort()
  })
  const countRequests = async (count: number) => {
    for (let counted = 0; counted < count; counted += 1) {
      const rate = await limitRate(url!, clientKey)
      replaceHeaders(ownHeaders, rate.headers)
      if (rate.retryAfterSeconds !== undefined) throw rateLimited(rate.retryAfterSeconds)
    }
  }
  const readAsClient = (target: string) => read(target, { host: headers.host, clientKey, isStrict: true })
  const call = { headers, body, signal: disconnect.signal, read: readAsClient, countRequests }
  return limit.run(clientKey, () => endpoint.respond(call))
}

/** Both lists have names and values in alternation. */
const replaceHeaders = (ownHeaders: string[], newer: readonly string[]): void => {
  for (let i = 0; i < newer.length; i += 2) {
    const at = ownHeaders.indexOf(newer[i]!)
    if (at >= 0) ownHeaders[at + 1] = newer[i + 1]!
  }
}

/**
 * The body of a POST on the public listener: its bytes, the bytes of all bodies that a process holds while they
 * arrive, and how long a client has to send one, milliseconds. A call of a tool needs a few hundred bytes; a client
 * may describe itself with an icon of some KB.
 */
const POST_BODY_LIMITS = { bytes: 64 * 1024, processBytes: 32 * 1024 * 1024, timeoutMs: 10_000 } as const

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
const readBody = async (request: IncomingMessage): Promise<Buffer> => {
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
