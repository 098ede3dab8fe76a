import { existsSync, readFileSync } from 'node:fs'
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
} from 'zod-openapi'
import { API_PATH } from '../api-path.ts'
import { packagePath } from '../paths.ts'
import { errorReferences, errorResponses } from './openapi-errors.ts'
import { COMMON_HEADERS, CONTENT_HEADERS, HEADERS, headerReferences } from './openapi-headers.ts'
import { openapiSchema } from './response-schemas.ts'
import type { AnyRoute, Parameters } from './route.ts'

/** Real answers of the sample wiki, by the address that gave them. */
type Examples = Readonly<Record<string, unknown>>

/** The examples that `npm run generate` wrote; none before the first time. */
export const readExamples = (): Examples => {
  const file = packagePath('schema', 'examples.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

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
          Object.entries(HEADERS).map(([name, [text, schema, example]]) => [
            name,
            { description: text, schema, example },
          ]),
        ),
        responses: errorResponses,
      },
    } as ZodOpenApiObject,
    { override: openUp as CreateDocumentOptions['override'] },
  )
const notModified = {
  description: 'What the client has is still right.',
  headers: headerReferences([...COMMON_HEADERS, ...CONTENT_HEADERS]),
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
      headers: headerReferences([...COMMON_HEADERS, ...CONTENT_HEADERS]),
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
      headers: headerReferences([...COMMON_HEADERS, 'ETag']),
      content: { 'application/json': { schema: openapiSchema } },
    },
    '304': { ...notModified, headers: headerReferences([...COMMON_HEADERS, 'ETag']) },
    ...errorReferences,
  },
}

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

const description = `Read-only access to a wiki as its guests see it: live pages, accepted edits, search and recent changes. No key is needed, any website may call it, and every operation is a GET (HEAD answers alike, without a body).

**Paging.** Lists answer \`items\` and \`next\`. Pass \`next\` on in the parameter that the list names (\`after\`, \`before\` or \`offset\`); at the end it is empty. The same address is in the \`Link\` header with \`rel="next"\`.

**Caching.** Answers may be kept for the time that \`Cache-Control\` says and carry an \`ETag\`; please do not poll more often.

**Rate limit.** Each client address has a number of requests a minute, told by \`RateLimit-Policy\` and \`RateLimit\`. A 429 says in \`Retry-After\` how many seconds to wait.

**Language.** The address that is called has a default language; \`locale\` chooses another.

**License.** The content is under the wiki's license: credit the wiki and link the page.`
