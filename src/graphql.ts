import { readFileSync } from 'node:fs'
import { makeExecutableSchema } from '@graphql-tools/schema'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { type DocumentNode, GraphQLSchema, isSpecifiedDirective, validate } from 'graphql'
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit'
import { packagePath } from './paths.ts'
import type { ResolverContext } from './resolvers/context.ts'
import { resolvers } from './resolvers/index.ts'
import { getOrAdd, once } from './shared/memoize.ts'

/** Checks a stored query, and returns what runs it: REST reads in no other way. @throws GraphQLError if it is invalid */
export type PrepareStoredQuery = <Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
) => (variables: Variables) => Promise<Data>

/** The schema with its resolvers: one for the whole process, since queries are compiled for a schema. */
export const graphqlSchema = once(() => {
  const typeDefs = readFileSync(packagePath('schema', 'wiki.graphql'), 'utf8')
  const config = makeExecutableSchema({ typeDefs, resolvers }).toConfig()
  // Clients do not see the directives of the schema's own, which are for the limits of queries.
  return new GraphQLSchema({ ...config, directives: config.directives.filter(isSpecifiedDirective) })
})

/**
 * A stored query throws the error of the resolver, such as Unavailable when the database is lost.
 * graphql-jit compiles queries to functions: a page takes a tenth of the time of `execute` of graphql, and a list of
 * fifty a fifth. To compile all of them takes most of a start, so each is compiled when it first runs.
 */
export const makeStoredQueries =
  (context: ResolverContext): PrepareStoredQuery =>
  <Data, Variables>(document: TypedDocumentNode<Data, Variables>) => {
    const compiled = checkedQuery(document)
    return async (variables: Variables): Promise<Data> => {
      const { data, errors } = await compiled().query(
        undefined,
        context,
        variables as Record<string, unknown>,
      )
      if (errors?.[0]) throw errors[0].originalError ?? errors[0]
      return data as Data
    }
  }

/** Functions that compile a query at the first call, and return the compiled query at each. */
const checkedQueries = new WeakMap<DocumentNode, () => CompiledQuery>()

const checkedQuery = (document: DocumentNode): (() => CompiledQuery) =>
  getOrAdd(checkedQueries, document, () => {
    const [error] = validate(graphqlSchema(), document)
    if (error) throw error
    return once(() => compile(document))
  })

const compile = (document: DocumentNode): CompiledQuery => {
  const compiled = compileQuery(graphqlSchema(), document, undefined, { disableLeafSerialization: true })
  if (!isCompiledQuery(compiled)) throw compiled.errors?.[0]
  return compiled
}
