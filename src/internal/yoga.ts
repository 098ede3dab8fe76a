import type { IncomingMessage } from 'node:http'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin, type YogaInitialContext } from 'graphql-yoga'
import type { Logger } from 'pino'
import { BadRequest, PublicError } from '../errors.ts'
import { GRAPHQL_LIMITS } from '../limits.ts'
import { checkQueryCost, checkQueryText } from './bounds.ts'
import { GRAPHQL_PATH } from './path.ts'

/** What yoga gets from node:http. */
interface NodeContext {
  req: IncomingMessage
}

export interface YogaOptions {
  schema: GraphQLSchema
  /** What resolvers find in their third argument, beside yoga's own fields. */
  context: () => object
  /** Gets what a client is not told: unexpected errors, and the causes of the expected ones. */
  logger?: Pick<Logger, 'warn' | 'error'>
}

/**
 * graphql-yoga with everything off that an internal, read-only endpoint does not need.
 * Parsed documents are not kept: parsing and validating take a fraction of a millisecond, while the
 * 1,024 that yoga would keep take 1 GB if they are as large as the bounds allow.
 */
export const makeYoga = ({ schema, context, logger }: YogaOptions) =>
  createYoga({
    schema,
    context,
    graphqlEndpoint: GRAPHQL_PATH,
    maxRequestBodySize: GRAPHQL_LIMITS.bodyBytes,
    maskedErrors: { maskError: (error) => publicForm(error, logger) },
    plugins: [bounded(schema)],
    batching: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    parserAndValidationCache: false,
  })

/** The text is held to its bounds before it is parsed, the document before it is validated. */
const bounded = (schema: GraphQLSchema): Plugin<YogaInitialContext, Partial<NodeContext>> => ({
  onRequestParse: ({ requestParser, setRequestParser }) => {
    if (!requestParser) return
    setRequestParser(async (request) => {
      try {
        return await requestParser(request)
      } catch (error) {
        // `variables` and `extensions` of a GET are JSON that yoga parses without a net.
        if (error instanceof SyntaxError) throw new BadRequest('variables, extensions: must be JSON.')
        throw error
      }
    })
  },
  onParams: ({ params }) => {
    // What Apollo's clients look for, to send the query itself next time. A query that comes with its hash is run.
    if (!params?.query && params?.extensions?.persistedQuery) {
      throw new GraphQLError('PersistedQueryNotSupported', {
        extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED', http: { status: 400 } },
      })
    }
  },
  onParse: ({ params }) => {
    try {
      checkQueryText(typeof params.source === 'string' ? params.source : params.source.body)
    } catch (error) {
      // The parser stumbles over most mistakes later, and then yoga says the same.
      if (error instanceof GraphQLError) error.extensions.code = 'GRAPHQL_PARSE_FAILED'
      throw error
    }
  },
  onValidate: ({ params, context }) => {
    checkQueryCost(schema, params.documentAST, context.params.variables ?? {})
  },
  onResponse: ({ response, serverContext }) => {
    // A refused body is not read to its end, and some clients do not send its end: what came behind it would wait.
    if (serverContext.req?.complete === false) response.headers.set('Connection', 'close')
  },
  onResultProcess: ({ result, setResult }) => {
    if (Array.isArray(result) || !('errors' in result) || !result.errors?.some((error) => !error.path)) return
    // Nothing was run. By itself yoga answers 200 to whom asks for `application/json`; 413 or 503 still win.
    setResult({ ...result, extensions: { ...result.extensions, http: { status: 400 } } })
  },
})

/** An error as a client may see it: ours with their code, graphql's own as they are, no other. */
const publicForm = (error: unknown, logger: YogaOptions['logger']): GraphQLError => {
  const { nodes, path } = error instanceof GraphQLError ? error : {}
  const cause = causeOf(error)
  if (cause instanceof GraphQLError) return error as GraphQLError
  if (cause instanceof PublicError) {
    if (cause.cause !== undefined) logger?.warn({ err: cause.cause }, cause.message)
    const http = { status: cause.status, headers: cause.headers }
    return new GraphQLError(cause.message, {
      nodes,
      path,
      extensions: { code: cause.code, ...(path ? {} : { http }) },
    })
  }
  logger?.error({ err: cause }, 'A GraphQL request failed')
  const http = { status: 500 }
  return new GraphQLError('Internal error', {
    nodes,
    path,
    extensions: { code: 'internal', ...(path ? {} : { http }) },
  })
}

/** What was thrown first: graphql wraps it to tell the field, and sometimes wraps that. */
const causeOf = (error: unknown): unknown =>
  error instanceof GraphQLError && error.originalError ? causeOf(error.originalError) : error
