import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PublicError } from '@lectern/wiki/errors'
import pLimit from 'p-limit'
import { NOT_FOUND_MAX_AGE_SECONDS } from '../../limits/service.ts'

/** Names and values in alternation, the form that `writeHead` processes fastest. */
export type HeaderList = string[]

/** Names the parameters of a request that its route does not have. */
export const IGNORED_HEADER = 'Lectern-Ignored-Parameters'

/** Tells that the client got what it preferred, and others may not (RFC 7240, 2 and 3). */
export const STRICT_HEADERS: readonly string[] = ['Preference-Applied', 'handling=strict', 'Vary', 'Prefer']

/** A response, without the parts that depend on the client. */
export interface ApiResponse {
  status: number
  /** Includes `Cache-Control`, unless `maxAge` is set. */
  headers: Readonly<Record<string, string>>
  /** How long caches may store it, counted from its creation, seconds. */
  maxAge?: number
  /** False: the response cache of the service does not store it. */
  isStored?: boolean
  /** Whether it depends on the header `Accept`. */
  isNegotiated?: boolean
  body: Buffer
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** How long caches may store a 404, seconds. */
export const notFoundMaxAge = (cacheSeconds: number): number =>
  Math.min(NOT_FOUND_MAX_AGE_SECONDS, cacheSeconds)

/** The `Cache-Control` header of a response that never changes. A day, so that a hidden revision does not stay for long. */
export const IMMUTABLE = 'public, max-age=86400, immutable'

/** A weak ETag, as the package `etag` makes it, but without the object that `createHash` makes: two thirds of its time. (D22) */
export const weakEtag = (body: Buffer): string =>
  `W/"${body.length.toString(16)}-${hash('sha1', body, 'base64').slice(0, 27)}"`

/** A 200 with a text. @param seconds how long caches may store it, if the headers do not say so */
export const textResponse = (
  text: string | Buffer,
  type: string,
  seconds: number,
  headers: ApiResponse['headers'] = {},
): ApiResponse => {
  const body = typeof text === 'string' ? Buffer.from(text) : text
  return {
    status: 200,
    headers: { 'Content-Type': type, ETag: weakEtag(body), ...headers },
    ...(headers['Cache-Control'] === undefined ? { maxAge: seconds } : {}),
    body,
  }
}

/** The response of an error. Caches may store a 404 for a short time, and no other error. */
export const errorResponse = (
  { code, message, status, headers }: PublicError,
  cacheSeconds: number,
): ApiResponse => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, ...headers, ...(status !== 404 && { 'Cache-Control': 'no-store' }) },
  ...(status === 404 && { maxAge: notFoundMaxAge(cacheSeconds) }),
  body: Buffer.from(JSON.stringify({ error: { code, message } })),
})

/** The error that a client sees. It hides every error that is not public. */
export const toPublicError = (error: unknown): PublicError =>
  error instanceof PublicError ? error : new PublicError('internal', INTERNAL_ERROR)

const INTERNAL_ERROR = 'Internal error. It has been logged; quote the X-Request-Id when you report it.'

/** Runs work one after the other, each in a turn of its own of the event loop. */
const makeSequence = () => {
  const limit = pLimit(1)
  return <Result>(work: () => Promise<Result> | Result): Promise<Result> => limit(() => nextTurn().then(work))
}

/** Makes large bodies one at a time, so that other requests have their turns between them. */
export const makeLargeBody = makeSequence()

/** Compresses large bodies one at a time: the other threads of Node's pool are for the bodies of other requests. */
export const compressLargeBody = makeSequence()
