import type { Logger } from 'pino'
import { API_PATH } from './api-path.ts'
import type { Config } from './config.ts'
import type { ServingDatabase } from './db/database.ts'
import { makeDiffer } from './diff/differ.ts'
import { docsSite } from './docs-site/docs-site.ts'
import { makeContext, makeStoredQueries, graphqlSchema } from './graphql.ts'
import { mcpEndpoint } from './mcp/endpoint.ts'
import type { Consume } from './rate/fixed-window.ts'
import { makeRenderer } from './render/renderer.ts'
import { makePublicListener } from './rest/listener.ts'
import { makeWikiAddresses } from './wiki/links.ts'

interface ApiOptions {
  config: Config
  database: ServingDatabase
  /** URL of the public listener on this machine. */
  origin: string
  consume: Consume
  logger: Logger
}

/** Creates the GraphQL schema, its context, and the public listener that uses them. */
export const makeApi = ({ config, database, origin, consume, logger }: ApiOptions) => {
  const renderer = makeRenderer()
  const differ = makeDiffer()
  // Beside the API, where this service itself responds. (D126)
  const root = config.baseUrl?.slice(0, -API_PATH.length) ?? origin
  const addresses = makeWikiAddresses({ byLocale: config.wikiAddresses, fallback: `${root}/wiki` })
  const context = makeContext(database, addresses, renderer.render, differ)
  const mcp = config.mcp ? mcpEndpoint({ ...config, urls: ownUrls(config), logger }) : undefined
  const publicListener = makePublicListener({
    prepare: makeStoredQueries(context),
    site: docsSite,
    baseUrl: config.baseUrl,
    fallbackBase: origin + API_PATH,
    wikiAddresses: config.wikiAddresses,
    licenseUrl: config.licenseUrl,
    trustedProxies: config.trustedProxies,
    settings: {
      requestsPerMinute: config.rateLimit,
      cacheSeconds: config.cacheSeconds,
      mcpPath: mcp?.path,
    },
    roundTripMs: database.roundTripMs,
    postEndpoint: mcp,
    consume,
    logger,
  })
  return { schema: graphqlSchema(), context, renderer, differ, publicListener }
}

const ownUrls = ({ baseUrl, wikiAddresses }: Config): string[] => [
  ...(baseUrl === undefined ? [] : [baseUrl]),
  ...Object.values(wikiAddresses),
]
