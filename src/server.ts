import type { Logger } from 'pino'
import { API_PATH } from './api-path.ts'
import type { Config } from './config.ts'
import type { ServingDatabase } from './db/database.ts'
import { docsSite } from './docs-site/docs-site.ts'
import { Unavailable } from './errors.ts'
import { makeContext, makeSchema, makeStoredQueries } from './graphql.ts'
import { trackConnections } from './http/connections.ts'
import { pipelineDisconnects } from './http/pipelining.ts'
import { listen, makeHttpServer, portOf, urlHost } from './http/server.ts'
import { unreadResponses } from './http/unread-responses.ts'
import { makeInternalListener } from './internal/listener.ts'
import type { Metric } from './internal/metric.ts'
import { logMetrics } from './internal/metrics.ts'
import { CONNECTION_SHARES } from './limits.ts'
import { memoize } from './memoize.ts'
import { type Consume, makeFixedWindow } from './rate/fixed-window.ts'
import { makeRedisWindow } from './rate/redis-window.ts'
import { makeRenderer, type RenderCounts } from './render/renderer.ts'
import type { ResolverContext } from './resolvers/context.ts'
import { connectionsMax } from './resources.ts'
import { makePublicListener } from './rest/listener.ts'
import { makeWikiAddresses } from './wiki/links.ts'

export interface Service {
  /** Address of the public API, as its users call it. */
  url: string
  /** Address of the public listener on this machine. */
  listeningUrl: string
  /** Address of the internal listener. */
  internalUrl: string
  /** What /metrics shows, as data that another process can add to its own. */
  metrics(): Promise<object[]>
  /** Forgets what is kept of the wiki, as when an import says that it changed. */
  invalidate(): void
  /** What turning Markdown into HTML did, and does now. */
  readonly renderCounts: Readonly<RenderCounts>
  /**
   * Stops accepting, lets running requests finish, closes both listeners; not the database.
   * @param graceMs how long idle connections may still bring a request, milliseconds; 0 unless given
   */
  close(graceMs?: number): Promise<void>
}

/** What a process that serves beside others knows of them, and what its own log can tell. */
export interface ProcessOptions {
  /** Absent: nothing is known of the log. */
  log?: LogMetrics
  /** Counts a client's request among those of all. */
  consume?: Consume
  /** How many there should be, and how many serve. */
  fleet?: () => { configured: number; serving: number }
  /** Metrics of each. @param own how this process gives its own when another asks */
  metrics?: (own: () => Promise<object[]>) => () => Promise<object[][]>
}

interface LogMetrics {
  /** Lines that could not be written. */
  dropped(): number
}

/** What the workers' primary, which answers nothing, adds to their metrics. */
export const primaryMetrics = (log: LogMetrics): object[] =>
  logMetrics(log).map((family: Metric) => ({
    ...family,
    values: family.values().map((one) => ({ labels: {}, ...one })),
  }))

/** When the event loop's lag begins to be measured, milliseconds: prom-client takes 50 ms to load. */
const METRICS_AFTER_MS = 1_000

/**
 * Listens: the public API and the internal GraphQL and health.
 * @param fleet the workers that this process is one of
 * @throws UsageError when an address cannot be had, naming the variable to change
 */
export const serve = async (
  config: Config,
  database: ServingDatabase,
  logger: Logger,
  fleet: ProcessOptions = {},
): Promise<Service> => {
  const shared =
    config.redisUrl !== undefined && config.rateLimit > 0
      ? await makeRedisWindow(config.redisUrl, config.rateLimit, logger)
      : undefined
  const server = makeHttpServer()
  const internal = makeHttpServer()
  const connections = trackConnections(server, connectionsMax(CONNECTION_SHARES.public))
  const internalConnections = trackConnections(internal, connectionsMax(CONNECTION_SHARES.internal))
  const close = async (graceMs: number): Promise<void> => {
    await connections.drain(graceMs)
    await internalConnections.drain(0) // last, so that it says meanwhile that the service is not ready
    shared?.close()
  }
  await listen(server, config.port, config.host, 'PORT').catch(async (error: unknown) => {
    await close(0)
    throw error
  })
  const origin = `http://${config.host === undefined || config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : urlHost(config.host)}:${portOf(server)}`
  const addresses = makeWikiAddresses({ byLocale: config.wikiAddresses, fallback: `${origin}/wiki` })
  const schema = makeSchema()
  const renderer = makeRenderer()
  const context = makeContext(database, addresses, renderer.render)
  const publicListener = makePublicListener({
    prepare: makeStoredQueries(schema, context),
    site: docsSite,
    baseUrl: config.baseUrl,
    fallbackBase: origin + API_PATH,
    wikiAddresses: config.wikiAddresses,
    licenseUrl: config.licenseUrl,
    trustedProxies: config.trustedProxies,
    settings: { requestsPerMinute: config.rateLimit, cacheSeconds: config.cacheSeconds },
    roundTripMs: database.roundTripMs,
    consume: shared?.consume ?? fleet.consume ?? makeFixedWindow(),
    logger,
  })
  server.on('request', publicListener.handle)
  server.on('checkExpectation', publicListener.handle)
  server.on('clientError', publicListener.clientError)
  server.on('connect', publicListener.connect)
  const metrics = memoize(async () =>
    (await import('./internal/metrics-registry.ts')).makeMetricsRegistry({
      ...publicListener.metrics,
      connections: () => connections,
      unreadResponses: () => ({
        bytes: unreadResponses.bytes,
        disconnects: { requests: pipelineDisconnects(), bytes: unreadResponses.disconnects },
      }),
      servers: database.servers,
      rendering: () => renderer.counts,
      log: fleet.log,
    }),
  )
  const metricsOfAll = fleet.metrics?.(async () => (await metrics()).json())
  const metricsText = async () => {
    if (!metricsOfAll) return (await metrics()).text()
    const [{ exposeAll }, all] = await Promise.all([import('./internal/metrics-registry.ts'), metricsOfAll()])
    return exposeAll(all)
  }
  setTimeout(() => metrics().catch(() => {}), METRICS_AFTER_MS).unref()
  let stopping = false
  const ready = async () => {
    if (stopping) throw new Unavailable('The service is stopping.')
    await database.ready()
  }
  internal.on(
    'request',
    makeInternalListener({
      schema,
      context: () => context,
      ready,
      fleet: fleet.fleet,
      metrics: metricsText,
      hosts: [config.internalHost.toLowerCase()],
      logger,
    }),
  )
  try {
    await listen(internal, config.internalPort, config.internalHost, 'INTERNAL_PORT')
    await warnWithoutLicense(config, context, logger)
  } catch (error) {
    await close(0)
    throw error
  }
  const invalidate = () => {
    publicListener.invalidate()
    context.forget()
  }
  const stopListening = database.onChange(invalidate)
  return {
    url: config.baseUrl ?? origin + API_PATH,
    listeningUrl: origin,
    internalUrl: `http://${urlHost(config.internalHost)}:${portOf(internal)}`,
    invalidate,
    metrics: async () => (await metrics()).json(),
    get renderCounts() {
      return renderer.counts
    },
    close: async (graceMs = 0) => {
      stopping = true
      stopListening()
      await close(graceMs)
      publicListener.close()
      await renderer.close()
    },
  }
}

// D15
const warnWithoutLicense = async (
  { licenseUrl }: Config,
  { wiki }: ResolverContext,
  logger: Logger,
): Promise<void> => {
  if (licenseUrl === undefined && (await wiki()).license === null) {
    logger.warn("No license is known: answers name the wiki's address instead. Set LICENSE_URL.")
  }
}
