import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import fresh from 'fresh'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { unreadResponses } from '../http/unread-responses.ts'
import { COMPRESSION_MIN_BYTES, WRITE_CHUNK_BYTES } from '../limits.ts'
import { CORS_HEADERS } from './cors.ts'
import { type ApiResponse, cacheControl } from './responses.ts'

const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]

/** Names and values by turns, as `writeHead` takes them fastest. */
export type HeaderList = string[]

/** An answer as it goes out in one encoding. */
interface EncodedBody {
  headers: HeaderList
  body: Buffer
}

const compressors: Record<Exclude<Encoding, 'identity'>, (body: Buffer) => Promise<Buffer>> = {
  // Quality 4 takes about twice gzip's time and answers a tenth less; 11 would take a hundred times it.
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => promisify(gzip)(body),
}

const listOf = (headers: Readonly<Record<string, string>>): HeaderList => {
  const list: HeaderList = []
  for (const name in headers) list.push(name, headers[name]!)
  return list
}

/** Headers of every answer. */
const OF_ALL = listOf({ ...CORS_HEADERS, Vary: 'Accept-Encoding', 'X-Content-Type-Options': 'nosniff' })

/** An answer with the bytes of each encoding that was asked for, made once. */
export class EncodedResponse {
  readonly response: ApiResponse
  readonly #head: HeaderList
  readonly #forms = new Map<Encoding, EncodedBody | Promise<EncodedBody>>()
  #notModified: HeaderList | undefined

  constructor(answer: ApiResponse) {
    this.response = answer
    this.#head = listOf(answer.headers).concat(OF_ALL)
  }

  /** Headers of a 304. */
  get notModified(): HeaderList {
    this.#notModified ??= this.#head.toSpliced(this.#head.indexOf('Content-Type'), 2)
    return this.#notModified
  }

  /** A promise only while it is compressed. */
  encoded(encoding: Encoding): EncodedBody | Promise<EncodedBody> {
    return this.#forms.get(encoding) ?? this.#make(encoding)
  }

  #make(encoding: Encoding): EncodedBody | Promise<EncodedBody> {
    const made = this.#compress(encoding)
    this.#forms.set(encoding, made)
    return made
  }

  #compress(encoding: Encoding): EncodedBody | Promise<EncodedBody> {
    const { body } = this.response
    if (encoding === 'identity') return this.#formOf(body)
    const compressed = compressors[encoding](body).then(
      (bytes) => this.#formOf(bytes, 'Content-Encoding', encoding),
      () => this.#formOf(body), // no memory to compress it in: then as it is
    )
    return compressed.then((form) => {
      this.#forms.set(encoding, form)
      return form
    })
  }

  #formOf(body: Buffer, ...more: HeaderList): EncodedBody {
    return { headers: [...this.#head, ...more, 'Content-Length', String(body.length)], body }
  }
}

/**
 * Sends an answer: 304 where the client has it, without a body for HEAD, compressed where that is worth it
 * and wanted.
 * What is left of the time that it may be kept is told by `max-age`, without `Age`: beside that, a client has to
 * take the limits in `RateLimit`, which are of this moment, for outdated. (D14)
 * @param own headers of this request alone
 * @param age for how long it was kept already, whole seconds
 * @returns the status
 */
export const send = (
  request: IncomingMessage,
  response: ServerResponse,
  ready: EncodedResponse,
  own: HeaderList,
  age = 0,
): number => {
  const { status, body, maxAge } = ready.response
  if (maxAge !== undefined) own.push('Cache-Control', cacheControl(Math.max(0, maxAge - age)))
  if (status === 200 && isFresh(request, ready.response)) {
    response.writeHead(304, ready.notModified.concat(own))
    response.end()
    return 304
  }
  const write = (form: EncodedBody) => {
    response.writeHead(status, form.headers.concat(own))
    if (request.method !== 'HEAD') unreadResponses.add(request.socket, response, form.body)
    if (request.method === 'HEAD') response.end()
    else if (form.body.length > WRITE_CHUNK_BYTES) sendInPieces(response, form.body)
    else response.end(form.body)
  }
  const form = ready.encoded(encodingFor(request, body.length))
  if (form instanceof Promise) form.then(write).catch(() => response.destroy())
  else write(form)
  return status
}

/** So that it shows how fast a client takes a large body: node:http tells of a piece only when all of it is taken. */
const sendInPieces = (response: ServerResponse, body: Buffer): void => {
  let at = 0
  const sendMore = (): void => {
    while (at < body.length) {
      const piece = body.subarray(at, at + WRITE_CHUNK_BYTES)
      at += WRITE_CHUNK_BYTES
      if (!response.write(piece)) {
        response.once('drain', sendMore)
        return
      }
    }
    response.end()
  }
  sendMore()
}

/** Only If-None-Match counts: a reload's `Cache-Control: no-cache` does not make a body worth sending again. */
const isFresh = (request: IncomingMessage, { headers }: ApiResponse): boolean => {
  const known = request.headers['if-none-match']
  return known !== undefined && fresh({ 'if-none-match': known }, { etag: headers.ETag })
}

/** Clients send few different Accept-Encoding headers, and reading one takes microseconds. */
const encodings = new LRUCache<string, Encoding>({ max: 200 })

/**
 * The best encoding that the client takes, by its weights, then by ours; a small body stays as it is where
 * the client takes that at all.
 */
const encodingFor = (request: IncomingMessage, bytes: number): Encoding => {
  const accepted = request.headers['accept-encoding']
  const isSmall = bytes < COMPRESSION_MIN_BYTES
  if (accepted === undefined) return 'identity'
  const key = `${isSmall} ${accepted}`
  const known = encodings.get(key)
  if (known !== undefined) return known
  const found = negotiate(request, isSmall)
  if (key.length < 200) encodings.set(key, found)
  return found
}

const negotiate = (request: IncomingMessage, isSmall: boolean): Encoding => {
  // The options came with negotiator 1.0; its published types are those of 0.6.
  const negotiator = new Negotiator(request) as unknown as {
    encoding(available: readonly string[], options?: { preferred: readonly string[] }): Encoding | undefined
  }
  if (isSmall && negotiator.encoding(['identity'])) return 'identity'
  return negotiator.encoding(ENCODINGS, { preferred: ENCODINGS }) ?? 'identity'
}
