import express, { type Router as ExpressRouter, type Request, type Response } from 'express'
import { API_PATH } from '../api-path.ts'
import { MethodNotAllowed, NotFound } from '../errors.ts'
import { PageCountsDocument } from '../generated/queries.ts'
import type { PrepareStoredQuery } from '../graphql.ts'
import type { AdmissionControl } from './admission.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { notFoundResponse, openapiResponder, sitePageResponder } from './documentation-responders.ts'
import { makeOwnApis, type OwnApis } from './examples/own-api.ts'
import { attachExchange, type Exchange, exchangeOf } from './exchange.ts'
import { type AddContent, makeAddContent } from './list-content/list-content.ts'
import { patternOf, readTarget, routePattern } from './request.ts'
import type { RequestContexts } from './request-context.ts'
import type { RequestMetrics } from './request-metrics.ts'
import type { CacheEntry, ResponseCache } from './response-cache.ts'
import type { ResponseSender } from './response-sender.ts'
import { type ApiResponse, errorResponse } from './responses.ts'
import type { AnyRoute, RequestContext } from './route.ts'
import { makeRouteResponder, type Responder } from './route-responder.ts'
import { EncodedResponse } from './send.ts'
import type { Site } from './site.ts'

interface RouterOptions {
  routes: readonly AnyRoute[]
  site: Site
  prepare: PrepareStoredQuery
  contexts: RequestContexts
  cache: ResponseCache
  admission: AdmissionControl
  sender: ResponseSender
  metrics: Pick<RequestMetrics, 'countUnknownParameters'>
  /** Path of an endpoint that takes POST alone. The listener sends such requests there itself. */
  postPath?: string
}

/** What a read of an endpoint depends on. */
interface ReadTarget {
  /** Path and query, in origin form. */
  url: string
  /** Host header. */
  host: string | undefined
  /** Host and target as the client sent them. @see Exchange.rawRequest */
  rawRequest: string
  clientKey: string
  /** Whether the client prefers Markdown to JSON. */
  prefersMarkdown: boolean
}

type ReadEndpoint = (target: ReadTarget) => Promise<CacheEntry>

type Handler = (exchange: Exchange) => Promise<void>

export interface Router {
  /**
   * Runs the endpoint of a request.
   * @throws Overloaded when the request's class is saturated
   */
  dispatch(exchange: Exchange): void
  /**
   * Reads a route of the API within this process: from the response cache, or within the limits of its class.
   * @throws PublicError
   */
  read: ReadEndpoint
  /** The API as the documentation reads it. */
  ownApis: OwnApis
}

/** Handles the requests whose path matches. */
interface Endpoint {
  pattern: RegExp
  /** Sheds requests before Express handles them. */
  limit: ConcurrencyLimit
  /** Express's router of this one endpoint. */
  router: ExpressRouter
}

/**
 * For Express, the pattern of a path that has matched already: it names the span of a trace, and matching it again
 * costs nothing.
 */
class MatchedPattern extends RegExp {
  override exec(path: string): RegExpExecArray {
    return [path] as unknown as RegExpExecArray
  }
}

/**
 * Finds the endpoint of a request, and lets Express run it.
 *
 * A request is matched once, here, because an overloaded service has to know the class of a request before Express
 * runs: refusing a request in Express takes several times as long. Express's application object is not used, since
 * it sets the prototypes of each request and response. (D22)
 */
export const makeRouter = (options: RouterOptions): Router => {
  const { site, admission, sender } = options
  const pageLimit = admission.limitOf('page')
  const fallback: Endpoint = {
    pattern: /^/,
    limit: pageLimit,
    router: express.Router().use(toExpress(notFoundHandler(options))),
  }
  const endpointOf = (pattern: RegExp, limit: ConcurrencyLimit, handler: Handler): Endpoint => ({
    pattern,
    limit,
    router: express.Router().get(new MatchedPattern(pattern), toExpress(handler)),
  })
  const cached = (name: string, pattern: RegExp, limit: ConcurrencyLimit, respond: Responder) =>
    endpointOf(pattern, limit, responseHandler(name, entryReader(options, name, respond), sender))
  const addContent = makeAddContent(options.prepare)
  const readableRoutes = options.routes.map((route) => readableRoute(route, options, addContent))
  const read = makeReadEndpoint(readableRoutes, options.cache)
  const ownApis = ownApisOf(options, read)
  const endpoints: Endpoint[] = [
    ...readableRoutes.map(({ name, pattern, limit, read }) =>
      endpointOf(pattern, limit, responseHandler(name, read, sender)),
    ),
    cached(
      'openapi',
      patternOf(`${API_PATH}/openapi.json`),
      pageLimit,
      openapiResponder(options.routes, ownApis.of),
    ),
    ...Object.entries(site.pages).map(([name, path]) =>
      cached(
        name,
        patternOf(path === '/' ? path : `${path}/`),
        pageLimit,
        sitePageResponder(site, name, ownApis.of),
      ),
    ),
    endpointOf(
      patternOf(`${site.assetsPath}{asset}`, { groups: false }),
      pageLimit,
      assetHandler(site, sender),
    ),
    ...(options.postPath === undefined
      ? []
      : [endpointOf(patternOf(options.postPath), pageLimit, refusePostOnly)]),
  ]

  return {
    dispatch: (exchange) => {
      const { request, response } = exchange
      const { path } = readTarget(request.url!)
      const { limit, router } = endpoints.find(({ pattern }) => pattern.test(path)) ?? fallback
      if (limit.isSaturated(exchange.clientKey)) throw limit.recordShed()
      attachExchange(exchange)
      router(request as Request, response as Response, (error: unknown) => sender.sendError(exchange, error))
    },
    read,
    ownApis,
  }
}

const makeReadEndpoint =
  (readableRoutes: readonly ReturnType<typeof readableRoute>[], cache: ResponseCache): ReadEndpoint =>
  async (target) => {
    const { path } = readTarget(target.url)
    const route = readableRoutes.find(({ pattern }) => pattern.test(path))
    if (!route) throw new NotFound('This URL does not exist.')
    return cache.find(target.rawRequest, performance.now()) ?? route.read(target)
  }

const ownApisOf = ({ prepare, admission }: RouterOptions, read: ReadEndpoint) => {
  const pageCounts = prepare(PageCountsDocument)
  const countPages = () => admission.limitOf('page').run('', () => pageCounts({}))
  return makeOwnApis(async (url, host) => {
    const target = { url, host, rawRequest: host + url, clientKey: '', prefersMarkdown: false }
    return (await read(target)).response.response
  }, countPages)
}

const readableRoute = (route: AnyRoute, options: RouterOptions, addContent: AddContent) => {
  const respond = makeRouteResponder(route, options.prepare, addContent)
  return {
    name: route.name,
    // Without groups: the route's own reader decodes path parameters, and its errors name them.
    pattern: routePattern(route, { groups: false }),
    limit: options.admission.limitOf(route.requestClass),
    read: entryReader(options, route.name, respond, { isCached: !route.runsAlways }),
  }
}

const toExpress = (handler: Handler) => (request: Request) => handler(exchangeOf(request))

/** Returns the cached response of a request, or creates it within the limits of the classes of its work. */
const entryReader =
  (
    { contexts, cache, admission, metrics }: RouterOptions,
    route: string,
    respond: Responder,
    { isCached = true } = {},
  ): ReadEndpoint =>
  async ({ url, host, rawRequest, clientKey, prefersMarkdown }) => {
    const { generation } = cache
    const context = await contexts.contextOf(host)
    const { key, hasUnknownParameters, createResponse } = respond(url, context, prefersMarkdown)
    if (hasUnknownParameters) metrics.countUnknownParameters(route)
    const canonical = { key: `${context.base} ${context.locale} ${key}`, route, hasUnknownParameters }
    const create = () =>
      createResponse((requestClass, work) => admission.limitOf(requestClass).run(clientKey, work)).catch(
        (error: unknown) => toNotFoundResponse(error, context),
      )
    return isCached
      ? cache.getOrCreate(rawRequest, canonical, create, generation)
      : uncachedEntry(new EncodedResponse(await create()), route)
  }

const uncachedEntry = (response: EncodedResponse, route: string): CacheEntry => {
  const now = performance.now()
  return { response, createdAt: now, expiresAt: now, route }
}

const responseHandler =
  (route: string, read: ReadEndpoint, sender: ResponseSender): Handler =>
  async (exchange) => {
    exchange.route = route
    const { request, rawRequest, clientKey, prefersMarkdown } = exchange
    const target = { url: request.url!, host: request.headers.host, rawRequest, clientKey, prefersMarkdown }
    sender.sendEntry(exchange, await read(target))
  }

const refusePostOnly: Handler = async () => {
  throw new MethodNotAllowed('POST, OPTIONS', 'This URL takes POST requests.')
}

/** A 404 is cached like other responses. */
const toNotFoundResponse = (error: unknown, { settings }: RequestContext): ApiResponse => {
  if (error instanceof NotFound) return errorResponse(error, settings.cacheSeconds)
  throw error
}

const assetHandler =
  (site: Site, sender: ResponseSender): Handler =>
  async (exchange) => {
    exchange.route = 'asset'
    const response = await site.asset(readTarget(exchange.request.url!).path)
    if (!response) throw new NotFound('This file does not exist.')
    sender.sendEntry(exchange, uncachedEntry(response, 'asset'))
  }

const notFoundHandler =
  ({ contexts, site, sender }: RouterOptions): Handler =>
  async (exchange) => {
    const context = await contexts.contextOf(exchange.request.headers.host)
    const response = await notFoundResponse(exchange.request, context, site)
    sender.sendEntry(exchange, uncachedEntry(new EncodedResponse(response), exchange.route))
  }
