import type { PrepareStoredQuery } from '../graphql.ts'
import { type ReadRequest, readRequest, routePattern } from './request.ts'
import { type ApiResponse, IMMUTABLE, jsonResponse, textResponse } from './responses.ts'
import type { AnyRoute, RequestContext, RouteResult } from './route.ts'

/**
 * Reads a request. Requests with the same key have the same response.
 * @throws BadParameter
 */
export type Responder = (
  url: string,
  context: RequestContext,
) => {
  key: string
  /** @throws PublicError; anything else is a defect */
  createResponse(): Promise<ApiResponse>
}

/** The responder of a route: it reads the parameters, runs the stored query, and reshapes the result. */
export const makeRouteResponder = (route: AnyRoute, prepare: PrepareStoredQuery): Responder => {
  const run = prepare(route.query)
  const pattern = routePattern(route)
  return (url, context) => {
    const request = readRequest(route, pattern, url, context)
    const { values } = request
    const createResponse = async () => {
      const result: RouteResult<unknown> = route.reshape(
        await run(route.variables(values, context)),
        values,
        context,
      )
      const links = [`<${context.license}>; rel="license"`]
      const next = (result.body as { next?: string }).next
      if (route.pagedBy && next)
        links.unshift(`<${nextUrl(route.pagedBy, request, next, context)}>; rel="next"`)
      const { cacheSeconds } = context.settings
      const headers = {
        Link: links.join(', '),
        ...(result.locale === undefined ? {} : { 'Content-Language': result.locale }),
        ...(result.isImmutable && cacheSeconds > 0 ? { 'Cache-Control': IMMUTABLE } : {}),
      }
      return result.type === undefined
        ? jsonResponse(result.body, cacheSeconds, headers)
        : textResponse(result.body as string, `${result.type}; charset=utf-8`, cacheSeconds, headers)
    }
    return { key: `${route.name} ${JSON.stringify(values)}`, createResponse }
  }
}

/** The URL of the next part of a list. */
const nextUrl = (
  pagedBy: string,
  { path, query }: ReadRequest,
  next: string,
  { base }: RequestContext,
): string => {
  const nextQuery = new URLSearchParams(query)
  nextQuery.set(pagedBy, next)
  return `${base}${path}?${nextQuery}`
}
