import type { ServerResponse } from 'node:http'
import { ALLOWED_METHODS } from '../errors.ts'
import { KEEP_ALIVE_HEADER } from '../http/connections.ts'
import { PREFLIGHT_MAX_AGE_SECONDS } from '../limits.ts'

/**
 * Headers that scripts on other sites can read, besides those that they always can: Cache-Control, Content-Language,
 * Content-Length and Content-Type. A cache between client and service adds Age. Without it, a script cannot see that
 * `RateLimit` is that of another client.
 */
const EXPOSED_HEADERS = 'Age, Allow, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'

/** Headers of every response, including errors and 304. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
}

/** A list of header names (RFC 9110, 5.6.2), as browsers write it. The response repeats no other text. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~ ,-]+$/

/**
 * Sends the response to a CORS preflight. It allows every request header, because some clients add headers of their own.
 * @param ownHeaders headers of this response alone
 * @param methods that the URL has
 */
export const sendPreflight = (
  response: ServerResponse,
  requestedHeaders = '',
  ownHeaders: string[] = [],
  methods: string = ALLOWED_METHODS,
): void => {
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
