import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { z } from 'zod'
import type { WikiQuery } from '../generated/queries.ts'
import type { ADMISSION_LIMITS } from '../limits.ts'

/** The wiki's name, languages and license, as the stored query `wiki` answers them. */
export type WikiInfo = WikiQuery['wiki']

/** Where a request came in, which decides what it means when it does not say. */
export interface RequestContext {
  wiki: WikiInfo
  /** The language of the address that was called. */
  locale: string
  /** Start of every link to this API, without a slash at the end. */
  base: string
  /** Address of the license of the content. */
  license: string
  settings: Settings
  /** URI templates (RFC 6570) of the endpoints, absolute, by name. */
  endpoints: Record<string, string>
}

/** What the operator chose, as far as answers tell it. */
export interface Settings {
  /** 0: no limit */
  requestsPerMinute: number
  cacheSeconds: number
}

/** A parameter, declared once: what reads it is made beside what documents it. */
export interface Parameter<Value = unknown> {
  in: 'path' | 'query'
  /** Whether it ends at a slash, so that what has more behind it is another address. */
  isSegment?: boolean
  description: string
  /** JSON Schema of what is sent. */
  schema: Record<string, unknown>
  /** Shown in the documentation. */
  example?: unknown
  /**
   * @param raw what was sent, decoded; absent where nothing was
   * @throws BadParameter naming the parameter
   */
  read(raw: string | undefined, place: RequestContext): Value
}

export type Parameters = Record<string, Parameter>
type Values<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never
}

/** What a route answers with, before it is bytes. */
export interface RouteResult<Body> {
  body: Body
  /** The language, where one language is answered. */
  locale?: string
}

/** A real call that the documentation shows with its real answer from the sample wiki. */
interface Example {
  name: string
  summary: string
  /** Path and query under the API's base. */
  url: string
}

/** Requests of one class share an admission limit: they cost about as much as each other. */
export type RequestClass = keyof typeof ADMISSION_LIMITS

/** One GET of the API. */
interface Route<Data, Variables, P extends Parameters, Body> {
  /** Its name in the list of endpoints. */
  name: string
  /** What generated clients call it: with a verb, so that `const page = await getPage(…)` can be written. */
  operationId: string
  /** As OpenAPI writes it, under the API's base; of two that match the one listed first answers. */
  path: string
  /** Which admission limit its requests share. */
  requestClass: RequestClass
  /** Under which heading of the documentation it stands. */
  tag: 'Wiki' | 'Pages' | 'Edits' | 'Search'
  summary: string
  description: string
  parameters: P
  query: TypedDocumentNode<Data, Variables>
  variables(values: Values<P>, place: RequestContext): Variables
  responseSchema: z.ZodType<Body>
  /** @throws NotFound */
  reshape(data: Data, values: Values<P>, place: RequestContext): RouteResult<Body>
  /** The parameter that takes `next`, on a route that answers a list. */
  pagedBy?: keyof P & string
  examples: Example[]
}

/** A route whose types no longer matter: what the router and the documentation work with. */
// biome-ignore lint/suspicious/noExplicitAny: each route is checked where it is declared
export type AnyRoute = Route<any, any, any, any>

/** Declares a route: the identity function that lets each route's types be inferred. */
export const defineRoute = <Data, Variables, P extends Parameters, Body>(
  declared: Route<Data, Variables, P, Body>,
): AnyRoute => declared
