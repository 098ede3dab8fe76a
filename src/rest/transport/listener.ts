import type { IncomingMessage, ServerResponse } from 'node:http'
import { MethodNotAllowed, Overloaded } from '@lectern/wiki/errors'
import type { Logger } from 'pino'
import { WikiDocument } from '../../generated/queries.ts'
import type { PrepareStoredQuery } from '../../graphql.ts'
import { DOCS_SITE_REQUESTS_PER_MINUTE, PIPELINE_DEPTH_MAX } from '../../limits/service.ts'
import { type Consume, makeFixedWindow } from '../../rate/fixed-window.ts'
import { once } from '../../shared/memoize.ts'
import { makeAdmissionControl } from '../admission/admission.ts'
import { makeRateLimit, type RateLimitResult, rateLimited } from '../admission/rate-limit.ts'
import { isMediaPath, type MediaEndpointOptions, makeMediaEndpoint } from '../media/media-endpoint.ts'
import type { Site } from '../openapi/documentation-responders.ts'
import { makeRequestContexts, type RequestContextOptions } from '../request-context.ts'
import { makeRouter, type Router } from '../router.ts'
import { routes } from '../routes/index.ts'
import { ChangeStreams } from '../stream/change-streams.ts'
import { type Exchange, openExchange } from './exchange.ts'
import { makeParserErrors } from './parser-errors.ts'
import { makePostHandler, type PostEndpoint, type ReadApi } from './post-endpoint.ts'
import {
  checkHost,
  preferencesKey,
  prefersMarkdown,
  prefersStrict,
  readTarget,
  useOriginForm,
} from './request.ts'
import { makeRequestLog } from './request-log.ts'
import { makeRequestMetrics } from './request-metrics.ts'
import { makeResponseCache, type ResponseCache } from './response-cache.ts'
import { makeResponseSender, type ResponseSender } from './response-sender.ts'

interface PublicListenerOptions extends Omit<RequestContextOptions, 'routes' | 'readWiki'> {
  prepare: PrepareStoredQuery
  site: Site
  trustedProxies: number
  consume: Consume
  /** Round trip to the database, milliseconds. Default: 0. */
  roundTripMs?: () => number
  /** An endpoint beside the API that takes POST. */
  postEndpoint?: PostEndpoint
  /** How files are served. `requestsPerMinute`: 0 means no limit. */
  media: Pick<MediaEndpointOptions, 'files' | 'cacheSeconds'> & { requestsPerMinute: number }
  logger: Logger
}

const NO_MCP = 'This server does not serve MCP. Its operator can turn it on: MCP=true.'
const PIPELINE_TOO_DEEP = new Overloaded(1, 'Too many requests are waiting on this connection.')

/**
 * The public API as one request listener. A request goes through these stages:
 * 1. admit: rate limit, Host header, method
 * 2. parse: the target in origin form
 * 3. cache: the finished response of the same request
 * 4. dispatch: the router finds the endpoint, and Express runs it; files and streams have endpoints of their own
 * The sender sends the response of each stage. No stage before `dispatch` waits, so that a cached response is sent in
 * the turn of the event loop in which its request arrived.
 */
export const makePublicListener = (options: PublicListenerOptions) => {
  const { logger, settings, site, prepare, trustedProxies, postEndpoint: endpoint } = options
  const knowsClients = settings.requestsPerMinute > 0
  const wiki = prepare(WikiDocument)
  const contexts = makeRequestContexts({ ...options, routes, readWiki: async () => (await wiki({})).wiki })
  const metrics = makeRequestMetrics()
  const cache = makeResponseCache(settings.cacheSeconds, undefined, metrics.countUnknownParameters)
  const admission = makeAdmissionControl(knowsClients, options.roundTripMs)
  const requestLog = makeRequestLog(logger, knowsClients ? trustedProxies : undefined, contexts.isForeign)
  const sender = makeResponseSender(metrics, settings.cacheSeconds, logger)
  const parts = { site, prepare, contexts, cache, admission, sender, metrics, postPath: endpoint?.path }
  const router = makeRouter({ routes, ...parts })
  const media = makeMediaEndpoint({ ...options.media, settings, admission, sender })
  const streams = new ChangeStreams({ read: router.readChangeEvents, sender })
  const counts = { admission: admission.counts, responseCache: cache.counts, streams: () => streams.open }
  const limitRate = makeRateLimits(options)
  const read: ReadApi = (url, client) => router.readRoute(url, client).catch(sender.responseOf)
  const limit = admission.limitOf('agent')
  const postHandler = endpoint && makePostHandler({ endpoint, read, limitRate, limit, sender })

  const respond = (exchange: Exchange, rate: RateLimitResult): void => {
    try {
      if (!admit(exchange, rate, sender, postHandler)) return
      parse(exchange, contexts.requestedHost)
      dispatch(exchange, { streams, cache, sender, media, router })
    } catch (error) {
      sender.sendError(exchange, error)
    }
  }
  return {
    handle: (request: IncomingMessage, response: ServerResponse): void => {
      const exchange = openExchange(request, response, { trustedProxies, knowsClients })
      if (exchange === undefined) return
      requestLog.logOnClose(exchange)
      const rate = limitRate(request.url!, exchange.clientKey)
      if (rate instanceof Promise)
        rate
          .then((result) => respond(exchange, result))
          .catch((error: unknown) => sender.sendError(exchange, error))
      else respond(exchange, rate)
    },
    read,
    ...makeParserErrors((refused) => {
      metrics.countResponse('unreadable', refused.error.status, 0)
      requestLog.logParserRefusal(refused)
    }),
    /** Counts of requests, responses and open streams of changes, as plain numbers. */
    metrics: { routes: metrics.routes, ...counts },
    /** The wiki changed: drops everything that is cached about it. */
    invalidate: (): void => {
      contexts.invalidate()
      cache.clear()
      media.clear()
      streams.wake()
    },
    endStreams: () => streams.close(),
    /** Logs a summary of what has no log line of its own. */
    close: requestLog.close,
  }
}

/** The rate limits: one for the API, one for the documentation site, and one for files. (D52) */
const makeRateLimits = ({ settings, media, consume, site }: PublicListenerOptions) => {
  const limitApi = makeRateLimit(settings.requestsPerMinute, consume)
  const isOn = settings.requestsPerMinute > 0
  // Two of them are created late: each takes 2 MB and 16 ms.
  const limitMedia = once(() => makeRateLimit(isOn ? media.requestsPerMinute : 0, makeFixedWindow(), 'media'))
  const sitePerMinute = isOn ? DOCS_SITE_REQUESTS_PER_MINUTE : 0
  const limitSite = once(() => makeRateLimit(sitePerMinute, makeFixedWindow(), 'site'))
  return (url: string, client: string) => {
    if (isMediaPath(url)) return limitMedia()(client)
    return site.owns(url) ? limitSite()(client) : limitApi(client)
  }
}

/** @returns false when another code responds: a preflight, or the post endpoint @throws PublicError */
const admit = (
  exchange: Exchange,
  { headers, retryAfterSeconds }: RateLimitResult,
  sender: ResponseSender,
  postHandler?: ReturnType<typeof makePostHandler>,
): boolean => {
  const { request, ownHeaders } = exchange
  for (const text of headers) ownHeaders.push(text)
  exchange.isOverLimit = retryAfterSeconds !== undefined
  const isPreflight = request.method === 'OPTIONS'
  // A refused preflight would hide from a script that it is over the limit, and for how long.
  if (retryAfterSeconds !== undefined && !isPreflight) throw rateLimited(retryAfterSeconds)
  checkHost(request.rawHeaders, request.httpVersion)
  if (request.method === 'GET' || request.method === 'HEAD') return true
  if (postHandler?.owns(request.url!)) {
    if (exchange.pipelineDepth > PIPELINE_DEPTH_MAX) throw PIPELINE_TOO_DEEP
    postHandler.handle(exchange)
    return false
  }
  const isMcp = readTarget(request.url!).path === '/mcp'
  if (!isPreflight) throw new MethodNotAllowed(undefined, isMcp ? NO_MCP : undefined)
  sender.sendPreflight(exchange)
  return false
}

/** @throws PublicError when the target is not a path */
const parse = (exchange: Exchange, requestedHost: (host: string | undefined) => string): void => {
  const { request } = exchange
  useOriginForm(request)
  exchange.prefersMarkdown = prefersMarkdown(request)
  exchange.isStrict = prefersStrict(request)
  // A path begins with a slash, and no host contains one. No target contains a space.
  exchange.rawRequest = requestedHost(request.headers.host) + request.url! + preferencesKey(exchange)
}

interface Endpoints {
  streams: ChangeStreams
  cache: ResponseCache
  sender: ResponseSender
  media: ReturnType<typeof makeMediaEndpoint>
  router: Router
}

/** Sends the cached response, or lets an endpoint respond. @throws PublicError */
const dispatch = (exchange: Exchange, { streams, cache, sender, media, router }: Endpoints): void => {
  const isStream = streams.owns(exchange.request)
  const entry = isStream ? undefined : cache.find(exchange.rawRequest, exchange.ownHeaders)
  if (entry) sender.sendEntry(exchange, entry)
  else if (isStream) streams.handle(exchange)
  else if (isMediaPath(exchange.request.url!)) media.handle(exchange)
  else if (exchange.pipelineDepth > PIPELINE_DEPTH_MAX) throw PIPELINE_TOO_DEEP
  else router.dispatch(exchange)
}
