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
import { makeContext, makeSchema } from '../../src/graphql.ts'
import { packagePath } from '../../src/paths.ts'
import type { Render } from '../../src/render/render-result.ts'
import type { ResolverContext } from '../../src/resolvers/context.ts'
import { resolvers } from '../../src/resolvers/index.ts'
import { renderHtml } from '../../src/wiki/html.ts'
import { makeWikiAddresses } from '../../src/wiki/links.ts'

const renderHere: Render = async (markdown, place) => ({ html: renderHtml(markdown, place) })

/**
 * What the resolvers of a request run with: loaders of its own, as DataLoader's documentation has them, or with
 * the argument `shared` those that Lectern shares between requests in flight, whose batching then serves the
 * peer too.
 */
export const openContext = async (): Promise<() => ResolverContext> => {
  const config = readConfig()
  const database = await openDatabase(config, 'reader')
  const addresses = makeWikiAddresses({ byLocale: config.wikiAddresses, fallback: 'http://localhost/wiki' })
  const shared = makeContext(database, addresses, renderHere)
  return process.argv[2] === 'shared' ? () => shared : () => makeContext(database, addresses, renderHere)
}

/**
 * The schema with no more than the fields that a stored query selects. What makes REST of a schema by itself
 * selects all that it finds: so it selects what the answer needs, and not the HTML of each page of a list.
 * @param without fields that the query selects on demand: `Revision.html`
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
  const types = new TypeInfo(makeSchema())
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
