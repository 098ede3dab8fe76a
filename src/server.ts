import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { makeApi } from './api.ts'
import { API_PATH } from './api-path.ts'
import type { Config } from './config.ts'
import type { ServingDatabase } from './db/database.ts'
import { followingOf } from './db/followed-sources.ts'
import { makeReadiness } from './db/readiness.ts'
import { graphqlSchema } from './graphql.ts'
import { trackConnections } from './http/connections.ts'
import { pipelineDisconnects } from './http/pipelining.ts'
import { listen, makeHttpServer, portOf, urlHost } from './http/server.ts'
import { unreadResponses } from './http/unread-responses.ts'
import { lazyMetrics, metricsText } from './internal/lazy-metrics.ts'
import { makeInternalListener } from './internal/listener.ts'
import type { Metric } from './internal/metric.ts'
import { logMetrics } from './internal/metrics.ts'
import { readStoredDocuments } from './internal/stored-documents.ts'
import { CONNECTION_SHARES } from './limits.ts'
import { type Consume, makeFixedWindow } from './rate/fixed-window.ts'
import type { RenderCounts } from './render/renderer.ts'
import type { ResolverContext } from './resolvers/context.ts'
import { connectionsMax } from './resources.ts'
import type { makePublicListener } from './rest/listener.ts'

export interface Service {
  /** URL of the public API for its users. */
  url: string
  /** URL of the public listener on this machine. */
  listeningUrl: string
  /** URL of the internal listener. */
  internalUrl: string
  /** The metrics of this process, as data that another process can aggregate. */
  metrics(): Promise<object[]>
  /** Drops what is cached of the wiki, for example after an import. */
  invalidate(): void
  /** The page with the newest revision; undefined when the wiki is empty. */
  newestPage(): Promise<{ locale: string; path: string; title: string } | undefined>
  /** What the renderer of HTML has done, and does now. */
  readonly renderCounts: Readonly<RenderCounts>
  /**
   * Stops accepting connections, finishes running requests, and closes both listeners, but not the database.
   * @param graceMs how long idle connections may still send a request, milliseconds; default 0
   */
  close(graceMs?: number): Promise<void>
}

/** The parts of a process that depend on the other processes of the service. */
export interface ProcessOptions {
  /** Counts of the log. Absent if there are none. */
  log?: LogMetrics
  /** Counts the requests of clients in all processes. */
  consume?: Consume
  /** How many workers are configured, and how many serve. */
  fleet?: () => { configured: number; serving: number }
  /** Asks the followers to check their sources now. Absent: through the database. */
  follow?: () => Promise<void>
  /** The metrics of each process. @param own returns those of this process, also for other processes */
  metrics?: (own: () => Promise<object[]>) => () => Promise<object[][]>
}

interface LogMetrics {
  /** Lines that could not be written. */
  dropped(): number
}

/** The metrics of the primary of the workers. It serves no requests, so it has only those of the log. */
export const primaryMetrics = (log: LogMetrics): object[] =>
  logMetrics(log).map((family: Metric) => ({
    ...family,
    values: family.values().map((value) => ({ labels: {}, ...value })),
  }))

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
): Promise<Service> => {
  const { servers, ...api } = await openPublic(config, database, logger, siblings.consume)
  const following = followingOf(database, siblings.follow)
  const metrics = lazyMetrics({
    ...api.publicListener.metrics,
    connections: () => servers.publicConnections,
    unreadResponses: unreadResponseCounts,
    servers: database.servers,
    sources: following.sources,
    rendering: () => api.renderer.counts,
    log: siblings.log,
  })
  const readiness = makeReadiness(database)
  servers.internal.on(
    'request',
    makeInternalListener({
      schema: api.schema,
      documents: api.documents,
      context: () => api.context,
      ready: readiness.check,
      fleet: siblings.fleet,
      following: { ...following, secret: config.followSecret },
      metrics: metricsText(metrics, siblings.metrics),
      hosts: [config.internalHost.toLowerCase()],
      logger,
    }),
  )
  await listen(servers.internal, config.internalPort, config.internalHost, 'INTERNAL_PORT')
    .then(() => warnWithoutLicense(config, api.context, logger))
    .catch(closeAndThrow(api.close))
  const invalidate = () => {
    api.publicListener.invalidate()
    api.context.forget()
  }
  const stopListening = database.onChange(invalidate)
  return {
    url: config.baseUrl ?? api.origin + API_PATH,
    listeningUrl: api.origin,
    internalUrl: `http://${urlHost(config.internalHost)}:${portOf(servers.internal)}`,
    invalidate,
    newestPage: async () => (await api.context.loaders.recent.load({ first: 1 })).items[0]?.page,
    metrics: async () => (await metrics()).json(),
    get renderCounts() {
      return api.renderer.counts
    },
    close: async (graceMs = 0) => {
      readiness.end()
      stopListening()
      await api.close(graceMs)
      api.publicListener.close()
      await api.renderer.close()
      await api.differ.close()
    },
  }
}

/** Opens the public listener, and creates what both listeners need. */
const openPublic = async (config: Config, database: ServingDatabase, logger: Logger, consume?: Consume) => {
  const documents = await readStoredDocuments(config.graphqlDocuments, graphqlSchema)
  const redisWindow = await openRedisWindow(config, logger)
  const servers = makeServers()
  const close = async (graceMs: number): Promise<void> => {
    await servers.drain(graceMs)
    redisWindow?.close()
  }
  await listen(servers.public, config.port, config.host, 'PORT').catch(closeAndThrow(close))
  const origin = originOf(config, servers.public)
  const api = makeApi({
    config,
    database,
    origin,
    consume: redisWindow?.consume ?? consume ?? makeFixedWindow(),
    logger,
  })
  attach(servers.public, api.publicListener)
  return { servers, origin, close, documents, ...api }
}

const closeAndThrow = (close: (graceMs: number) => Promise<void>) => async (error: unknown) => {
  await close(0)
  throw error
}

const openRedisWindow = async ({ redisUrl, rateLimit }: Config, logger: Logger) => {
  if (redisUrl === undefined || rateLimit === 0) return undefined
  const { makeRedisWindow } = await import('./rate/redis-window.ts') // 80 modules that only this needs
  return makeRedisWindow(redisUrl, rateLimit, logger)
}

/** The two HTTP servers and their connections. */
const makeServers = () => {
  const servers = { public: makeHttpServer(), internal: makeHttpServer() }
  const publicConnections = trackConnections(servers.public, connectionsMax(CONNECTION_SHARES.public))
  const internalConnections = trackConnections(servers.internal, connectionsMax(CONNECTION_SHARES.internal))
  return {
    ...servers,
    publicConnections,
    drain: async (graceMs: number) => {
      await publicConnections.drain(graceMs)
      await internalConnections.drain(0) // last: until then /ready reports that the service is stopping
    },
  }
}

/** URL of the public listener on this machine. */
const originOf = ({ host }: Config, server: Server): string => {
  const isAnyAddress = host === undefined || host === '0.0.0.0' || host === '::'
  return `http://${isAnyAddress ? 'localhost' : urlHost(host)}:${portOf(server)}`
}

const unreadResponseCounts = () => ({
  bytes: unreadResponses.bytes,
  disconnects: { requests: pipelineDisconnects(), bytes: unreadResponses.disconnects },
})

const attach = (server: Server, listener: ReturnType<typeof makePublicListener>): void => {
  server.on('request', listener.handle)
  server.on('checkExpectation', listener.handle)
  server.on('clientError', listener.clientError)
  server.on('connect', listener.connect)
}

/** Responses then link to the wiki instead, which must state its license there. (D15) */
const warnWithoutLicense = async (
  { licenseUrl }: Config,
  { wiki }: ResolverContext,
  logger: Logger,
): Promise<void> => {
  if (licenseUrl === undefined && (await wiki()).license === null) {
    logger.warn(
      "The license of the wiki is not known. Responses name the wiki's URL instead. Set LICENSE_URL.",
    )
  }
}
