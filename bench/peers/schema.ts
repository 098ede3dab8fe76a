import { readFileSync } from 'node:fs'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { boundedHtml } from '@lectern/wiki/html'
import { makeWikiAddresses } from '@lectern/wiki/links'
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
import { graphqlSchema } from '../../src/graphql.ts'
import { packagePath } from '../../src/paths.ts'
import { makeContext } from '../../src/query-context.ts'
import type { Render } from '../../src/render/render-result.ts'
import type { ResolverContext } from '../../src/resolvers/context.ts'
import { resolvers } from '../../src/resolvers/index.ts'

const renderInProcess: Render = async ({ markdown, context }) => ({
  output: boundedHtml(markdown, context, Number.POSITIVE_INFINITY),
})

/**
 * A function that gives each request its resolver context. The context has new loaders, as DataLoader's documentation
 * recommends.
 */
export const openContext = async (): Promise<() => ResolverContext> => {
  const config = readConfig()
  const database = await openDatabase(config, 'reader')
  const addresses = makeWikiAddresses({ byLocale: config.wikiAddresses, fallback: 'http://localhost/wiki' })
  return () => makeContext(database, addresses, renderInProcess)
}

/**
 * The schema reduced to the fields that a stored query selects. sofa selects every field of the schema; with the
 * reduced schema it selects only what the response needs: of the fields that a query has on demand, only the Markdown.
 */
export const schemaOf = (document: DocumentNode): GraphQLSchema => {
  const used = usedFields(document)
  const definitions = visit(parse(readFileSync(packagePath('schema', 'wiki.graphql'), 'utf8')), {
    [Kind.OBJECT_TYPE_DEFINITION]: (type) => {
      const fields = type.fields?.filter(({ name }) => used.has(`${type.name.value}.${name.value}`))
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
      Field: ({ name, directives }) => {
        if (name.value !== 'markdown' && directives?.length) return false
        used.add(`${types.getParentType()?.name}.${name.value}`)
        return undefined
      },
    }),
  )
  return used
}
