import cluster from 'node:cluster'
import { Unavailable } from '@lectern/wiki/errors'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { ServingDatabase } from '../db/database.ts'
import { followingOf } from '../db/followed-sources.ts'
import { graphqlSchema } from '../graphql.ts'
import { trackConnections } from '../http/connections.ts'
import { limitPipelines, pipelineDisconnects } from '../http/pipelining.ts'
import { listen, makeHttpServer, originOf, portOf, urlHost } from '../http/server.ts'
import { unreadResponses } from '../http/unread-responses.ts'
import { makeInternalListener } from '../internal/listener.ts'
import { makeMetrics } from '../internal/metrics.ts'
import { readStoredDocuments } from '../internal/stored-documents.ts'
import { CONNECTION_SHARES, PAGE_COUNT_TTL_MS } from '../limits/service.ts'
import { API_PATH } from '../paths.ts'
import { type Consume, makeFixedWindow } from '../rate/fixed-window.ts'
import type { RenderProcess } from '../render/process.ts'
import type { ResolverContext } from '../resolvers/context.ts'
import { memoizeFor } from '../shared/memoize.ts'
import { connectionsMax, memoryOfProcesses } from '../shared/resources.ts'
import { makeApi } from './api.ts'

/**
 * What runs. `close` stops accepting connections, finishes running requests, and closes both listeners, but
 * not the database. It gets how long idle connections may still send a request, milliseconds.
 */
export type Service = Awaited<ReturnType<typeof serve>>

/** The parts of a process that depend on the other processes of the service. */
export interface ProcessOptions {
  /** Counts of the log: lines that could not be written. Absent if there are none. */
  log?: { dropped(): number }
  /** Counts the requests of clients in all processes. */
  consume?: Consume
  /** How many workers are configured, and how many serve. */
  fleet?: () => { configured: number; serving: number }
  /** Opens the port of a server. Absent: in this process. @throws UsageError naming the variable to change */
  listen?: typeof listen
  /** Asks the followers to check their sources now. Absent: through the database. */
  follow?: () => Promise<void>
  /** Starts a process of the renderer. Absent: each one anew. */
  startRenderer?: () => Promise<RenderProcess>
  /** The metrics of each process. @param own returns those of this process, also for other processes */
  metrics?: (own: () => Promise<object[]>) => () => Promise<object[][]>
}

/**
 * Starts the two listeners: the public API, and the internal one with GraphQL, metrics and health.
 * @param siblings the parts that depend on the other processes of the service
 * @throws UsageError when a port, an address or a persisted document is not usable; it names the variable to change
 */
export const serve = async (
  config: Config,
  database: ServingDatabase,
  logger: Logger,
  siblings: ProcessOptions = {},
) => {
  const open = siblings.listen ?? listen
  const { servers, invalidate, ...api } = await openPublic(config, database, logger, siblings)
  const following = followingOf(database, siblings.follow)
  const readiness = readinessOf(database)
  const metrics = makeMetrics(
    {
      ...api.publicListener.metrics,
      connections: servers.publicConnections.counts,
      unreadResponses: unreadCounts,
      servers: database.servers,
      sources: following.sources,
      rendering: () => api.renderer.counts,
      log: siblings.log,
      memory: siblings.metrics ? undefined : memoryOfProcesses,
      pages: pageCounterOf(api.context),
      ready: readiness.ready,
    },
    siblings.metrics,
  )
  const internalListener = makeInternalListener({
    schema: api.schema,
    documents: api.documents,
    context: () => api.context,
    ready: readiness.ready,
    servers: database.servers,
    fleet: siblings.fleet,
    following: { ...following, secret: config.followSecret },
    metrics: metrics.text,
    hosts: [config.internalHost.toLowerCase()],
    logger,
  })
  servers.internal.on('request', servers.internalConnections.track(internalListener))
  await open(servers.internal, config.internalPort, config.internalHost, 'INTERNAL_PORT')
    .then(() => warnOfLinks(config, api.context, logger))
    .catch(async (error) => {
      await api.close(0)
      throw error
    })
  const stopListening = database.onChange(invalidate)
  return {
    /** URL of the public API for its users, and of the public listener on this machine. */
    url: config.baseUrl ?? api.origin + API_PATH,
    listeningUrl: api.origin,
    internalUrl: `http://${urlHost(config.internalHost)}:${portOf(servers.internal, config.internalPort)}`,
    invalidate,
    examplePage: () => examplePageOf(api.context),
    metrics: metrics.json,
    close: async (graceMs = 0): Promise<void> => {
      readiness.stop()
      stopListening()
      await api.close(graceMs)
    },
  }
}

/** Whether the service can serve: not while it stops. */
const readinessOf = (database: ServingDatabase) => {
  let isStopping = false
  return {
    ready: () =>
      isStopping ? Promise.reject(new Unavailable('The service is stopping.')) : database.ready(),
    stop: (): void => {
      isStopping = true
    },
  }
}

/** Counts live pages of the main namespace, and those of each language only as far as `page_counts` does. */
const pageCounterOf = ({ loaders, wiki }: Pick<ResolverContext, 'loaders' | 'wiki'>) => {
  const count = async () => {
    const { locales } = await wiki()
    const counts = await Promise.all(locales.map(({ locale }) => loaders.pageCount.load(locale)))
    return counts.reduce((sum, pages) => sum + pages, 0)
  }
  return memoizeFor(PAGE_COUNT_TTL_MS, count).get
}

/** Responses that clients have not read yet, and connections that were closed for them, by reason. */
const unreadCounts = () => {
  const { bytes, disconnects } = unreadResponses.counts()
  return { bytes, disconnects: { requests: pipelineDisconnects(), bytes: disconnects } }
}

/** The page of the last twenty edits' first with 1,000 bytes, or else of the longest; undefined if there is none. */
const examplePageOf = async ({ loaders, wiki }: Pick<ResolverContext, 'loaders' | 'wiki'>) => {
  const { defaultLocale: locale } = await wiki()
  const { items } = await loaders.recentOfLocale.load({ locale, first: 20 })
  return items.sort((a, b) => Math.min(b.size, 1_000) - Math.min(a.size, 1_000))[0]?.page
}

/** Opens the public listener, and creates what both listeners need. */
const openPublic = async (
  config: Config,
  database: ServingDatabase,
  logger: Logger,
  { consume, listen: open = listen, startRenderer }: ProcessOptions,
) => {
  const documents = await readStoredDocuments(config.graphqlDocuments, graphqlSchema)
  const redisWindow = await openRedisWindow(config, logger)
  const servers = makeServers()
  let api: Api | undefined
  const close = async (graceMs: number): Promise<void> => {
    api?.publicListener.endStreams()
    await servers.drain(graceMs)
    redisWindow?.close()
    await api?.close()
  }
  try {
    await open(servers.public, config.port, config.host, 'PORT')
    const origin = originOf(portOf(servers.public, config.port), config.host)
    const counting = redisWindow?.consume ?? consume ?? makeFixedWindow()
    api = await makeApi({ config, database, origin, consume: counting, startRenderer, logger })
    attach(servers, api.publicListener)
    return { ...api, servers, origin, close, documents }
  } catch (error) {
    await close(0)
    throw error
  }
}

const openRedisWindow = async ({ redisUrl, rateLimit }: Config, logger: Logger) => {
  if (redisUrl === undefined || rateLimit === 0) return undefined
  const { makeRedisWindow } = await import('../rate/redis.ts') // 80 modules that only this needs
  return makeRedisWindow(redisUrl, rateLimit, logger)
}

type Servers = ReturnType<typeof makeServers>

const makeServers = () => {
  const servers = { public: makeHttpServer(0), internal: makeHttpServer() }
  const publicConnections = trackConnections(servers.public, connectionsMax(CONNECTION_SHARES.public))
  const internalConnections = trackConnections(servers.internal, connectionsMax(CONNECTION_SHARES.internal))
  return {
    ...servers,
    publicConnections,
    internalConnections,
    drain: async (graceMs: number) => {
      await publicConnections.drain(graceMs)
      await internalConnections.drain(0) // last: until then /ready reports that the service is stopping
    },
  }
}

type Api = Awaited<ReturnType<typeof makeApi>>

const attach = ({ public: server, publicConnections }: Servers, listener: Api['publicListener']): void => {
  const handle = publicConnections.track(listener.handle)
  limitPipelines(server)
  server.on('request', handle).on('checkExpectation', handle)
  server.on('clientError', listener.clientError).on('connect', listener.connect)
}

/** Warns of what makes links of responses lead nowhere, or to no license. (D6) */
const warnOfLinks = async (
  { licenseUrl, wikiAddresses }: Config,
  { wiki }: ResolverContext,
  logger: Logger,
): Promise<void> => {
  if ((cluster.worker?.id ?? 1) > 1) return // the first worker warns
  const { license, locales } = await wiki()
  if (licenseUrl === undefined && license === null)
    logger.warn(
      'The license of the wiki is not known, and responses say so. Set LICENSE_URL to the URL of its license.',
    )
  const missing = locales.map(({ locale }) => locale).filter((locale) => !(locale in wikiAddresses))
  if (missing.length > 0 && missing.length < locales.length)
    logger.warn(
      { locales: missing.slice(0, LOCALES_IN_LOG) },
      'WIKI_ADDRESSES has no URL for languages of the wiki: links to their pages lead to the reader.',
    )
}

const LOCALES_IN_LOG = 10
