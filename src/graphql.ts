import { readFileSync } from 'node:fs'
import { makeExecutableSchema } from '@graphql-tools/schema'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { execute, type GraphQLSchema, validate } from 'graphql'
import type { Database } from './data/database.ts'
import { makeLoaders } from './data/loaders.ts'
import type { WikiRow } from './data/rows.ts'
import { statement } from './data/statements.ts'
import { packagePath } from './paths.ts'
import type { Context } from './resolvers/context.ts'
import { resolvers } from './resolvers/index.ts'
import { renderHtml } from './wiki/html.ts'
import { type Addresses, addressOf, pageUrl } from './wiki/links.ts'

/**
 * Makes a stored query ready, once, at start; what it returns answers it: the one way by which the REST
 * layer reads.
 * @throws GraphQLError when the query does not fit the schema
 */
export type PrepareStoredQuery = <Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
) => (variables: Variables) => Promise<Data>

export const makeSchema = (): GraphQLSchema =>
  makeExecutableSchema({ typeDefs: readFileSync(packagePath('schema', 'wiki.graphql'), 'utf8'), resolvers })

/** What an instance shows before anything is imported. */
const EMPTY_WIKI: WikiRow = {
  name: 'An empty wiki',
  defaultLocale: 'en',
  license: null,
  locales: [{ locale: 'en', name: 'English' }],
}

export const makeContext = (database: Database, addresses: Addresses): Context => {
  const loaders = makeLoaders(database)
  const wiki = async () => (await database.query<WikiRow>(statement('wiki'), []))[0] ?? EMPTY_WIKI
  return {
    loaders,
    wiki,
    wikiUrl: (locale) => addressOf(addresses, locale),
    pageUrl: (locale, path) => pageUrl(addresses, locale, path),
    html: async (revision) => {
      const whole =
        revision.markdown !== undefined && revision.page ? revision : await loaders.revision.load(revision.id)
      if (!whole?.page) return ''
      const locales = new Set((await wiki()).locales.map(({ locale }) => locale))
      return renderHtml(whole.markdown ?? '', {
        addresses,
        locales,
        locale: whole.page.locale,
        path: whole.page.path,
      })
    },
  }
}

/** What a prepared query throws is what the resolver threw: Unavailable where the database is away. */
export const makeStoredQueries =
  (schema: GraphQLSchema, context: Context): PrepareStoredQuery =>
  <Data, Variables>(document: TypedDocumentNode<Data, Variables>) => {
    const [wrong] = validate(schema, document)
    if (wrong) throw wrong
    return async (variables: Variables): Promise<Data> => {
      const { data, errors } = await execute({
        schema,
        document,
        contextValue: context,
        variableValues: variables as Record<string, unknown>,
      })
      if (errors?.[0]) throw errors[0].originalError ?? errors[0]
      return data as Data
    }
  }
