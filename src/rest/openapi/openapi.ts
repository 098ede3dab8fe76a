import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
} from 'zod-openapi'
import { API_PATH, packagePath, siteRootOf } from '../../paths.ts'
import type { AnyRoute, Parameters } from '../route.ts'
import * as fields from '../routes/shared/fields.ts'
import {
  CONTENT_HEADERS,
  errorReferences,
  errorResponses,
  headerComponents,
  headersWith,
} from './components.ts'
import { type ExampleValues, SAMPLE_VALUES } from './example-values.ts'

export const openapiSchema = z
  .looseObject({
    openapi: fields.text('Version of the OpenAPI specification.'),
    info: z.looseObject({}),
    paths: z.looseObject({}),
  })
  .meta({ id: 'OpenapiDocument', description: 'An OpenAPI 3.1 document.' })

export interface DocumentExamples {
  values: ExampleValues
  /** Responses by path and query under the base URL of the API. */
  answers: Readonly<Record<string, unknown>>
}

/** Of the sample wiki, as `npm run generate` has written them. No answers before its first run. */
export const sampleExamples = (): DocumentExamples => {
  const file = packagePath('schema', 'examples.json')
  return { values: SAMPLE_VALUES, answers: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {} }
}

/**
 * The OpenAPI document, generated from the declarations of the routes.
 * @param base base URL of this API, without a slash at the end
 * @param examples included where the wiki has what they name
 */
export const openapiDocument = (routes: readonly AnyRoute[], base: string, examples: DocumentExamples) =>
  createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Lectern',
        version: '1',
        summary: 'Read a wiki as JSON.',
        description: API_DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'The wiki', url: siteRootOf(base) || base },
      },
      servers: [{ url: serverUrl(base), description: 'This instance.' }],
      security: [],
      tags: [
        { name: 'Wiki', description: 'The wiki and this API.' },
        { name: 'Pages', description: 'Pages and categories.' },
        { name: 'Files', description: 'Pictures and documents that live pages show or link.' },
        { name: 'Edits', description: 'Accepted edits.' },
        { name: 'Search', description: 'Search for pages.' },
      ],
      paths: {
        ...Object.fromEntries(routes.map((route) => [route.path, { get: operation(route, examples) }])),
        '/openapi.json': { get: documentOperation },
      },
      components: { headers: headerComponents, responses: errorResponses },
    } as ZodOpenApiObject,
    { override: openSchema as CreateDocumentOptions['override'] },
  )

const notModified = {
  description: 'Nothing has changed since the response with the `ETag` in `If-None-Match`.',
  headers: headersWith(...CONTENT_HEADERS),
}

const MARKDOWN = 'With `Accept: text/markdown`: the Markdown itself, whatever `format` and `include` say.'

/** Media types beside JSON are in an extension: generators would type each response as an object or a text. (D102) */
const contentOf = (route: AnyRoute, examples: DocumentExamples) => {
  const types = { ...route.textTypes, ...(route.markdownOf && { 'text/markdown': MARKDOWN }) }
  const shown = examplesOf(route, examples)
  const texts = Object.entries(types).map(([type, description]) => [
    type,
    {
      schema: { type: 'string', description },
      ...(route.textQuery && { 'x-query': route.textQuery }),
      ...(route.responseSchema ? {} : shown),
    },
  ])
  if (!route.responseSchema) return { content: Object.fromEntries(texts) }
  return {
    content: { 'application/json': { schema: route.responseSchema, ...shown } },
    ...(texts.length > 0 && { 'x-other-content': Object.fromEntries(texts) }),
  }
}

const operation = (route: AnyRoute, examples: DocumentExamples): ZodOpenApiOperationObject => ({
  operationId: route.operationId,
  tags: [route.tag],
  summary: route.summary,
  description: route.description,
  ...(route.deprecation ? { deprecated: true } : {}),
  ...(route.pagedBy && { 'x-next-parameter': route.pagedBy }),
  parameters: Object.entries(route.parameters as Parameters).map(([name, parameter]) => ({
    name,
    in: parameter.in ?? 'query',
    required: parameter.in === 'path',
    description: parameter.description,
    schema: parameter.schema,
    ...(parameter.isList ? { style: 'form' as const, explode: false } : {}),
    example: parameter.example?.(examples.values),
  })),
  responses: {
    '200': {
      description: 'Success.',
      headers: headersWith(...CONTENT_HEADERS),
      ...contentOf(route, examples),
    },
    '304': notModified,
    ...errorReferences,
  },
})

const examplesOf = (route: AnyRoute, { values, answers }: DocumentExamples) => {
  const available = route.examples(values).flatMap(({ name, summary, url = '' }) => {
    const value = answers[url]
    return value === undefined ? [] : [[name, { summary: `${summary}: GET ${url}`, value }]]
  })
  return available.length === 0 ? {} : { examples: Object.fromEntries(available) }
}

const documentOperation: ZodOpenApiOperationObject = {
  operationId: 'getOpenapi',
  tags: ['Wiki'],
  summary: 'This document',
  description: 'The OpenAPI description of this API, for client generators and other programs.',
  responses: {
    '200': {
      description: 'The OpenAPI document.',
      headers: headersWith('ETag'),
      content: { 'application/json': { schema: openapiSchema } },
    },
    '304': { ...notModified, headers: headersWith('ETag') },
    ...errorReferences,
  },
}

/**
 * Opens the response schemas. Within version 1, responses may get more fields, and enums more values, so generated
 * clients must accept those that they do not know. The schemas that tests use stay closed.
 */
const openSchema = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  // Zod's bound of integers is one of JavaScript.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.enum === undefined) return
  const values = jsonSchema.enum.map((value) => `\`${value}\``).join(', ')
  jsonSchema.description =
    `${jsonSchema.description ?? ''} One of ${values}. Later versions may add values.`.trim()
  jsonSchema['x-extensible-enum'] = jsonSchema.enum
  delete jsonSchema.enum
}

/** Relative to the document on a loopback host, because `localhost` means another machine to every other reader. */
const serverUrl = (base: string): string =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(base).hostname) ? API_PATH : base

const API_DESCRIPTION = `Read-only access to a wiki as its guests see it: live pages, accepted edits, search and recent changes. You need no key and no account. Scripts on any website can call the API. Every operation is a GET. HEAD returns the same headers without a body.

**Pagination.** A list returns \`items\` and \`next\`. To get the next part of the list, send the value of \`next\` as the parameter of that list: \`after\`, \`before\` or \`offset\`. At the end of the list, \`next\` is empty. The \`Link\` header also contains the URL of the next part, with \`rel="next"\`.

**Caching.** You can cache a response for the time in its \`Cache-Control\` header. After that time, send its \`ETag\` as \`If-None-Match\`. Please do not poll more often.

**Rate limit.** Each network address can send a limited number of requests per minute. The headers \`RateLimit-Policy\` and \`RateLimit\` contain the limit and what is left of it. If you get a 429, wait for the number of seconds in \`Retry-After\`.

**Language.** Each host has a default language. To get another language, use the parameter \`locale\`.

**Strict requests.** An endpoint ignores a parameter that it does not have, and names it in \`Lectern-Ignored-Parameters\`. With the request header \`Prefer: handling=strict\` (RFC 7240), it is a 400, as are a search without \`q\`, and a \`category\` or \`author\` that does not exist.

**License.** The content is under the license of the wiki. If you use it, credit the wiki and link to the page.`
