import express, { type Express, type Request, type Response } from 'express'
import { NotFound } from '../errors.ts'
import type { PrepareStoredQuery } from '../graphql.ts'
import { type Answer, jsonAnswer } from './answers.ts'
import { API_PATH } from './base.ts'
import { docsAnswer } from './docs.ts'
import { openapiDocument, readExamples } from './openapi.ts'
import { patternOf, readTarget, readValues } from './request.ts'
import type { AnyRoute, Place, Reply } from './route.ts'

export interface RouterOptions {
  routes: readonly AnyRoute[]
  prepare: PrepareStoredQuery
  /** What the address that was called decides. */
  place(host: string | undefined): Promise<Place>
  send(request: Request, response: Response, answer: Answer): Promise<void>
}

/**
 * Routes as express handlers. Express is given patterns without groups: what a path parameter holds is
 * decoded by the route's own reader, whose errors name the parameter.
 */
export const makeRouter = ({ routes, prepare, place, send }: RouterOptions): Express => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  for (const route of routes) {
    const respond = responder(route, prepare)
    app.get(patternOf(API_PATH + route.path, { groups: false }), async (request, response) => {
      await send(request, response, await respond(request.url, await place(request.headers.host)))
    })
  }
  const examples = readExamples()
  app.get(patternOf(`${API_PATH}/openapi.json`), async (request, response) => {
    const { base, settings } = await place(request.headers.host)
    await send(request, response, jsonAnswer(openapiDocument(routes, base, examples), settings.cacheSeconds))
  })
  app.get(patternOf(`${API_PATH}/docs`), async (request, response) => {
    await send(request, response, docsAnswer(routes, await place(request.headers.host)))
  })
  app.use(async (request) => {
    const { base } = await place(request.headers.host)
    throw new NotFound(`There is nothing at this address; what this API offers is listed at ${base}`)
  })
  return app
}

/** A route's way: read parameters, run the stored query, reshape, make bytes. */
const responder = (route: AnyRoute, prepare: PrepareStoredQuery) => {
  const run = prepare(route.query)
  const pattern = patternOf(API_PATH + route.path)
  return async (url: string, place: Place): Promise<Answer> => {
    const target = readTarget(url)
    const values = readValues(route, pattern.exec(target.path)!.slice(1), target.query, place)
    const reply: Reply<unknown> = route.reshape(await run(route.variables(values, place)), values, place)
    const links = [`<${place.license}>; rel="license"`]
    const next = (reply.body as { next?: string }).next
    if (route.pagedBy && next) links.unshift(`<${nextUrl(route, target, next, place)}>; rel="next"`)
    return jsonAnswer(reply.body, place.settings.cacheSeconds, {
      Link: links.join(', '),
      ...(reply.locale === undefined ? {} : { 'Content-Language': reply.locale }),
    })
  }
}

/**
 * The same request for the following part of its list. Its path stays as it was sent, but for what no
 * address may hold: decoding it would make `%2F` a slash. Parameters that mean nothing here are left out.
 */
const nextUrl = (
  route: AnyRoute,
  target: { path: string; query: string },
  next: string,
  { base }: Place,
): string => {
  const path = target.path.slice(API_PATH.length).replace(/["<>[\\\]^`{|}]/g, encodeURIComponent)
  const query = new URLSearchParams(target.query)
  for (const name of [...query.keys()]) if (!Object.hasOwn(route.parameters, name)) query.delete(name)
  query.set(route.pagedBy!, next)
  return `${base}${path}?${query}`
}
