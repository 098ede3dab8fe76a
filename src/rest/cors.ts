import type { ServerResponse } from 'node:http'
import { ALLOWED_METHODS } from '../errors.ts'
import { PREFLIGHT_MAX_AGE_SECONDS } from '../limits.ts'

/**
 * Headers that a script of another site may read, besides those that it always may: Cache-Control,
 * Content-Language, Content-Length and Content-Type. A cache on the way adds Age, without which a script cannot
 * tell that `RateLimit` is not its own.
 */
const EXPOSED = 'Age, Allow, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'

/** On every answer, errors and 304 included. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
}

/** Header names (RFC 9110, 5.6.2) as browsers list them; what is none of that is not repeated. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~ ,-]+$/

/**
 * Answers a preflight: any header may be sent, so that no client's habit stands in its way.
 * @param own headers of this request alone
 */
export const sendPreflight = (response: ServerResponse, requestedHeaders = '', own: string[] = []): void => {
  const isList = HEADER_NAMES.test(requestedHeaders)
  const headers = {
    ...CORS_HEADERS,
    Allow: ALLOWED_METHODS,
    'Access-Control-Allow-Methods': ALLOWED_METHODS,
    'Access-Control-Allow-Headers': isList ? requestedHeaders : '*',
    'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_SECONDS),
    Vary: 'Access-Control-Request-Headers',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  response.writeHead(204, [...Object.entries(headers).flat(), ...own])
  response.end()
}
