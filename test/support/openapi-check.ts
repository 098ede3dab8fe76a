import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { openapiDocument, sampleExamples } from '../../src/rest/openapi/openapi.ts'
import { routes } from '../../src/rest/routes/index.ts'
import type { TestResponse } from './client.ts'

/** The document of the service. A test checks that schema/openapi.json is equal to it. */
export const document = openapiDocument(routes, 'http://localhost:3000/api/v1', sampleExamples())

/**
 * Closes the response schemas. In the published document they are open, but the service must not return fields
 * that are not documented.
 */
const closeSchema = <Schema>(schema: Schema): Schema => {
  if (Array.isArray(schema)) return schema.map(closeSchema) as Schema
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closeSchema(value)]))
  if (inner.type === 'object' && inner.properties) inner.additionalProperties ??= false
  if (inner['x-extensible-enum']) inner.enum = inner['x-extensible-enum']
  return inner as Schema
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(closeSchema(document as object), 'openapi')

const pointer = (...parts: string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** Path templates in the order of the routes, so that history comes before page. */
const templates = Object.keys(document.paths ?? {}).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '.+')}$`, 's'),
}))

/** The path template of a request in the document. */
const operationOf = (path: string): string | undefined => {
  const [bare = ''] = path.split('?')
  return templates.find(({ pattern }) => pattern.test(bare))?.template
}

/** Headers of every response of a documented operation. */
const ALWAYS = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'x-request-id',
  'vary',
]

/** Checks status, headers and body of a response against the document. @throws Error if they differ */
export const checkResponse = (
  method: string,
  path: string,
  { status, headers, body, text }: TestResponse,
): void => {
  if (!['GET', 'HEAD'].includes(method)) return
  const template = operationOf(path)
  const wrong = (message: string) => new Error(`${method} ${path} (${status}): ${message}`)
  for (const name of ALWAYS) if (headers[name] === undefined) throw wrong(`no header ${name}`)
  if (status >= 400) {
    if (
      !ajv.validate(
        'openapi#/components/schemas/ErrorAnswer',
        method === 'HEAD' ? { error: { code: 'internal', message: '' } } : body,
      )
    ) {
      throw wrong(`the error body is not as documented: ${text}`)
    }
  }
  if (!template) return
  const response = responseOf(template, status)
  if (!response) throw wrong('a status that is not documented')
  for (const name of Object.keys(headers)) {
    const isOurs =
      /^(age$|ratelimit|retry|etag|link|content-language|cache|access-control|x-request|vary|allow)/.test(
        name,
      )
    if (isOurs && !response.headers.has(name)) throw wrong(`the header ${name} is not documented`)
  }
  if (status !== 200 || method === 'HEAD') return
  const type = headers['content-type']?.split(';', 1)[0] ?? ''
  if (!response.types.has(type)) throw wrong(`the content type ${type} is not documented`)
  if (type !== 'application/json') return
  const schema = `openapi#/paths${pointer(template, 'get', 'responses', '200', 'content', 'application/json', 'schema')}`
  if (!ajv.validate(schema, body)) throw wrong(ajv.errorsText(ajv.errors, { separator: '\n' }))
}

const responseOf = (
  template: string,
  status: number,
): { headers: Set<string>; types: Set<string> } | undefined => {
  const responses = document.paths![template]!.get!.responses as Record<
    string,
    { $ref?: string; headers?: object; content?: object; 'x-other-content'?: object }
  >
  const response = responses[String(status)]
  if (!response) return undefined
  const found = response.$ref ? document.components!.responses![response.$ref.split('/').at(-1)!]! : response
  return {
    types: new Set(Object.keys({ ...response.content, ...response['x-other-content'] })),
    headers: new Set(
      Object.keys((found as { headers?: object }).headers ?? {}).map((name) => name.toLowerCase()),
    ),
  }
}
