import type { oas31 } from 'zod-openapi'
import { openapiDocument } from '../rest/openapi/openapi.ts'
import { documentExamples, noExamples, type OwnApi } from '../rest/openapi/own-api.ts'
import type { RequestContext } from '../rest/route.ts'
import { routes } from '../rest/routes/index.ts'
import { patternOf, segmentParametersOf } from '../rest/transport/request.ts'

/** A JSON Schema. A reference is a schema, too, and `type` any text: the reference writes `any` if there is none. */
export interface Schema
  extends Omit<oas31.SchemaObject, 'type' | 'items' | 'properties' | 'anyOf' | 'oneOf'> {
  type?: string | readonly string[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
}

export interface OperationParameter {
  name: string
  required: boolean
  description: string
  schema: Schema
  example?: unknown
}

/** Responses by media type. */
export type Contents = Readonly<
  Record<string, { schema: Schema; examples?: Readonly<Record<string, { value: unknown }>> }>
>

interface Operation {
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  parameters?: readonly OperationParameter[]
  /** By status. Errors refer to components. */
  responses: Readonly<Record<string, { $ref?: string; content?: Contents; 'x-other-content'?: Contents }>>
}

/** What the reference uses of the OpenAPI document. */
export interface ReferenceDocument {
  info: { description: string }
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, { get: Operation }>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    headers: Readonly<Record<string, { description: string; example: unknown }>>
    responses: Readonly<
      Record<
        string,
        { description: string; content: { 'application/json': { example: { error: { code: string } } } } }
      >
    >
  }
}

/** What the reference tells of an endpoint beside its OpenAPI operation. */
export type ReferenceEndpoint = Awaited<ReturnType<typeof referenceOf>>['endpoints'][number]

/**
 * The OpenAPI document of this service with examples of its wiki, and its endpoints in the order of the document.
 * @param api absent: without examples
 * @throws PublicError when the service is overloaded
 */
export const referenceOf = async ({ base, locale }: RequestContext, api: OwnApi | undefined) => {
  const examples = api ? await documentExamples(routes, api) : noExamples(locale)
  const document = openapiDocument(routes, base, examples) as unknown as ReferenceDocument
  const endpoints = Object.entries(document.paths).map(([path, { get: operation }], order) => {
    const route = routes.find(({ operationId }) => operationId === operation.operationId)
    return {
      path,
      operation,
      /** Its place in the order in which the API matches paths. */
      order,
      /** Pattern of its path under the base URL, with a group for each parameter. */
      pattern: patternOf(path, { segments: segmentParametersOf(route?.parameters ?? {}) }).source,
      /** Path and query of the request that is filled in; the template if the wiki lacks what the examples name. */
      request: route?.examples(examples.values)[0]?.url ?? path,
      pagedBy: route?.pagedBy,
    }
  })
  return { document, endpoints }
}
