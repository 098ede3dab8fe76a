import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { z } from 'zod'
import type { WikiQuery } from '../generated/queries.ts'
import type { ADMISSION_LIMITS } from '../limits/service.ts'
import type { ExampleValues } from './openapi/example-values.ts'
import type { ItemToJson } from './transport/json-writer.ts'

/** The name, languages and license of the wiki: the result of the stored query `wiki`. */
export type WikiInfo = WikiQuery['wiki']

/** What depends on the requested host, and the wiki. It decides defaults that a request does not set. */
export interface RequestContext {
  wiki: WikiInfo
  /** The database cannot be read: the wiki is as it was read last. */
  isLost?: true
  /** The requested host if it is one of the wiki's, or else empty. */
  host: string
  /** Default language of the requested host. */
  locale: string
  /** Base URL of every link to this API, without a slash at the end. */
  base: string
  /** URL of the pages that this service shows itself, because their language has no website. A language follows it. */
  pagesRoot: string
  /** URL of the license of the content; if it is unknown, of a text that says so. */
  license: string
  isLicenseKnown: boolean
  /** What those who use the content are asked to do. */
  attribution: string
  settings: Settings
  /** Absolute URI templates (RFC 6570) of the endpoints, by name. */
  endpoints: Record<string, string>
}

/** Settings of the operator that responses contain. */
export interface Settings {
  /** 0 means no limit. */
  requestsPerMinute: number
  cacheSeconds: number
  /** Path of MCP on the public listener, if it is served. */
  mcpPath?: string
  /** Path of the page that examples of the documentation show, in the default language. Absent: the first fitting page. */
  examplePage?: string
}

/** A parameter. One declaration gives its reader, its TypeScript type and its documentation. */
export interface Parameter<Value = unknown> {
  /** Absent: it is in the query. */
  in?: 'path'
  /** Whether a path parameter ends at a slash. Then a longer path does not match the route. */
  isSegment?: boolean
  description: string
  /** JSON Schema of the text that a client sends. */
  schema: Record<string, unknown>
  /** Whether a client that wants it (`Prefer: handling=strict`) gets an error if it does not send the parameter. */
  isRequired?: boolean
  /** Whether the text is a list with commas between its values. Then `schema` is that of the list. */
  isList?: boolean
  /** Shown in the documentation. Undefined: the wiki has no such thing. */
  example?: (values: ExampleValues) => unknown
  /**
   * @param raw the decoded text; undefined if the client did not send the parameter
   * @throws BadParameter with the name of the parameter
   */
  read(raw: string | undefined, context: RequestContext): Value
  /**
   * Reads a parameter that a client can send several times. Then nothing calls `read`, and `schema` is that of the array.
   * @param texts decoded, in the order of the request; empty if the client did not send the parameter
   * @throws BadParameter with the name of the parameter
   */
  readAll?(texts: readonly string[]): Value
}

export type Parameters = Record<string, Parameter>
type Values<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never
}

export interface RouteResult<Body> {
  /** Text if `type` is set, otherwise a value that is sent as JSON. */
  body: Body
  type?: TextType
  /** Whether the response to this URL never changes. Absent: no. */
  isImmutable?: boolean
  /** The language of the content. Absent if the response covers several languages. */
  locale?: string
  /** Only for lists whose items all have one form. */
  itemToJson?: ItemToJson | undefined
  /** What `include` adds to. Only lists with the parameter `include` have it. Called if something is to be added. */
  content?: () => ListContent
}

/** What `include` has to know of the items of a list. (D101) */
export interface ListContent {
  /** For each item, the revision whose text and page it gets; null if it gets nothing. */
  revisions: readonly (string | null)[]
  /**
   * `next` of the list if it ends early.
   * @param count how many items it then has
   * @param position of the last of their revisions: its cursor, if others have the same time (D7)
   */
  nextAfter(count: number, position: string | null): string
  /** Whether `nextAfter` needs the position. */
  needsPosition?: boolean
}

/** Media types of responses that are not JSON. */
type TextType = 'text/plain' | 'text/event-stream' | 'application/atom+xml'

/** A request that the documentation shows, together with the response of a wiki. */
interface Example {
  name: string
  summary: string
  /** Path and query, relative to the base URL. Undefined if the wiki lacks what it names. */
  url: string | undefined
  /** Whether each response is another one. Then openapi.json of this repository shows none, and that of a service does. */
  changes?: boolean
}

/** Requests of one class share an admission limit, because they have similar costs. */
export type RequestClass = keyof typeof ADMISSION_LIMITS

/** One GET of the API. */
interface Route<Data, Variables, P extends Parameters, Body> {
  /** Name in the list of endpoints, in metrics and in cache keys. */
  name: string
  /** Name of the function in generated clients. It begins with a verb: `const page = await getPage(…)`. */
  operationId: string
  /** Path template of OpenAPI, relative to the base URL. If two routes match, the first in the list wins. */
  path: string
  requestClass: RequestClass
  tag: 'Wiki' | 'Pages' | 'Files' | 'Edits' | 'Search'
  summary: string
  description: string
  parameters: P
  query: TypedDocumentNode<Data, Variables>
  variables(values: Values<P>, context: RequestContext): Variables
  /** Absent if the route never returns JSON. */
  responseSchema?: z.ZodType<Body>
  /** What a response of another type than JSON contains, for the types that clients can ask for. */
  textTypes?: Partial<Record<TextType, string>>
  /** The parameters that ask for such a type. Absent: a header does. */
  textQuery?: Record<string, string>
  /**
   * Who caches its responses. Absent: this service, and caches outside. `outside`: only those, so that each request runs
   * the stored query. `no-store`: nobody, because the next response to the same request may be another one.
   */
  cache?: 'outside' | 'no-store'
  /** @returns null if there is no page at the parameters `locale` and `path`, or no category `key` @throws NotFound */
  reshape(
    data: Data,
    values: Values<P>,
    context: RequestContext,
  ): RouteResult<Body | string> | null | undefined
  /** The Markdown of the response, and the URL of its page on the wiki. Clients get it if they prefer Markdown to JSON. */
  markdownOf?(body: Body): { text: string; canonicalUrl: string }
  /** When it was announced that the route goes, and the first day on which it can be gone: dates. (docs/stability.md) */
  deprecation?: { since: string; sunset: string }
  /** The parameter to which clients pass `next`, unless `order` is `asc`: then it is `after`. Only routes that return a list have one. */
  pagedBy?: keyof P & string
  examples(values: ExampleValues): Example[]
}

/** A route without its types, for the router and the documentation. */
// biome-ignore lint/suspicious/noExplicitAny: the types of each route are checked where it is declared
export type AnyRoute = Route<any, any, any, any>

/**
 * Declares a route. An identity function, so that TypeScript infers the types of the route. Tests use that of its schema,
 * which can have more fields than `reshape` makes: those that `include` adds.
 */
export const defineRoute = <Data, Variables, P extends Parameters, Body, Schema extends z.ZodType<Body>>(
  declared: Route<Data, Variables, P, Body> & { responseSchema?: Schema },
): Omit<AnyRoute, 'responseSchema'> & { responseSchema?: Schema } => declared
