import type { ServerResponse } from 'node:http'
import { PREFLIGHT_SECONDS } from '../limits.ts'

/** Headers that a script of another site may read: without this list it sees the simple ones alone. */
const EXPOSED = 'ETag, Link, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id'

/** On every answer, errors and 304 included. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
}

/** Header names as browsers list them; what is none of that is not repeated. */
const HEADER_NAMES = /^[\w ,-]+$/

/**
 * Answers a preflight: any header may be sent, so that no client's habit stands in its way.
 * @param own headers of this request alone
 */
export const answerPreflight = (
  response: ServerResponse,
  requestedHeaders = '',
  own: string[] = [],
): void => {
  const isList = HEADER_NAMES.test(requestedHeaders)
  const headers = {
    ...CORS_HEADERS,
    'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
    'Access-Control-Allow-Headers': isList ? requestedHeaders : '*',
    'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    Vary: 'Access-Control-Request-Headers',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  response.writeHead(204, [...Object.entries(headers).flat(), ...own])
  response.end()
}
