import type { IncomingMessage } from 'node:http'
import {
  defaultExtractPersistedOperationId,
  usePersistedOperations,
} from '@graphql-yoga/plugin-persisted-operations'
import { BadRequest, PublicError } from '@lectern/wiki/errors'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin, type YogaInitialContext } from 'graphql-yoga'
import type { Logger } from 'pino'
import { GRAPHQL_LIMITS } from '../limits/service.ts'
import { GRAPHQL_PATH } from './graphiql.ts'
import { checkQueryCost, checkQueryText } from './query-limits.ts'
import type { StoredDocuments } from './stored-documents.ts'

export interface YogaOptions {
  schema: GraphQLSchema
  /** The context of resolvers. Yoga adds fields of its own. */
  context: () => object
  /** Persisted documents. Absent: a client must send its query. */
  documents?: StoredDocuments
  /** Receives what clients do not see: unexpected errors, and the causes of expected errors. */
  logger?: Pick<Logger, 'info' | 'warn' | 'error'>
}

/**
 * graphql-yoga, without the features that an internal, read-only endpoint does not need. It does not cache parsed
 * documents: to parse and validate one takes a fraction of a millisecond, while a cache of 1,024 documents of the
 * largest allowed size takes 1 GB.
 */
export const makeYoga = ({ schema, context, documents, logger }: YogaOptions) =>
  createYoga({
    schema,
    context,
    graphqlEndpoint: GRAPHQL_PATH,
    maxRequestBodySize: GRAPHQL_LIMITS.bodyBytes,
    maskedErrors: { maskError: (error) => toClientError(error, logger) },
    plugins: [...(documents ? [persistedDocuments(documents)] : []), queryLimits(schema)],
    // The parameter of the GraphQL over HTTP specification.
    extraParamNames: documents ? ['documentId'] : [],
    batching: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    parserAndValidationCache: false,
  })

/**
 * Runs the document whose hash a request has, as the specification of GraphQL over HTTP (`documentId`) or as Apollo
 * (`extensions.persistedQuery`) sends it. Queries as text still run, so that clients of Apollo can send the query after
 * the error that a hash is unknown.
 */
const persistedDocuments = (documents: StoredDocuments) =>
  usePersistedOperations({
    allowArbitraryOperations: true,
    extractPersistedOperationId: (params, request, context) => {
      // Yoga reads extra parameters only from a body.
      const { documentId = new URL(request.url).searchParams.get('documentId') } = params as {
        documentId?: unknown
      }
      if (typeof documentId === 'string') return documentId.replace(/^sha256:/, '')
      return defaultExtractPersistedOperationId(params, request, context)
    },
    getPersistedOperation: (hash: string) => documents.get(hash.toLowerCase()) ?? null,
    customErrors: {
      notFound: ({ params }) =>
        'documentId' in params
          ? refusal('PERSISTED_QUERY_NOT_FOUND', 'There is no persisted document with this documentId.')
          : refusal('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound'),
      keyNotFound: () =>
        refusal('BAD_REQUEST', 'Send a query, or the hash of a persisted document as documentId.'),
    },
  })

const refusal = (code: string, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code, http: { status: 400 } } })

/**
 * Checks the text of a query before it is parsed, and the document before it is validated. The context of the server is
 * what node:http passes to yoga.
 */
const queryLimits = (schema: GraphQLSchema): Plugin<YogaInitialContext, { req?: IncomingMessage }> => ({
  onRequestParse: ({ requestParser, setRequestParser }) => {
    if (!requestParser) return
    setRequestParser(async (request) => {
      try {
        return await requestParser(request)
      } catch (error) {
        // Yoga does not catch the errors when it parses `variables` and `extensions` of a GET.
        if (error instanceof SyntaxError) throw new BadRequest('variables, extensions: must be JSON.')
        throw error
      }
    })
  },
  onParams: ({ params }) => {
    // With this error, clients of Apollo send the query itself the next time. A query with its hash runs.
    if (!params?.query && params?.extensions?.persistedQuery)
      throw refusal('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')
  },
  onParse: ({ params }) => {
    try {
      checkQueryText(typeof params.source === 'string' ? params.source : params.source.body)
    } catch (error) {
      // The parser finds most other mistakes later, and then yoga sets the same code.
      if (error instanceof GraphQLError) error.extensions.code = 'GRAPHQL_PARSE_FAILED'
      throw error
    }
  },
  onValidate: ({ params, context }) => {
    const { variables, operationName } = context.params
    checkQueryCost(schema, params.documentAST, variables ?? {}, operationName)
  },
  onResponse: ({ response, serverContext }) => {
    // The server does not read a refused body to its end, and some clients never send the rest. A later request on the
    // connection would wait for it.
    if (serverContext.req?.complete === false) response.headers.set('Connection', 'close')
  },
  onResultProcess: ({ result, setResult }) => {
    if (Array.isArray(result) || !('errors' in result) || !result.errors?.some((error) => !error.path)) return
    // The query did not run. For `Accept: application/json`, yoga itself would respond with 200. A 413 or 503 overrides this.
    setResult({ ...result, extensions: { ...result.extensions, http: { status: 400 } } })
  },
})

/** The error that a client sees: public errors with their code, errors in its query unchanged, and no others. */
const toClientError = (error: unknown, logger: YogaOptions['logger']): GraphQLError => {
  const { nodes, path } = error instanceof GraphQLError ? error : {}
  const cause = causeOf(error)
  // One with a path is of the execution: a value of a resolver does not fit its type.
  if (cause instanceof GraphQLError && !path) {
    cause.extensions.code ??= 'GRAPHQL_VALIDATION_FAILED' // others have the codes of yoga
    return error as GraphQLError
  }
  const shown = cause instanceof PublicError ? cause : new PublicError('internal', 'Internal error')
  if (shown !== cause) logger?.error({ err: cause }, 'A GraphQL request failed')
  else if (shown.cause !== undefined) logger?.warn({ err: shown.cause }, 'A GraphQL request failed')
  const { code, status, headers } = shown
  const extensions = { code, ...(path ? {} : { http: { status, headers } }) }
  return new GraphQLError(shown.message, { nodes, path, extensions })
}

/** The original error. graphql wraps it to add the field, sometimes more than once. */
const causeOf = (error: unknown): unknown =>
  error instanceof GraphQLError && error.originalError ? causeOf(error.originalError) : error
