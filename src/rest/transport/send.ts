import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { ALLOWED_METHODS } from '@lectern/wiki/errors'
import fresh from 'fresh'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { KEEP_ALIVE_HEADER } from '../../http/connections.ts'
import { drained, unreadResponses } from '../../http/unread-responses.ts'
import { LARGE_BODY, SMALL_BODY, WRITE_CHUNK_BYTES } from '../../limits/responses.ts'
import { COMPRESSION_MIN_BYTES, PREFLIGHT_MAX_AGE_SECONDS } from '../../limits/service.ts'
import { getOrAdd, memoizeLast } from '../../shared/memoize.ts'
import type { Exchange } from './exchange.ts'
import { type ApiResponse, compressLargeBody, type HeaderList } from './responses.ts'

/**
 * Headers that scripts on other sites can read, besides those that they always can: Cache-Control, Content-Language,
 * Content-Length and Content-Type. A cache between client and service adds Age. Without it, a script cannot see that
 * `RateLimit` is that of another client.
 */
export const EXPOSED_HEADERS =
  'Age, Allow, Deprecation, ETag, Lectern-Ignored-Parameters, Lectern-Invalid-Parameters, Link, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Request-Id'

/** Headers of every response, including errors and 304. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
}

/** A list of header names (RFC 9110, 5.6.2), as browsers write it. The response repeats no other text. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~ ,-]+$/

/**
 * Sends the response to a CORS preflight. It allows every request header, because some clients add headers of their own.
 * @param methods that the URL has
 */
export const sendPreflight = (
  { request, response, ownHeaders }: Exchange,
  methods: string = ALLOWED_METHODS,
): void => {
  const requestedHeaders = request.headers['access-control-request-headers'] ?? ''
  const isList = HEADER_NAMES.test(requestedHeaders)
  const headers = {
    ...CORS_HEADERS,
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': isList ? requestedHeaders : '*',
    'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_SECONDS),
    Vary: 'Access-Control-Request-Headers',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  const keepAlive = response.shouldKeepAlive ? KEEP_ALIVE_HEADER : []
  response.writeHead(204, [...Object.entries(headers).flat(), ...ownHeaders, ...keepAlive])
  response.end()
}

const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]

const NO_BODY = Buffer.alloc(0)

/** What is sent of a response: with the body in one encoding, or as a 304 without a body. */
interface Representation {
  status: number
  headers: HeaderList
  body: Buffer
}

const listOf = (headers: Readonly<Record<string, string>>): HeaderList => Object.entries(headers).flat()

const baseHeaders = (vary: string): HeaderList =>
  listOf({ ...CORS_HEADERS, Vary: vary, 'X-Content-Type-Options': 'nosniff' })
const BASE_HEADERS = baseHeaders('Accept-Encoding')
const NEGOTIATED_BASE_HEADERS = baseHeaders('Accept, Accept-Encoding')

/** A response with its bytes in each requested encoding. Each encoding is created once. */
export class EncodedResponse {
  readonly response: ApiResponse
  readonly #headers: HeaderList
  readonly #bodies = new Map<Encoding, Representation | Promise<Representation>>()
  #notModified: Representation | undefined
  /** Cache-Control for so many seconds: node:http takes longer for a new text than for one that it has sent before. */
  readonly cacheControl = memoizeLast((seconds: number) => `public, max-age=${seconds}`)

  constructor(response: ApiResponse) {
    this.response = response
    const base = response.isNegotiated ? NEGOTIATED_BASE_HEADERS : BASE_HEADERS
    this.#headers = listOf(response.headers).concat(base)
  }

  /** The 304 for clients that have the body already. */
  get notModified(): Representation {
    const headers = () => this.#headers.toSpliced(this.#headers.indexOf('Content-Type'), 2)
    this.#notModified ??= { status: 304, headers: headers(), body: NO_BODY }
    return this.#notModified
  }

  /** Returns a promise only while the body is being compressed. */
  bodyIn(encoding: Encoding): Representation | Promise<Representation> {
    return getOrAdd(this.#bodies, encoding, () =>
      encoding === 'identity' ? this.#bodyOf(this.response.body) : this.#compress(encoding),
    )
  }

  async #compress(encoding: 'br' | 'gzip'): Promise<Representation> {
    const { body, isStored } = this.response
    const compress = () => compressed(body, encoding, isStored === false)
    const representation = await (body.length > LARGE_BODY ? compressLargeBody(compress) : compress()).then(
      (bytes) => this.#bodyOf(bytes, 'Content-Encoding', encoding),
      () => this.#bodyOf(body), // compression failed for lack of memory: then without it
    )
    this.#bodies.set(encoding, representation)
    return representation
  }

  #bodyOf(body: Buffer, ...extraHeaders: HeaderList): Representation {
    const headers = [...this.#headers, ...extraHeaders, 'Content-Length', String(body.length)]
    return { status: this.response.status, headers, body }
  }
}

/**
 * Sends a response: a 304 if the client has it already, without a body for HEAD, and compressed if the client accepts that
 * and the body is large enough. `max-age` is the time that is left. There is no `Age`, which would make `RateLimit` outdated
 * for clients.
 * @param age how long the response has been cached, whole seconds
 * @returns the status
 */
export const send = (exchange: Exchange, encoded: EncodedResponse, age = 0): number => {
  const { request, response, ownHeaders } = exchange
  const { status, maxAge } = encoded.response
  if (response.shouldKeepAlive) ownHeaders.push(KEEP_ALIVE_HEADER[0], KEEP_ALIVE_HEADER[1])
  if (maxAge !== undefined) ownHeaders.push('Cache-Control', encoded.cacheControl(Math.max(0, maxAge - age)))
  if (status === 200 && isFresh(request, encoded.response.headers.ETag)) {
    sendRepresentation(exchange, encoded.notModified)
    return 304
  }
  const representation = encoded.bodyIn(encodingFor(request, encoded.response))
  if (representation instanceof Promise) {
    representation
      .then((compressed) => sendRepresentation(exchange, compressed))
      .catch(() => response.destroy())
  } else sendRepresentation(exchange, representation)
  return status
}

/** With what node:http documents alone: a head written by hand saves a third of a cached response, and breaks. (D22) */
const sendRepresentation = (
  { request, response, ownHeaders }: Exchange,
  { status, headers, body }: Representation,
): void => {
  response.writeHead(status, [...headers, ...ownHeaders])
  if (request.method === 'HEAD' || body.length === 0) return void response.end()
  unreadResponses.add(request.socket, response, body)
  if (body.length > WRITE_CHUNK_BYTES) void sendInChunks(response, body)
  else response.end(body)
}

/** In chunks, so that the server sees how fast a client reads: node:http counts a chunk until all of it is read. */
const sendInChunks = async (response: ServerResponse, body: Buffer): Promise<void> => {
  for (let start = 0; start < body.length && !response.destroyed; start += WRITE_CHUNK_BYTES)
    if (!response.write(body.subarray(start, start + WRITE_CHUNK_BYTES))) await drained(response)
  response.end()
}

/** Only If-None-Match counts. A reload sends `Cache-Control: no-cache`, but an equal body need not be sent again. */
export const isFresh = ({ headers }: IncomingMessage, etag: string | undefined): boolean => {
  const known = headers['if-none-match']
  if (known === undefined) return false
  return known === etag || fresh({ 'if-none-match': known }, { etag })
}

/** Negotiated encodings by Accept-Encoding header. Clients send few different ones, and to parse one takes microseconds. */
const encodings = new LRUCache<string, Encoding>({ max: 200 })

/**
 * The best encoding that the client accepts, by the weights of the client, then in the order of `ENCODINGS`. A small
 * body is not compressed, unless the client requires it, and an archive never.
 */
const encodingFor = (request: IncomingMessage, { headers, body }: ApiResponse): Encoding => {
  const accepted = request.headers['accept-encoding']
  const isSmall = body.length < COMPRESSION_MIN_BYTES
  if (accepted === undefined || headers['Content-Type'] === 'application/gzip') return 'identity'
  const key = `${isSmall} ${accepted}`
  const known = encodings.get(key)
  if (known !== undefined) return known
  const encoding = negotiate(request, isSmall)
  if (key.length < 200) encodings.set(key, encoding)
  return encoding
}

const negotiate = (request: IncomingMessage, isSmall: boolean): Encoding => {
  // The options exist since negotiator 1.0. The published types are those of 0.6.
  const negotiator = new Negotiator(request) as unknown as {
    encoding(available: readonly string[], options?: { preferred: readonly string[] }): Encoding | undefined
  }
  if (isSmall && negotiator.encoding(['identity'])) return 'identity'
  return negotiator.encoding(ENCODINGS, { preferred: ENCODINGS }) ?? 'identity'
}

/**
 * Compresses a body: outside the main thread, except a small one, for which that takes three times as long. The fast levels are
 * for lists with texts, most of whose time went into compression: half the CPU time or less, for a seventh more bytes. (D101)
 * @param isFast whether to take less time and leave more bytes, for a long body that is sent only once
 */
const compressed = async (body: Buffer, encoding: 'br' | 'gzip', isFast: boolean): Promise<Buffer> => {
  const isSmall = body.length <= SMALL_BODY
  if (encoding === 'gzip') {
    const options = { level: isFast ? 1 : 5 }
    return isSmall ? gzipSync(body, options) : promisify(gzip)(body, options)
  }
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: isFast ? 1 : 4 } }
  return isSmall ? brotliCompressSync(body, options) : promisify(brotliCompress)(body, options)
}
