import * as errors from '@lectern/wiki/errors'
import { z } from 'zod'
import * as fields from '../routes/shared/fields.ts'
import { TOO_LONG } from '../transport/parser-errors.ts'
import { toPublicError } from '../transport/responses.ts'
import { EXPOSED_HEADERS } from '../transport/send.ts'

const errorCode = z
  .enum(['bad_parameter', 'not_found', 'method_not_allowed', 'rate_limited', 'internal', 'unavailable'])
  .meta({ id: 'ErrorCode', description: 'The kind of error, for programs.' })

/** Not named `Error`, because generated clients would then hide the type `Error` of their language. */
export const errorSchema = fields.object('ErrorAnswer', 'The body of every error.', {
  error: fields.object('ErrorDetail', 'The details of an error.', {
    code: errorCode,
    message: fields.text('The error for people. It names the invalid parameter, if there is one.'),
  }),
})

type Header = [description: string, example: unknown, schema?: object]

/** Response headers: description, example, and schema. Absent: a text. */
const HEADERS = {
  'Access-Control-Allow-Origin': [
    'Scripts on any website can read the response.',
    '*',
    { type: 'string', const: '*' },
  ],
  'Access-Control-Expose-Headers': [
    'The response headers that scripts on other websites can read.',
    EXPOSED_HEADERS,
  ],
  Allow: ['The methods that the URL has. Only with a 405.', errors.ALLOWED_METHODS],
  'Cache-Control': [
    'How long you can cache the response, from now on. The time is shorter if the response comes from a cache of the service.',
    'public, max-age=60',
  ],
  'Content-Language': ['The language of the content. Absent if the response covers several languages.', 'en'],
  ETag: [
    'Identifies this version of the response. Send it as `If-None-Match` to get a 304 if nothing has changed.',
    'W/"1a2-pSi0yNGbSsWFkUWxZpnrQ7Yn6F4"',
  ],
  'Lectern-Ignored-Parameters': [
    'The parameters of the request that the endpoint does not have, encoded as in a URL. `known` is a parameter that differs by one letter, or the beginning of this one. Absent if there are none.',
    'limt;known=limit',
  ],
  'Lectern-Invalid-Parameters': [
    'The invalid parameters of the request, with a 400, and a 404 of `from`.',
    'limit, ns',
  ],
  Link: [
    'The license of the content (`rel="license"`), if it is known. In a list, also the URL of the next part (`rel="next"`). With a 400 or 404, the reference of the endpoint (`rel="help"`). With a 404, also the URL of the page at its new path, if it moved (`rel="successor-version"`), in other languages (`rel="alternate"`), or the one that may be meant (`rel="related"`). Of the base URL, also this document (`rel="service-desc"`) and the reference (`rel="service-doc"`).',
    '<https://creativecommons.org/licenses/by-sa/4.0/>; rel="license"',
  ],
  'Preference-Applied': [
    'Tells that `Prefer: handling=strict` of the request was obeyed.',
    'handling=strict',
  ],
  RateLimit: [
    'Remaining requests in the current window (`r`), and seconds until the window ends (`t`). Absent if there is no limit.',
    '"default";r=599;t=60',
  ],
  'RateLimit-Policy': [
    'Allowed requests (`q`) in a window, and the length of the window in seconds (`w`). Absent if there is no limit.',
    '"default";q=600;w=60',
  ],
  'Retry-After': ['How many seconds to wait before the next request.', 12, { type: 'integer', minimum: 1 }],
  Vary: ['The request headers that the response depends on.', 'Accept-Encoding'],
  'X-Request-Id': [
    'Identifies the request in the log of the service. It is the `X-Request-Id` of the request, if that has one.',
    'b6a5c0de-6d3c-4a5f-9c53-0f3e2a1d4b5c',
  ],
} satisfies Record<string, Header>

type HeaderName = keyof typeof HEADERS

const COMMON_HEADERS: HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Cache-Control',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Vary',
]

/** Further headers of a response with content, and of a 304. */
export const CONTENT_HEADERS: HeaderName[] = [
  'ETag',
  'Link',
  'Content-Language',
  'Lectern-Ignored-Parameters',
  'Preference-Applied',
]

/** References to the headers of every response, and to these. */
export const headersWith = (...names: HeaderName[]) =>
  Object.fromEntries(
    [...COMMON_HEADERS, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` as const }]),
  )

export const headerComponents = Object.fromEntries(
  Object.entries<Header>(HEADERS).map(([name, [description, example, schema = { type: 'string' }]]) => [
    name,
    { description, schema, example },
  ]),
)

/** The errors that any operation may return, as the service sends them. */
const ERRORS: Readonly<Record<string, [error: errors.PublicError, description: string]>> = {
  BadParameter: [
    new errors.BadParameter('limit', 'must be a whole number from 1 to 200'),
    'A parameter is invalid. The message names the parameter. Fix the request; retrying will not help.',
  ],
  NotFound: [
    new errors.NotFound('There is no such page in this language (en).'),
    'The page, revision, category or URL does not exist.',
  ],
  MethodNotAllowed: [new errors.MethodNotAllowed(), 'The API takes GET, HEAD and OPTIONS.'],
  RateLimited: [new errors.RateLimited(12), 'Too many requests. Wait as long as `Retry-After` says.'],
  TooLong: [TOO_LONG, 'URL and headers have more than 16 KB.'],
  Internal: [toPublicError(undefined), 'A defect of the service. It has been logged.'],
  Unavailable: [
    new errors.Unavailable(),
    'The wiki is temporarily unavailable, or the service is overloaded. Wait as long as `Retry-After` says, then try again.',
  ],
}

/** The `components.responses` of the document. A client that can mend its request gets a link to the reference. */
export const errorResponses = Object.fromEntries(
  Object.entries(ERRORS).map(([name, [{ code, message, status, headers }, description]]) => {
    const own = [
      ...Object.keys(headers),
      ...(status === 400 || status === 404 ? ['Link', 'Preference-Applied'] : []),
      ...(status === 404 ? [errors.INVALID_HEADER] : []),
    ] as HeaderName[]
    const content = { schema: errorSchema, example: { error: { code, message } } }
    const response = { description, headers: headersWith(...own) }
    return [name, { ...response, content: { 'application/json': content } }]
  }),
)

/** The errors of every operation, by status. */
export const errorReferences = Object.fromEntries(
  Object.entries(ERRORS).map(([name, [{ status }]]) => [
    status,
    { $ref: `#/components/responses/${name}` as const },
  ]),
)
