import { once } from 'node:events'
import { createServer, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { ServingDatabase } from './data/database.ts'
import { UsageError } from './errors.ts'
import { makeContext, makeSchema, makeStoredQueries } from './graphql.ts'
import { makeInternalListener } from './internal/listener.ts'
import { HEADER_BYTES } from './limits.ts'
import { windowsInRedis } from './rate/redis.ts'
import { type CountRequest, windowsInMemory } from './rate/windows.ts'
import { makeRenderer, type RenderCounts } from './render/renderer.ts'
import type { Context } from './resolvers/context.ts'
import { API_PATH } from './rest/base.ts'
import { expressClasses } from './rest/express-classes.ts'
import { makePublicListener } from './rest/listener.ts'
import { answerConnect, answerParserError } from './rest/parser-errors.ts'
import { makeAddresses } from './wiki/links.ts'

export interface Service {
  /** Address of the public API, as its users call it. */
  url: string
  /** Address of the public listener on this machine. */
  listeningUrl: string
  /** Address of the internal listener. */
  internalUrl: string
  /** Forgets what is kept of the wiki, as when an import says that it changed. */
  forget(): void
  /** What turning Markdown into HTML did, and does now. */
  readonly rendering: Readonly<RenderCounts>
  /** Stops accepting, lets running requests finish, closes both listeners; not the database. */
  close(): Promise<void>
}

/** What a process that serves beside others knows of them. */
export interface Fleet {
  /** Counts a client's request among those of all. */
  count?: CountRequest
  /** How many there should be, and how many serve. */
  fleet?: () => { configured: number; serving: number }
}

/** A client must have sent its headers, and its whole request, within so many milliseconds. */
const HEADERS_TIMEOUT = 10_000
const REQUEST_TIMEOUT = 15_000
/** How often the two are looked at; Node's own half minute would let them pass three times over. */
const TIMEOUT_CHECK = 1_000
/** Longest wait for running requests when closing, milliseconds. */
const DRAIN_TIMEOUT = 8_000

/**
 * Listens: the public API and the internal GraphQL and health.
 * @param fleet the workers that this process is one of
 * @throws UsageError when an address cannot be had, naming the variable to change
 */
export const serve = async (
  config: Config,
  database: ServingDatabase,
  logger: Logger,
  fleet: Fleet = {},
): Promise<Service> => {
  const shared =
    config.redisUrl !== undefined && config.rateLimit > 0
      ? await windowsInRedis(config.redisUrl, config.rateLimit, logger)
      : undefined
  const classes = expressClasses()
  const server = httpServer(classes.options)
  const internal = httpServer()
  const close = async (): Promise<void> => {
    await Promise.all([drain(server), drain(internal)])
    shared?.close()
  }
  await listen(server, config.port, config.host, 'PORT').catch(async (error: unknown) => {
    await close()
    throw error
  })
  const origin = `http://${config.host === undefined || config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : urlHost(config.host)}:${portOf(server)}`
  const addresses = makeAddresses({ byLocale: config.wikiAddresses, fallback: `${origin}/wiki` })
  const schema = makeSchema()
  const renderer = makeRenderer()
  const context = makeContext(database, addresses, renderer.render)
  const publicListener = makePublicListener({
    prepare: makeStoredQueries(schema, context),
    baseUrl: config.baseUrl,
    fallbackBase: origin + API_PATH,
    wikiAddresses: config.wikiAddresses,
    licenseUrl: config.licenseUrl,
    trustedProxies: config.trustedProxies,
    settings: { requestsPerMinute: config.rateLimit, cacheSeconds: config.cacheSeconds },
    countRequest: shared?.count ?? fleet.count ?? windowsInMemory(),
    logger,
  })
  classes.adopt(publicListener.app)
  server.on('request', publicListener.handle)
  server.on('checkExpectation', publicListener.handle)
  server.on('clientError', answerParserError)
  server.on('connect', answerConnect)
  internal.on(
    'request',
    makeInternalListener({
      schema,
      context: () => context,
      ready: database.ready,
      fleet: fleet.fleet,
      logger,
    }),
  )
  try {
    await listen(internal, config.internalPort, config.internalHost, 'INTERNAL_PORT')
    await warnWithoutLicense(config, context, logger)
  } catch (error) {
    await close()
    throw error
  }
  const forget = () => {
    publicListener.forget()
    context.forget()
  }
  const stopListening = database.onChange(forget)
  return {
    url: config.baseUrl ?? origin + API_PATH,
    listeningUrl: origin,
    internalUrl: `http://${urlHost(config.internalHost)}:${portOf(internal)}`,
    forget,
    get rendering() {
      return renderer.counts
    },
    close: async () => {
      stopListening()
      await close()
      await renderer.close()
    },
  }
}

// D15
const warnWithoutLicense = async (
  { licenseUrl }: Config,
  { wiki }: Context,
  logger: Logger,
): Promise<void> => {
  if (licenseUrl === undefined && (await wiki()).license === null) {
    logger.warn("No license is known: answers name the wiki's address instead. Set LICENSE_URL.")
  }
}

const httpServer = (classes: ServerOptions = {}): Server =>
  createServer({
    ...classes,
    // Answered by us, in our form: see checkHost.
    requireHostHeader: false,
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    connectionsCheckingInterval: TIMEOUT_CHECK,
  })

const listen = async (
  server: Server,
  port: number,
  host: string | undefined,
  variable: string,
): Promise<void> => {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? `port ${port} is taken; set ${variable} to another` : message
    throw new UsageError(`Cannot listen: ${reason}.`)
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

const drain = async (server: Server): Promise<void> => {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT)
  await closed
  clearTimeout(timer)
}
