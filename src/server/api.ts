import type { WikiAnswer } from '@lectern/mcp/wiki-api'
import { makeWikiAddresses } from '@lectern/wiki/links'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { ServingDatabase } from '../db/database.ts'
import { makeDiffer } from '../diff/differ.ts'
import { readBranding } from '../docs-site/branding.ts'
import { makeDocsSite } from '../docs-site/docs-site.ts'
import { graphqlSchema, makeStoredQueries } from '../graphql.ts'
import { checkLocalRequest } from '../http/local-request.ts'
import { API_PATH, packageVersion, siteRootOf } from '../paths.ts'
import { makeContext } from '../query-context.ts'
import type { Consume } from '../rate/fixed-window.ts'
import type { RenderProcess } from '../render/process.ts'
import { makeRenderer } from '../render/renderer.ts'
import { makePublicListener } from '../rest/transport/listener.ts'
import type { PostEndpoint } from '../rest/transport/post-endpoint.ts'
import type { ApiResponse } from '../rest/transport/responses.ts'
import { memoize } from '../shared/memoize.ts'

interface ApiOptions {
  config: Config
  database: ServingDatabase
  /** URL of the public listener on this machine. */
  origin: string
  consume: Consume
  startRenderer?: (() => Promise<RenderProcess>) | undefined
  logger: Logger
}

/** Creates the GraphQL schema, its context, and the public listener that uses them. @throws UsageError for the logo */
export const makeApi = async ({ config, database, origin, consume, startRenderer, logger }: ApiOptions) => {
  const branding = await readBranding(config)
  const renderer = makeRenderer({ start: startRenderer })
  const differ = makeDiffer()
  // Beside the API, where this service itself responds. (D6)
  const root = config.baseUrl ? siteRootOf(config.baseUrl) : origin
  const addresses = makeWikiAddresses({ byLocale: config.wikiAddresses, fallback: `${root}/wiki` })
  const context = makeContext(database, addresses, renderer.render, differ, root)
  const mcp = config.mcp ? mcpEndpoint(config, logger) : undefined
  const publicListener = makePublicListener({
    ...config,
    prepare: makeStoredQueries(context),
    site: makeDocsSite(branding, config.siteHome),
    fallbackBase: origin + API_PATH,
    settings: {
      requestsPerMinute: config.rateLimit,
      cacheSeconds: config.cacheSeconds,
      mcpPath: mcp?.path,
      examplePage: config.examplePage,
    },
    roundTripMs: database.roundTripMs,
    postEndpoint: mcp,
    media: {
      files: { find: (key) => context.loaders.fileByHash.load(key), readPart: context.readFilePart },
      requestsPerMinute: config.mediaRateLimit,
      cacheSeconds: config.mediaCacheSeconds,
    },
    consume,
    logger,
  })
  return {
    schema: graphqlSchema(),
    context,
    renderer,
    publicListener,
    /** The wiki changed: drops everything that is cached about it. */
    invalidate: () => {
      publicListener.invalidate()
      context.forget()
    },
    close: async () => {
      publicListener.close()
      await renderer.close()
      await differ.close()
    },
  }
}

/** MCP on the public listener. The SDK loads with the first request: it takes 0.15 s. */
const mcpEndpoint = ({ baseUrl, wikiAddresses, trustedProxies }: Config, logger: Logger): PostEndpoint => {
  const urls = [...(baseUrl === undefined ? [] : [baseUrl]), ...Object.values(wikiAddresses)]
  const hosts = new Set(urls.map((url) => new URL(url).hostname.toLowerCase()))
  const responder = memoize(async () => {
    const { makeMcpResponder } = await import('@lectern/mcp/http')
    return makeMcpResponder(packageVersion(), logger)
  })
  return {
    path: '/mcp',
    name: 'mcp',
    check: (request) => checkLocalRequest(request, { trustedProxies, hosts }),
    respond: async ({ read, ...call }) => {
      const respond = await responder()
      return respond({ ...call, wiki: async (url) => toWikiAnswer(await read(API_PATH + url)) })
    },
  }
}

/** The answer to an agent in a response of this process. */
export const toWikiAnswer = ({ status, headers, body }: ApiResponse): WikiAnswer => ({
  status,
  body: JSON.parse(body.toString('utf8')),
  link: headers.Link,
  retryAfter: headers['Retry-After'],
})
