import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Express, Request, Response } from 'express'
import type { Logger } from 'pino'
import { MethodNotAllowed, NotFound, Overloaded, type PublicError, RateLimited } from '../errors.ts'
import { WikiDocument } from '../generated/queries.ts'
import type { PrepareStoredQuery } from '../graphql.ts'
import { pipelineDepth } from '../http/pipelining.ts'
import { DOCS_SITE_REQUESTS_PER_MINUTE, LOG_LIMITS, PIPELINE_DEPTH_MAX, WIKI_INFO_TTL_MS } from '../limits.ts'
import { memoizeFor } from '../memoize.ts'
import { type Consume, makeFixedWindow } from '../rate/fixed-window.ts'
import { truncate } from '../wiki/text.ts'
import { type AdmissionCounts, makeAdmissionControl } from './admission.ts'
import { sendPreflight } from './cors.ts'
import { makeParserErrors, type ParserErrors, type RefusedConnection } from './parser-errors.ts'
import {
  clientAddress,
  clientKey,
  makeRateLimit,
  type RateLimit,
  type RateLimitResult,
} from './rate-limit.ts'
import { makeRefusalLog, type RefusalLog } from './refusal-log.ts'
import { checkHost, originForm, targetHost } from './request.ts'
import { makeRequestContexts, type RequestContextOptions } from './request-context.ts'
import { makeRequestMetrics, type RouteCounts } from './request-metrics.ts'
import { type CacheCounts, type CacheEntry, makeResponseCache } from './response-cache.ts'
import { errorResponse, toPublicError } from './responses.ts'
import { makeRouter } from './router.ts'
import { routes } from './routes/index.ts'
import { EncodedResponse, type HeaderList, send } from './send.ts'
import type { Site } from './site.ts'

interface PublicListenerOptions extends Omit<RequestContextOptions, 'routes'> {
  prepare: PrepareStoredQuery
  site: Site
  /** How many proxies stand before this server. */
  trustedProxies: number
  /** Keeps the clients' windows. */
  consume: Consume
  /** How far away the database is, milliseconds; absent: not at all. */
  roundTripMs?: () => number
  logger: Logger
}

interface PublicListener extends ParserErrors {
  handle: RequestListener
  /** What it counts, in plain numbers. */
  metrics: {
    routes(): Iterable<RouteCounts>
    admission(): AdmissionCounts[]
    responseCache(): CacheCounts
  }
  /** What its server's classes should have the prototypes of. */
  app: Express
  /** The wiki changed: nothing that is kept of it counts any more. */
  invalidate(): void
  /** Logs what was not logged one by one. */
  close(): void
}

/** A request's id that a caller may give: short, and nothing that could break a log line. */
const REQUEST_ID = /^[\w.:-]{1,64}$/

/** What belongs to one request. */
interface Exchange {
  id: string
  /** Who asks, by the key of the rate limit; empty where there is none, since a proxy may stand for everybody. */
  clientKey: string
  /** Headers that only its answer has. */
  ownHeaders: HeaderList
  /** When it came, by the clock of `performance.now`. */
  startedAt: number
  /** Its place among the requests of its connection that wait for their turn; 0: it has it. */
  pipelineDepth: number
  /** Name of the route, or of what stands for one where none was looked for. */
  route: string
  /** Whether its client has come too often; a preflight is answered nevertheless. */
  isOverLimit: boolean
}

const PIPELINE_TOO_DEEP = new Overloaded(1, 'Too many requests wait on this connection.')

/** Where a response that goes through express carries its exchange. A WeakMap took a tenth of a cached answer. */
const EXCHANGE = Symbol('exchange')
type Carrier = ServerResponse & { [EXCHANGE]?: Exchange }

/** The public API as one request listener. */
export const makePublicListener = (options: PublicListenerOptions): PublicListener => {
  const { logger, settings, trustedProxies } = options
  const isLogged = logger.isLevelEnabled('info')
  const limitRate = makeRateLimit(settings.requestsPerMinute, options.consume)
  const siteLimit = settings.requestsPerMinute === 0 ? 0 : DOCS_SITE_REQUESTS_PER_MINUTE
  let limitSite: RateLimit | undefined
  const wikiQuery = options.prepare(WikiDocument)
  const wikiInfo = memoizeFor(WIKI_INFO_TTL_MS, async () => (await wikiQuery({})).wiki)
  // D52
  const limitOf = (url: string): RateLimit => {
    if (!options.site.owns(url)) return limitRate
    limitSite ??= makeRateLimit(siteLimit, makeFixedWindow(), 'site') // its windows take 2 MB, and 16 ms to make
    return limitSite
  }
  const contexts = makeRequestContexts({ ...options, routes })
  const cache = makeResponseCache(settings.cacheSeconds)
  const knowsClients = settings.requestsPerMinute > 0
  const admission = makeAdmissionControl(routes, knowsClients, options.roundTripMs)
  const refusalLog = makeRefusalLog(logger)
  const requestMetrics = makeRequestMetrics()
  /** Paths begin with a slash, which hosts do not hold. */
  const rawRequest = ({ headers, url }: IncomingMessage) => contexts.requestedHost(headers.host) + url!

  const sendEntry = (
    request: IncomingMessage,
    response: ServerResponse,
    { response: ready, createdAt, route }: CacheEntry,
    { ownHeaders, startedAt }: Exchange,
  ): void => {
    const age = Math.max(0, Math.floor((startedAt - createdAt) / 1000)) // it can be younger than the request
    const status = send(request, response, ready, ownHeaders, age)
    requestMetrics.counterOf(route)(status, performance.now() - startedAt)
  }
  const router = makeRouter({
    routes,
    site: options.site,
    prepare: options.prepare,
    contextOf: async (host) => contexts.contextFor(host, await wikiInfo.get()),
    cache,
    admission,
    routed: (response, route) => {
      const exchange = (response as Carrier)[EXCHANGE]!
      exchange.route = route
      return exchange.clientKey
    },
    rawRequest,
    send: (request, response, entry) => sendEntry(request, response, entry, (response as Carrier)[EXCHANGE]!),
  })

  const overloadResponses = new Map<PublicError, EncodedResponse>()
  const encodedError = (publicError: PublicError): EncodedResponse => {
    const known = overloadResponses.get(publicError)
    if (known) return known
    const ready = new EncodedResponse(errorResponse(publicError, settings.cacheSeconds))
    if (publicError instanceof Overloaded) overloadResponses.set(publicError, ready)
    return ready
  }
  const fail = (
    request: IncomingMessage,
    response: ServerResponse,
    { id, ownHeaders, startedAt, route }: Exchange,
    error: unknown,
  ): void => {
    const publicError = toPublicError(error)
    // What is refused in an overload is counted, and logged as a request: a stack for each would add to it.
    if (publicError.status >= 500 && !(error instanceof Overloaded)) {
      logger.error({ err: withCause(error), id }, publicError.message)
    }
    requestMetrics.counterOf(route)(publicError.status, performance.now() - startedAt)
    if (response.headersSent) response.destroy()
    else send(request, response, encodedError(publicError), ownHeaders)
  }

  const rateLimitResponses = new Map<number, EncodedResponse>()
  /** An answer for each number of seconds: making it and throwing an error took twice as long as a kept answer. */
  const rateLimitResponse = (wait: number): EncodedResponse => {
    const known = rateLimitResponses.get(wait)
    if (known) return known
    const made = new EncodedResponse(errorResponse(new RateLimited(wait), settings.cacheSeconds))
    rateLimitResponses.set(wait, made)
    return made
  }

  /** @throws PublicError */
  const answerOrThrow = (request: IncomingMessage, response: ServerResponse, exchange: Exchange): void => {
    checkHost(request.rawHeaders, request.httpVersion)
    if (request.method === 'OPTIONS') {
      sendPreflight(response, request.headers['access-control-request-headers'], exchange.ownHeaders)
      requestMetrics.counterOf('preflight')(204, performance.now() - exchange.startedAt)
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new MethodNotAllowed()
    useOriginForm(request)
    const entry = cache.find(rawRequest(request), exchange.startedAt)
    if (entry) {
      sendEntry(request, response, entry, exchange)
      return
    }
    if (exchange.pipelineDepth > PIPELINE_DEPTH_MAX) throw PIPELINE_TOO_DEEP
    // Before express routes it, which takes several times as long as refusing it.
    const limit = admission.limitFor(request.url!)
    if (limit.isSaturated(exchange.clientKey)) throw limit.recordShed()
    ;(response as Carrier)[EXCHANGE] = exchange
    router(request as Request, response as Response, (error: unknown) =>
      fail(request, response, exchange, error),
    )
  }

  /** Nothing in here waits, so that a kept answer is sent in the turn that its request came in. */
  const answer = (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    { headers, retryAfterSeconds }: RateLimitResult,
  ): void => {
    for (const text of headers) exchange.ownHeaders.push(text)
    exchange.isOverLimit = retryAfterSeconds !== undefined
    // A refused preflight would hide from a script that, and for how long, it is refused. (D55)
    if (retryAfterSeconds !== undefined && request.method !== 'OPTIONS') {
      requestMetrics.counterOf(exchange.route)(429, performance.now() - exchange.startedAt)
      send(request, response, rateLimitResponse(retryAfterSeconds), exchange.ownHeaders)
      return
    }
    try {
      answerOrThrow(request, response, exchange)
    } catch (error) {
      fail(request, response, exchange, error)
    }
  }

  const answerLater = (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    admission: Promise<RateLimitResult>,
  ): void => {
    admission.then(
      (admitted) => answer(request, response, exchange, admitted),
      (error: unknown) => fail(request, response, exchange, error),
    )
  }

  const handle: RequestListener = (request, response) => {
    // Node goes on with what came in the same packet as a request whose connection was cut.
    if (request.socket.destroyed) return
    const depth = response.socket === null ? pipelineDepth(request.socket, response) : 0
    if (request.socket.destroyed) return
    const id = requestId(request)
    const address = clientAddress(request, trustedProxies)
    const exchange = {
      id,
      clientKey: knowsClients ? clientKey(address) : '',
      ownHeaders: ['X-Request-Id', id],
      startedAt: performance.now(),
      pipelineDepth: depth,
      route: 'none',
      isOverLimit: false,
    }
    if (isLogged) logOnClose(logger, refusalLog, request, response, exchange, address)
    const admission = limitOf(request.url!)(address)
    if (admission instanceof Promise) answerLater(request, response, exchange, admission)
    else answer(request, response, exchange, admission)
  }
  const invalidate = () => {
    wikiInfo.invalidate()
    cache.clear()
  }
  const onParserError = ({ id, client, error: { status, message } }: RefusedConnection): void => {
    requestMetrics.counterOf('unreadable')(status, 0)
    if (isLogged && refusalLog.shouldLog(client ?? '', status))
      logger.info({ id, client, status, reason: message }, 'refused')
  }
  const metrics = {
    routes: requestMetrics.routes,
    admission: admission.counts,
    responseCache: cache.counts,
  }
  return {
    handle,
    ...makeParserErrors(onParserError),
    invalidate,
    close: refusalLog.summarize,
    metrics,
    app: router,
  }
}

/** @throws NotFound for what is no path, such as `*` */
const useOriginForm = (request: IncomingMessage): void => {
  const url = request.url!
  if (url.startsWith('/') && !url.includes('#')) return
  const target = originForm(url)
  if (target === null) throw new NotFound('There is nothing at this address.')
  request.headers.host = targetHost(url) ?? request.headers.host
  request.url = target
}

/** Answers that refuse whoever asks too often, or more than there is time for. */
const REFUSAL_STATUSES = new Set([429, 503])

const logOnClose = (
  logger: Logger,
  refusalLog: RefusalLog,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  client: string,
): void => {
  const { method, url } = request
  response.once('close', () => {
    const { id, startedAt, isOverLimit } = exchange
    const status = response.statusCode
    if ((isOverLimit || REFUSAL_STATUSES.has(status)) && !refusalLog.shouldLog(client, status)) return
    const ms = Math.round((performance.now() - startedAt) * 10) / 10
    const cut = response.writableFinished ? {} : { cut: true }
    logger.info(
      { id, client, method, url: truncate(url!, LOG_LIMITS.addressLength), status, ms, ...cut },
      'request',
    )
  })
}

const requestId = (request: IncomingMessage): string => {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/** An error that hides its reason from the client shows it to the log. */
const withCause = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error
