import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express, type Request, type Response } from 'express'
import { NotFound } from '../errors.ts'
import type { PrepareStoredQuery } from '../graphql.ts'
import type { AnswerCache, Kept } from './answer-cache.ts'
import { type Answer, errorAnswer, jsonAnswer } from './answers.ts'
import { API_PATH } from './base.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { kindOf, type Making } from './making.ts'
import { openapiDocument, readExamples } from './openapi.ts'
import { patternOf, type ReadRequest, readRequest, readTarget, routePattern } from './request.ts'
import type { AnyRoute, Place, Reply } from './route.ts'
import { ASSETS_PATH, PAGES, type PageName } from './site/addresses.ts'
import { site } from './site/site.ts'

export interface RouterOptions {
  routes: readonly AnyRoute[]
  prepare: PrepareStoredQuery
  /** What the address that was called decides. */
  place(host: string | undefined): Promise<Place>
  cache: AnswerCache
  making: Making
  /** A response's route has been found. @returns who asked, by the key of the rate limit */
  routed(response: ServerResponse, route: string): string
  /** A request as it was sent: what the cache finds it by. */
  sent(request: IncomingMessage): string
  send(request: IncomingMessage, response: ServerResponse, kept: Kept): void
}

/** Makes the answer of a request; what it throws is a PublicError or a defect. */
type Make = () => Promise<Answer>

/** What a route, or another address, makes of a request: a key for all that mean the same, and the answer. */
type Responder = (url: string, place: Place) => { key: string; make: Make }

/**
 * Routes as express handlers. Express is given patterns without groups: what a path parameter holds is
 * decoded by the route's own reader, whose errors name the parameter.
 */
export const makeRouter = (options: RouterOptions): Express => {
  const { routes, prepare, place, cache, making, routed, sent, send } = options
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)

  const answerWith =
    (route: string, limit: ConcurrencyLimit, respond: Responder) =>
    async (request: Request, response: Response): Promise<void> => {
      const client = routed(response, route)
      const began = cache.generation
      const here = await place(request.headers.host)
      const { key, make } = respond(request.url, here)
      const meaning = { key: `${here.base} ${here.locale} ${key}`, route }
      const answer = () => limit.run(client, make).catch((error: unknown) => notFoundAnswer(error, here))
      send(request, response, await cache.answer(sent(request), meaning, answer, began))
    }

  for (const route of routes) {
    const handler = answerWith(route.name, making.of(kindOf(route)), responder(route, prepare))
    app.get(routePattern(route, { groups: false }), handler)
  }
  const examples = readExamples()
  const openapi: Responder = (_, { base, settings }) => ({
    key: 'openapi.json',
    make: async () => jsonAnswer(openapiDocument(routes, base, examples), settings.cacheSeconds),
  })
  app.get(patternOf(`${API_PATH}/openapi.json`), answerWith('openapi', making.of('page'), openapi))
  for (const [name, path] of Object.entries(PAGES) as [PageName, string][]) {
    const page: Responder = (url, here) => {
      const called = readTarget(url).path
      return { key: `${name} ${called}`, make: () => site.page(name, called, here) }
    }
    app.get(patternOf(path === '/' ? path : `${path}/`), answerWith(name, making.of('page'), page))
  }
  app.get(patternOf(`${ASSETS_PATH}{asset}`, { groups: false }), async (request, response) => {
    routed(response, 'asset')
    const ready = await site.asset(readTarget(request.url).path)
    if (!ready) throw new NotFound('There is no such file.')
    const now = performance.now()
    send(request, response, { ready, madeAt: now, until: now, route: 'asset' })
  })
  app.use(async (request) => {
    const { base } = await place(request.headers.host)
    throw new NotFound(`There is nothing at this address; what this API offers is listed at ${base}`)
  })
  return app
}

/** That something is not there is an answer, and may be kept as one. */
const notFoundAnswer = (error: unknown, { settings }: Place): Answer => {
  if (error instanceof NotFound) return errorAnswer(error, settings.cacheSeconds)
  throw error
}

/** A route's way: read parameters, run the stored query, reshape, make bytes. */
const responder = (route: AnyRoute, prepare: PrepareStoredQuery): Responder => {
  const run = prepare(route.query)
  const pattern = routePattern(route)
  return (url, place) => {
    const request = readRequest(route, pattern, url, place)
    const { values } = request
    const make = async () => {
      const reply: Reply<unknown> = route.reshape(await run(route.variables(values, place)), values, place)
      const links = [`<${place.license}>; rel="license"`]
      const next = (reply.body as { next?: string }).next
      if (route.pagedBy && next)
        links.unshift(`<${nextUrl(route.pagedBy, request, next, place)}>; rel="next"`)
      return jsonAnswer(reply.body, place.settings.cacheSeconds, {
        Link: links.join(', '),
        ...(reply.locale === undefined ? {} : { 'Content-Language': reply.locale }),
      })
    }
    return { key: `${route.name} ${JSON.stringify(values)}`, make }
  }
}

/** The same request for the following part of its list. */
const nextUrl = (pagedBy: string, { path, query }: ReadRequest, next: string, { base }: Place): string => {
  const following = new URLSearchParams(query)
  following.set(pagedBy, next)
  return `${base}${path}?${following}`
}
