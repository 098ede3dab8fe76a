import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import etag from 'etag'
import fresh from 'fresh'
import Negotiator from 'negotiator'
import { PublicError } from '../errors.ts'
import { COMPRESS_FROM_BYTES, NOT_FOUND_SECONDS } from '../limits.ts'

/** An answer as bytes, not yet sent. */
export interface Answer {
  status: number
  headers: Record<string, string | string[]>
  body: Buffer
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** How long an answer may be kept, by anyone. */
export const cacheControl = (seconds: number): string => `public, max-age=${seconds}`

/** A 200 with a body of JSON. @param seconds how long it may be kept */
export const jsonAnswer = (body: unknown, seconds: number, headers: Answer['headers'] = {}): Answer => {
  const bytes = Buffer.from(JSON.stringify(body))
  return {
    status: 200,
    headers: {
      'Content-Type': JSON_TYPE,
      'Cache-Control': cacheControl(seconds),
      ETag: etag(bytes, { weak: true }),
      ...headers,
    },
    body: bytes,
  }
}

/** The one body that every error has. A 404 may be kept a little while, other errors not at all. */
export const errorAnswer = (
  { code, message, status, headers }: PublicError,
  cacheSeconds: number,
): Answer => ({
  status,
  headers: {
    'Content-Type': JSON_TYPE,
    'Cache-Control': status === 404 ? cacheControl(Math.min(NOT_FOUND_SECONDS, cacheSeconds)) : 'no-store',
    ...headers,
  },
  body: Buffer.from(JSON.stringify({ error: { code, message } })),
})

/** What a client is told of an error: itself where it may be, else only that there was one. */
export const publicError = (error: unknown): PublicError =>
  error instanceof PublicError
    ? error
    : new PublicError('internal', 'Something went wrong here; it is written down.')

const ENCODINGS = ['br', 'gzip', 'identity']

/**
 * The best encoding that the client takes, by its weights, then by ours; a small body stays as it is where
 * the client takes that at all.
 */
const encodingFor = (request: IncomingMessage, bytes: number): string => {
  // The options came with negotiator 1.0; its published types are those of 0.6.
  const negotiator = new Negotiator(request) as unknown as {
    encoding(available: string[], options?: { preferred: string[] }): string | undefined
  }
  if (bytes < COMPRESS_FROM_BYTES && negotiator.encoding(['identity'])) return 'identity'
  return negotiator.encoding(ENCODINGS, { preferred: ENCODINGS }) ?? 'identity'
}

const compressors: Record<string, (body: Buffer) => Promise<Buffer>> = {
  // Quality 4 takes about twice gzip's time and answers a tenth less; 11 would take a hundred times it.
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => promisify(gzip)(body),
}

/**
 * Sends an answer: 304 where the client has it, without a body for HEAD, compressed where that is worth it
 * and wanted.
 */
export const send = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> => {
  response.statusCode = answer.status
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  response.setHeader('Vary', 'Accept-Encoding')
  if (answer.status === 200 && isFresh(request, answer)) {
    response.statusCode = 304
    response.removeHeader('Content-Type')
    response.end()
    return
  }
  const encoding = encodingFor(request, answer.body.length)
  const compress = compressors[encoding]
  const body = compress ? await compress(answer.body) : answer.body
  if (compress) response.setHeader('Content-Encoding', encoding)
  response.setHeader('Content-Length', body.length)
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Only If-None-Match counts: a reload's `Cache-Control: no-cache` does not make a body worth sending again. */
const isFresh = (request: IncomingMessage, { headers }: Answer): boolean =>
  fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag: headers.ETag })
