import { BadParameter, MethodNotAllowed, NotFound, PublicError } from '@lectern/wiki/errors'
import type { Request, RequestHandler, Response } from 'express'
import express from 'express'
import type { PrepareStoredQuery } from '../graphql.ts'
import { LIST_CONTENT_LIMITS } from '../limits/responses.ts'
import { STREAM_LIMITS } from '../limits/service.ts'
import { API_PATH } from '../paths.ts'
import type { AdmissionControl, ConcurrencyLimit } from './admission/admission.ts'
import { type AddContent, makeAddContent } from './list-content.ts'
import {
  notFoundResponse,
  openapiResponder,
  type Site,
  sitePageResponder,
} from './openapi/documentation-responders.ts'
import { makeOwnApis } from './openapi/own-api.ts'
import type { RequestContexts } from './request-context.ts'
import type { AnyRoute, RequestClass, RequestContext } from './route.ts'
import { type ApiClient, makeRouteResponder, type Responder } from './route-responder.ts'
import { changeEventsRoute } from './routes/changes.ts'
import { attachExchange, type Exchange, exchangeOf } from './transport/exchange.ts'
import type { ReadApi } from './transport/post-endpoint.ts'
import { patternOf, preferencesKey, readTarget, routePattern } from './transport/request.ts'
import type { RequestMetrics } from './transport/request-metrics.ts'
import { type CacheEntry, type ResponseCache, uncachedEntry } from './transport/response-cache.ts'
import type { ResponseSender } from './transport/response-sender.ts'
import {
  type ApiResponse,
  errorResponse,
  type HeaderList,
  IGNORED_HEADER,
  STRICT_HEADERS,
} from './transport/responses.ts'
import { EncodedResponse } from './transport/send.ts'

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
interface ReadTarget extends ApiClient {
  /** Path and query, in origin form. */
  url: string
  host: string | undefined
  /** Host and target as the client sent them. @see Exchange.rawRequest */
  rawRequest: string
  ownHeaders?: HeaderList
}

export type ReadEndpoint = (target: ReadTarget) => Promise<CacheEntry>

type Handler = (exchange: Exchange) => Promise<void>

export type Router = ReturnType<typeof makeRouter>

/**
 * One router of Express: a route for each endpoint, and the page for everything else. Each route begins with admission
 * control, which sheds a request before anything else runs for it. Express's application object is not used, since it
 * sets the prototypes of each request and response. (D22)
 */
export const makeRouter = (options: RouterOptions) => {
  const { site, admission, sender } = options
  const router = express.Router()
  const add = (pattern: RegExp, requestClass: RequestClass, handler: Handler) =>
    router.get(pattern, admitTo(admission.limitOf(requestClass)), toExpress(handler))
  const addCached = (name: string, path: string, respond: Responder) => {
    const handler = responseHandler(name, entryReader(options, name, respond), sender)
    add(patternOf(path, { groups: false }), 'page', handler)
  }
  const addContent = makeAddContent(options.prepare)
  const addToStream = makeAddContent(options.prepare, undefined, STREAM_PART)
  const readableRoutes = options.routes.map((route) => readableRoute(route, options, addContent))
  const readRoute = makeReadRoute(readableRoutes, options)
  const admit = <Result>(work: () => Promise<Result>) => admission.limitOf('list').run('', work)
  const ownApiOf = makeOwnApis({ prepare: options.prepare, readRoute, admit })

  for (const { name, pattern, requestClass, read } of readableRoutes)
    add(pattern, requestClass, responseHandler(name, read, sender))
  addCached('openapi', `${API_PATH}/openapi.json`, openapiResponder(options.routes, ownApiOf))
  for (const [name, path] of Object.entries(site.pages))
    addCached(name, path === '/' ? path : `${path}/`, sitePageResponder(site, name, ownApiOf))
  add(patternOf(`${site.assetsPath}{asset}`, { groups: false }), 'page', assetHandler(site, sender))
  if (options.postPath !== undefined) add(patternOf(options.postPath), 'page', refusePostOnly)
  router.use(admitTo(admission.limitOf('page')), toExpress(notFoundHandler(options)))

  return {
    /** Runs the endpoint of a request, and sends the response, also that of an error. */
    dispatch: (exchange: Exchange): void => {
      attachExchange(exchange)
      router(exchange.request as Request, exchange.response as Response, (error: unknown) =>
        sender.sendError(exchange, error),
      )
    },
    readRoute,
    /** Reads the list of changes as streams need it. @throws PublicError */
    readChangeEvents: readableRoute(changeEventsRoute, options, addToStream).read,
  }
}

/** A part of a stream is in memory until its client has read it. */
const STREAM_PART = { ...LIST_CONTENT_LIMITS, bytes: STREAM_LIMITS.partBytes }

/** Sheds the requests of a client whose limit is saturated. */
const admitTo =
  (limit: ConcurrencyLimit): RequestHandler =>
  (request, _, next) => {
    if (limit.isSaturated(exchangeOf(request).clientKey)) throw limit.recordShed()
    next()
  }

/** Reads a route within this process: from the cache, or within the limits of its class. @throws PublicError */
const makeReadRoute =
  (readableRoutes: readonly ReturnType<typeof readableRoute>[], { cache, contexts }: RouterOptions) =>
  async (url: string, client: Parameters<ReadApi>[1]): Promise<ApiResponse> => {
    const { path } = readTarget(url)
    const route = readableRoutes.find(({ pattern }) => pattern.test(path))
    if (!route) throw new NotFound('This URL does not exist.')
    const rawRequest = contexts.requestedHost(client.host) + url + preferencesKey(client)
    const target = { ...client, host: client.host, url, rawRequest, prefersMarkdown: false }
    return (cache.find(rawRequest) ?? (await route.read(target))).response.response
  }

const readableRoute = (route: AnyRoute, options: RouterOptions, addContent: AddContent) => {
  const respond = makeRouteResponder(route, options.prepare, addContent)
  return {
    name: route.name,
    // Without groups: the route's own reader decodes path parameters, and its errors name them.
    pattern: routePattern(route, { groups: false }),
    requestClass: route.requestClass,
    read: entryReader(options, route.name, respond, route),
  }
}

const toExpress = (handler: Handler) => (request: Request) => handler(exchangeOf(request))

/** Returns the cached response of a request, or creates it within the limits of the classes of its work. */
const entryReader =
  (
    { contexts, cache, admission, metrics }: RouterOptions,
    route: string,
    respond: Responder,
    { cache: caching, operationId }: Partial<Pick<AnyRoute, 'cache' | 'operationId'>> = {},
  ): ReadEndpoint =>
  async ({ url, host, rawRequest, ownHeaders = [], ...client }) => {
    const { generation } = cache
    const context = await (operationId ? contexts.contextOf(host) : contexts.lastContextOf(host))
    const help = operationId && `<${context.base}/docs#${operationId}>; rel="help"`
    const applied = client.isStrict && operationId !== undefined ? STRICT_HEADERS : []
    ownHeaders.push(...applied)
    try {
      const { key, ownHeaders: ofSpelling = [], createResponse } = respond(url, context, client)
      if (ofSpelling.includes(IGNORED_HEADER)) metrics.countUnknownParameters(route)
      ownHeaders.push(...ofSpelling)
      const canonicalKey = `${context.base} ${context.locale} ${key}`
      const canonical = { key: canonicalKey, route, ownHeaders: [...applied, ...ofSpelling] }
      const create = () =>
        createResponse((requestClass, work) =>
          admission.limitOf(requestClass).run(client.clientKey, work),
        ).catch((error: unknown) => toNotFoundResponse(error, help, context, caching))
      if (caching !== undefined) return uncachedEntry(new EncodedResponse(await create()), route)
      return await cache.getOrCreate(rawRequest, canonical, create, generation)
    } catch (error) {
      throw helpful(error, help)
    }
  }

const responseHandler =
  (route: string, read: ReadEndpoint, sender: ResponseSender): Handler =>
  async (exchange) => {
    exchange.route = route
    const { url = '', headers } = exchange.request
    sender.sendEntry(exchange, await read({ ...exchange, url, host: headers.host }))
  }

const refusePostOnly: Handler = async () => {
  throw new MethodNotAllowed('POST, OPTIONS', 'This URL takes POST requests.')
}

/** A 404 is cached like other responses of its route. */
const toNotFoundResponse = (
  error: unknown,
  help: string | undefined,
  { settings }: RequestContext,
  caching: AnyRoute['cache'],
): ApiResponse => {
  if (!(error instanceof PublicError && error.status === 404)) throw error
  const response = errorResponse(helpful(error, help), settings.cacheSeconds)
  if (caching !== 'no-store') return response
  return { ...response, maxAge: undefined, headers: { ...response.headers, 'Cache-Control': 'no-store' } }
}

/** An error that the client can mend, with a link to the documentation of the endpoint. */
const helpful = <Thrown>(error: Thrown, help: string | undefined): Thrown | PublicError => {
  if (help === undefined || !(error instanceof BadParameter || error instanceof NotFound)) return error
  const { code, message, headers } = error
  const Link = headers.Link === undefined ? help : `${headers.Link}, ${help}`
  return new PublicError(code, message, { headers: { ...headers, Link } })
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
    const context = await contexts.lastContextOf(exchange.request.headers.host)
    const response = await notFoundResponse(exchange.request, context, site)
    sender.sendEntry(exchange, uncachedEntry(new EncodedResponse(response), exchange.route))
  }
