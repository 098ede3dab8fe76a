/** Response headers: description, schema and example. */
export const HEADERS = {
  'Access-Control-Allow-Origin': ['Any website may call this API.', { type: 'string', const: '*' }, '*'],
  'Access-Control-Expose-Headers': [
    'Headers that a script of another site may read.',
    { type: 'string' },
    'Age, Allow, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  ],
  'Cache-Control': [
    'How long the answer may be kept from now on; less than at first where the service had it already.',
    { type: 'string' },
    'public, max-age=60',
  ],
  'Content-Language': ['The language, where one language is answered.', { type: 'string' }, 'en'],
  ETag: [
    'Changes when the answer does; send it as If-None-Match.',
    { type: 'string' },
    'W/"1a2-pSi0yNGbSsWFkUWxZpnrQ7Yn6F4"',
  ],
  Link: [
    'The license of the content (`rel="license"`) and, in a list, its following part (`rel="next"`).',
    { type: 'string' },
    '<https://creativecommons.org/licenses/by-sa/4.0/>; rel="license"',
  ],
  RateLimit: [
    'Requests that remain (`r`) and seconds until the window opens anew (`t`). Absent when there is no limit.',
    { type: 'string' },
    '"default";r=599;t=60',
  ],
  'RateLimit-Policy': [
    'Requests (`q`) in a window of seconds (`w`). Absent when there is no limit.',
    { type: 'string' },
    '"default";q=600;w=60',
  ],
  'Retry-After': ['Seconds to wait.', { type: 'integer', minimum: 1 }, 12],
  Vary: ['What else the answer depends on.', { type: 'string' }, 'Accept-Encoding'],
  'X-Request-Id': [
    'Names the request in the log; a caller may send its own.',
    { type: 'string' },
    'b6a5c0de-6d3c-4a5f-9c53-0f3e2a1d4b5c',
  ],
} as const

export type HeaderName = keyof typeof HEADERS

/** Headers of every response. */
export const COMMON_HEADERS: HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Cache-Control',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Vary',
]

/** Further headers of a response with content, and of a 304. */
export const CONTENT_HEADERS: HeaderName[] = ['ETag', 'Link', 'Content-Language']

export const headerReferences = (names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]))
