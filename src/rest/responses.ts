import etag from 'etag'
import { PublicError } from '../errors.ts'
import { NOT_FOUND_MAX_AGE_SECONDS } from '../limits.ts'

/** An answer to a request, without what depends on the client. */
export interface ApiResponse {
  status: number
  /** With `Cache-Control`, unless `maxAge` stands for it. */
  headers: Readonly<Record<string, string>>
  /** How long anyone may keep it, counted from when it was made, seconds. */
  maxAge?: number
  body: Buffer
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** One text for each number of seconds: every kept answer that is sent needs one. */
const CACHE_CONTROLS: string[] = []

/** `Cache-Control` of an answer that anyone may keep for so many seconds. */
export const cacheControl = (seconds: number): string => {
  CACHE_CONTROLS[seconds] ??= `public, max-age=${seconds}`
  return CACHE_CONTROLS[seconds]
}

/** How long a 404 may be kept, seconds. */
export const notFoundMaxAge = (cacheSeconds: number): number =>
  Math.min(NOT_FOUND_MAX_AGE_SECONDS, cacheSeconds)

/** A 200 with a body of JSON. @param seconds how long it may be kept */
export const jsonResponse = (
  body: unknown,
  seconds: number,
  headers: ApiResponse['headers'] = {},
): ApiResponse => {
  const bytes = Buffer.from(JSON.stringify(body))
  return {
    status: 200,
    headers: {
      'Content-Type': JSON_TYPE,
      ETag: etag(bytes, { weak: true }),
      ...headers,
    },
    maxAge: seconds,
    body: bytes,
  }
}

/** The one body that every error has. A 404 may be kept a little while, other errors not at all. */
export const errorResponse = (
  { code, message, status, headers }: PublicError,
  cacheSeconds: number,
): ApiResponse => {
  const answer = {
    status,
    headers: { 'Content-Type': JSON_TYPE, ...headers },
    body: Buffer.from(JSON.stringify({ error: { code, message } })),
  }
  return status === 404
    ? { ...answer, maxAge: notFoundMaxAge(cacheSeconds) }
    : { ...answer, headers: { ...answer.headers, 'Cache-Control': 'no-store' } }
}

/** What a client is told of an error: itself where it may be, else only that there was one. */
export const toPublicError = (error: unknown): PublicError =>
  error instanceof PublicError
    ? error
    : new PublicError(
        'internal',
        'Internal error. It has been logged; quote the X-Request-Id when you report it.',
      )
