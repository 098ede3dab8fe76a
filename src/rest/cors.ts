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

/** Answers a preflight: any header may be sent, so that no client's habit stands in its way. */
export const answerPreflight = (response: ServerResponse, requestedHeaders = ''): void => {
  response.statusCode = 204
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS')
  response.setHeader(
    'Access-Control-Allow-Headers',
    HEADER_NAMES.test(requestedHeaders) ? requestedHeaders : '*',
  )
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS)
  response.setHeader('Vary', 'Access-Control-Request-Headers')
  response.setHeader('Cache-Control', 'no-store')
  response.end()
}
