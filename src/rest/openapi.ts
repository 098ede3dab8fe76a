import { existsSync, readFileSync } from 'node:fs'
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
} from 'zod-openapi'
import { API_PATH } from '../api-path.ts'
import { packagePath } from '../paths.ts'
import { errorSchema, openapiSchema } from './response-schemas.ts'
import type { AnyRoute, Parameters } from './route.ts'

/** Real answers of the sample wiki, by the address that gave them. */
type Examples = Readonly<Record<string, unknown>>

/** The examples that `npm run generate` wrote; none before the first time. */
export const readExamples = (): Examples => {
  const file = packagePath('schema', 'examples.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Headers that answers carry: description, schema, and an example. */
const headers = {
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

type HeaderName = keyof typeof headers

const ALWAYS: HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Cache-Control',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Vary',
]

/** What an answer with content, and a 304, may carry besides. */
const OF_CONTENT: HeaderName[] = ['ETag', 'Link', 'Content-Language']

const headerReferences = (names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]))

/** An error that any operation may answer with. */
const errorResponse = (description: string, code: string, message: string, extra: HeaderName[] = []) => ({
  description,
  headers: headerReferences([...ALWAYS, ...extra]),
  content: { 'application/json': { schema: errorSchema, example: { error: { code, message } } } },
})

const errorResponses = {
  BadParameter: errorResponse(
    'A parameter is wrong; the message names it.',
    'bad_parameter',
    'limit: must be a whole number from 1 to 200',
  ),
  NotFound: errorResponse(
    'There is no such page, revision or category.',
    'not_found',
    'There is no such page in this language (en).',
  ),
  RateLimited: errorResponse(
    'Too many requests.',
    'rate_limited',
    'Too many requests: wait 12 s, then go on more slowly.',
    ['Retry-After'],
  ),
  Internal: errorResponse(
    'A defect of the service.',
    'internal',
    'Internal error. It has been logged; quote the X-Request-Id when you report it.',
  ),
  Unavailable: errorResponse(
    'The wiki cannot be read just now.',
    'unavailable',
    'The wiki cannot be read just now: try again in a moment.',
    ['Retry-After'],
  ),
}

const errorReferences = {
  '400': { $ref: '#/components/responses/BadParameter' },
  '404': { $ref: '#/components/responses/NotFound' },
  '429': { $ref: '#/components/responses/RateLimited' },
  '500': { $ref: '#/components/responses/Internal' },
  '503': { $ref: '#/components/responses/Unavailable' },
} as const

const notModified = {
  description: 'What the client has is still right.',
  headers: headerReferences([...ALWAYS, ...OF_CONTENT]),
}

const operation = (route: AnyRoute, examples: Examples): ZodOpenApiOperationObject => ({
  operationId: route.operationId,
  tags: [route.tag],
  summary: route.summary,
  description: route.description,
  parameters: Object.entries(route.parameters as Parameters).map(([name, parameter]) => ({
    name,
    in: parameter.in,
    required: parameter.in === 'path',
    description: parameter.description,
    schema: parameter.schema,
    ...(parameter.example === undefined ? {} : { example: parameter.example }),
  })),
  responses: {
    '200': {
      description: 'The answer.',
      headers: headerReferences([...ALWAYS, ...OF_CONTENT]),
      content: { 'application/json': { schema: route.responseSchema, ...examplesOf(route, examples) } },
    },
    '304': notModified,
    ...errorReferences,
  },
})

const examplesOf = (route: AnyRoute, examples: Examples) => {
  const known = route.examples.filter(({ url }) => url in examples)
  if (known.length === 0) return {}
  return {
    examples: Object.fromEntries(
      known.map(({ name, summary, url }) => [
        name,
        { summary: `${summary}: GET ${url}`, value: examples[url] },
      ]),
    ),
  }
}

/** The document's own operation. */
const documentOperation: ZodOpenApiOperationObject = {
  operationId: 'getOpenapi',
  tags: ['Wiki'],
  summary: 'This document',
  description: 'The machine-readable description of this API, for generators of clients.',
  responses: {
    '200': {
      description: 'The document.',
      headers: headerReferences([...ALWAYS, 'ETag']),
      content: { 'application/json': { schema: openapiSchema } },
    },
    '304': { ...notModified, headers: headerReferences([...ALWAYS, 'ETag']) },
    ...errorReferences,
  },
}

const description = `Read-only access to a wiki as its guests see it: live pages, accepted edits, search and recent changes. No key is needed, any website may call it, and every operation is a GET (HEAD answers alike, without a body).

**Paging.** Lists answer \`items\` and \`next\`. Pass \`next\` on in the parameter that the list names (\`after\`, \`before\` or \`offset\`); at the end it is empty. The same address is in the \`Link\` header with \`rel="next"\`.

**Caching.** Answers may be kept for the time that \`Cache-Control\` says and carry an \`ETag\`; please do not poll more often.

**Rate limit.** Each client address has a number of requests a minute, told by \`RateLimit-Policy\` and \`RateLimit\`. A 429 says in \`Retry-After\` how many seconds to wait.

**Language.** The address that is called has a default language; \`locale\` chooses another.

**License.** The content is under the wiki's license: credit the wiki and link the page.`

/**
 * Answers may get more members, and more words, within version 1: a client that was made of this document has to take
 * those that it does not know. What tests hold answers to stays closed. (D68)
 */
const openUp = ({ jsonSchema }: { jsonSchema: JsonSchema }): void => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.enum === undefined) return
  const words = jsonSchema.enum.map((word) => `\`${word}\``).join(', ')
  jsonSchema.description = `${jsonSchema.description ?? ''} Now one of ${words}; others may come.`.trim()
  jsonSchema['x-extensible-enum'] = jsonSchema.enum
  delete jsonSchema.enum
}

interface JsonSchema {
  additionalProperties?: unknown
  enum?: unknown[]
  description?: string
  'x-extensible-enum'?: unknown[]
}

/** On one's own machine the address is relative to the document, since `localhost` is nobody else's server. */
const serverUrl = (base: string): string =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(base).hostname) ? API_PATH : base

/**
 * The OpenAPI document of what runs, made from the routes themselves.
 * @param base address of this API, without a slash at the end
 * @param examples shown where a route names them
 */
export const openapiDocument = (routes: readonly AnyRoute[], base: string, examples: Examples) =>
  createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Lectern',
        version: '1',
        summary: 'A wiki as JSON.',
        description,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'The wiki', url: base.slice(0, -API_PATH.length) || base },
      },
      servers: [{ url: serverUrl(base), description: 'This instance.' }],
      security: [],
      tags: [
        { name: 'Wiki', description: 'The wiki and this API.' },
        { name: 'Pages', description: 'Pages and categories.' },
        { name: 'Edits', description: 'Accepted edits.' },
        { name: 'Search', description: 'Finding pages.' },
      ],
      paths: {
        ...Object.fromEntries(routes.map((route) => [route.path, { get: operation(route, examples) }])),
        '/openapi.json': { get: documentOperation },
      },
      components: {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, [text, schema, example]]) => [
            name,
            { description: text, schema, example },
          ]),
        ),
        responses: errorResponses,
      },
    } as ZodOpenApiObject,
    { override: openUp as CreateDocumentOptions['override'] },
  )
