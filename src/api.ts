import type { Logger } from 'pino'
import { API_PATH } from './api-path.ts'
import type { Config } from './config.ts'
import type { ServingDatabase } from './db/database.ts'
import { makeDiffer } from './diff/differ.ts'
import { docsSite } from './docs-site/docs-site.ts'
import { makeContext, makeSchema, makeStoredQueries } from './graphql.ts'
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
  const schema = makeSchema()
  const renderer = makeRenderer()
  const differ = makeDiffer()
  const addresses = makeWikiAddresses({
    byLocale: config.wikiAddresses,
    fallback: `${config.baseUrl?.slice(0, -API_PATH.length) ?? origin}/wiki`,
  })
  const context = makeContext(database, addresses, renderer.render, differ)
  const mcp = config.mcp ? mcpEndpoint({ ...config, urls: ownUrls(config), logger }) : undefined
  const publicListener = makePublicListener({
    prepare: makeStoredQueries(schema, context),
    site: docsSite,
    baseUrl: config.baseUrl,
    fallbackBase: origin + API_PATH,
    wikiAddresses: config.wikiAddresses,
    licenseUrl: config.licenseUrl,
    attribution: config.attribution,
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
  return { schema, context, renderer, differ, publicListener }
}

const ownUrls = ({ baseUrl, wikiAddresses }: Config): string[] => [
  ...(baseUrl === undefined ? [] : [baseUrl]),
  ...Object.values(wikiAddresses),
]
