import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express, type Request, type Response } from 'express'
import { API_PATH } from '../api-path.ts'
import { NotFound } from '../errors.ts'
import type { PrepareStoredQuery } from '../graphql.ts'
import type { AdmissionControl } from './admission.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { openapiDocument, readExamples } from './openapi.ts'
import { patternOf, type ReadRequest, readRequest, readTarget, routePattern } from './request.ts'
import type { CacheEntry, ResponseCache } from './response-cache.ts'
import { type ApiResponse, errorResponse, jsonResponse } from './responses.ts'
import type { AnyRoute, RequestContext, RouteResult } from './route.ts'
import type { Site } from './site.ts'

interface RouterOptions {
  routes: readonly AnyRoute[]
  site: Site
  prepare: PrepareStoredQuery
  /** What the address that was called decides. */
  contextOf(host: string | undefined): Promise<RequestContext>
  cache: ResponseCache
  admission: AdmissionControl
  /** A response's route has been found. @returns who asked, by the key of the rate limit */
  routed(response: ServerResponse, route: string): string
  /** A request as it was sent: what the cache finds it by. */
  rawRequest(request: IncomingMessage): string
  send(request: IncomingMessage, response: ServerResponse, kept: CacheEntry): void
}

/** Makes the answer of a request; what it throws is a PublicError or a defect. */
type CreateResponse = () => Promise<ApiResponse>

/** What a route, or another address, makes of a request: a key for all that mean the same, and the answer. */
type Responder = (url: string, context: RequestContext) => { key: string; create: CreateResponse }

/**
 * Routes as express handlers. Express is given patterns without groups: what a path parameter holds is
 * decoded by the route's own reader, whose errors name the parameter.
 */
export const makeRouter = (options: RouterOptions): Express => {
  const { routes, site, prepare, contextOf, cache, admission, routed, rawRequest, send } = options
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)

  const answerWith =
    (route: string, limit: ConcurrencyLimit, respond: Responder) =>
    async (request: Request, response: Response): Promise<void> => {
      const client = routed(response, route)
      const began = cache.generation
      const context = await contextOf(request.headers.host)
      const { key, create } = respond(request.url, context)
      const canonical = { key: `${context.base} ${context.locale} ${key}`, route }
      const answer = () =>
        limit.run(client, create).catch((error: unknown) => notFoundResponse(error, context))
      send(request, response, await cache.getOrCreate(rawRequest(request), canonical, answer, began))
    }

  for (const route of routes) {
    const handler = answerWith(route.name, admission.limitOf(route.requestClass), responder(route, prepare))
    app.get(routePattern(route, { groups: false }), handler)
  }
  const examples = readExamples()
  const openapi: Responder = (_, { base, settings }) => ({
    key: 'openapi.json',
    create: async () => jsonResponse(openapiDocument(routes, base, examples), settings.cacheSeconds),
  })
  app.get(patternOf(`${API_PATH}/openapi.json`), answerWith('openapi', admission.limitOf('page'), openapi))
  for (const [name, path] of Object.entries(site.pages)) {
    const page: Responder = (url, context) => {
      const called = readTarget(url).path
      return { key: `${name} ${called}`, create: () => site.page(name, called, context) }
    }
    app.get(patternOf(path === '/' ? path : `${path}/`), answerWith(name, admission.limitOf('page'), page))
  }
  app.get(patternOf(`${site.assetsPath}{asset}`, { groups: false }), async (request, response) => {
    routed(response, 'asset')
    const ready = await site.asset(readTarget(request.url).path)
    if (!ready) throw new NotFound('There is no such file.')
    const now = performance.now()
    send(request, response, { response: ready, createdAt: now, expiresAt: now, route: 'asset' })
  })
  app.use(async (request) => {
    const { base } = await contextOf(request.headers.host)
    throw new NotFound(`There is nothing at this address; what this API offers is listed at ${base}`)
  })
  return app
}

/** That something is not there is an answer, and may be kept as one. */
const notFoundResponse = (error: unknown, { settings }: RequestContext): ApiResponse => {
  if (error instanceof NotFound) return errorResponse(error, settings.cacheSeconds)
  throw error
}

/** A route's way: read parameters, run the stored query, reshape, make bytes. */
const responder = (route: AnyRoute, prepare: PrepareStoredQuery): Responder => {
  const run = prepare(route.query)
  const pattern = routePattern(route)
  return (url, context) => {
    const request = readRequest(route, pattern, url, context)
    const { values } = request
    const create = async () => {
      const result: RouteResult<unknown> = route.reshape(
        await run(route.variables(values, context)),
        values,
        context,
      )
      const links = [`<${context.license}>; rel="license"`]
      const next = (result.body as { next?: string }).next
      if (route.pagedBy && next)
        links.unshift(`<${nextUrl(route.pagedBy, request, next, context)}>; rel="next"`)
      return jsonResponse(result.body, context.settings.cacheSeconds, {
        Link: links.join(', '),
        ...(result.locale === undefined ? {} : { 'Content-Language': result.locale }),
      })
    }
    return { key: `${route.name} ${JSON.stringify(values)}`, create }
  }
}

/** The same request for the following part of its list. */
const nextUrl = (
  pagedBy: string,
  { path, query }: ReadRequest,
  next: string,
  { base }: RequestContext,
): string => {
  const following = new URLSearchParams(query)
  following.set(pagedBy, next)
  return `${base}${path}?${following}`
}
