import { readFileSync } from 'node:fs'
import { makeExecutableSchema } from '@graphql-tools/schema'
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { makeContext, graphqlSchema } from '../../src/graphql.ts'
import { packagePath } from '../../src/paths.ts'
import type { Render } from '../../src/render/render-result.ts'
import type { ResolverContext } from '../../src/resolvers/context.ts'
import { resolvers } from '../../src/resolvers/index.ts'
import { renderHtml } from '../../src/wiki/html.ts'
import { makeWikiAddresses } from '../../src/wiki/links.ts'

const renderInProcess: Render = async ({ markdown, context }) => ({
  output: renderHtml(markdown, context),
})

/**
 * A function that gives each request its resolver context. The context has new loaders, as DataLoader's documentation
 * recommends. With the command-line argument `shared`, all requests use the same loaders, as in Lectern, so that the
 * peer batches across requests too.
 */
export const openContext = async (): Promise<() => ResolverContext> => {
  const config = readConfig()
  const database = await openDatabase(config, 'reader')
  const addresses = makeWikiAddresses({ byLocale: config.wikiAddresses, fallback: 'http://localhost/wiki' })
  const shared = makeContext(database, addresses, renderInProcess)
  return process.argv[2] === 'shared' ? () => shared : () => makeContext(database, addresses, renderInProcess)
}

/**
 * The schema reduced to the fields that a stored query selects. sofa selects every field of the schema; with the
 * reduced schema it selects only what the response needs, and not the HTML of each page of a list.
 * @param without fields to leave out, because the query selects them only on demand: `Revision.html`
 */
export const schemaOf = (document: DocumentNode, without: readonly string[]): GraphQLSchema => {
  const used = usedFields(document)
  const definitions = visit(parse(readFileSync(packagePath('schema', 'wiki.graphql'), 'utf8')), {
    [Kind.OBJECT_TYPE_DEFINITION]: (type) => {
      const fields = type.fields?.filter(({ name }) => {
        const field = `${type.name.value}.${name.value}`
        return used.has(field) && !without.includes(field)
      })
      return fields?.length ? { ...type, fields } : null
    },
  })
  return makeExecutableSchema({
    typeDefs: definitions,
    resolvers,
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  })
}

const usedFields = (document: DocumentNode): Set<string> => {
  const used = new Set<string>()
  const types = new TypeInfo(graphqlSchema())
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name }) => {
        used.add(`${types.getParentType()?.name}.${name.value}`)
      },
    }),
  )
  return used
}
