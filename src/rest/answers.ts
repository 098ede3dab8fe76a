import etag from 'etag'
import { PublicError } from '../errors.ts'
import { NOT_FOUND_SECONDS } from '../limits.ts'

/** An answer to a request, without what depends on the client. */
export interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** How long an answer may be kept, by anyone. */
export const cacheControl = (seconds: number): string => `public, max-age=${seconds}`

/** How long a 404 may be kept, seconds. */
export const notFoundSeconds = (cacheSeconds: number): number => Math.min(NOT_FOUND_SECONDS, cacheSeconds)

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
    'Cache-Control': status === 404 ? cacheControl(notFoundSeconds(cacheSeconds)) : 'no-store',
    ...headers,
  },
  body: Buffer.from(JSON.stringify({ error: { code, message } })),
})

/** What a client is told of an error: itself where it may be, else only that there was one. */
export const publicError = (error: unknown): PublicError =>
  error instanceof PublicError
    ? error
    : new PublicError('internal', 'Something went wrong here; it is written down.')
