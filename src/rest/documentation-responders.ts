import type { IncomingMessage } from 'node:http'
import { API_PATH } from '../api-path.ts'
import { NotFound, PublicError } from '../errors.ts'
import { documentExamples, noExamples } from './examples/document-examples.ts'
import type { OwnApi } from './examples/own-api.ts'
import { acceptsHtml } from './media-type.ts'
import { openapiDocument } from './openapi.ts'
import { readTarget } from './request.ts'
import { type ApiResponse, errorResponse, jsonResponse } from './responses.ts'
import type { AnyRoute, RequestContext } from './route.ts'
import type { Responder } from './route-responder.ts'
import type { Site } from './site.ts'

/** Responders of what documents this wiki. They hold no slot of a class, because the reads of the API that they need do. */

type ApiOf = (context: RequestContext) => OwnApi

/**
 * While the service is overloaded, the document has no examples; while they are being chosen, it has requests without
 * responses. Then the service does not keep it.
 */
export const openapiResponder =
  (routes: readonly AnyRoute[], apiOf: ApiOf): Responder =>
  (_, context) => ({
    key: 'openapi.json',
    createResponse: async () => {
      const api = apiOf(context)
      const examples = await documentExamples(routes, api).catch(ifOverloaded)
      const { base, locale, settings } = context
      const document = openapiDocument(routes, base, examples ?? noExamples(locale))
      const response = jsonResponse(JSON.stringify(document), settings.cacheSeconds)
      return { ...response, isStored: examples !== undefined && !api.isFirst }
    },
  })

export const sitePageResponder =
  (site: Site, name: string, apiOf: ApiOf): Responder =>
  (url, context) => {
    const { path } = readTarget(url)
    return {
      key: `${name} ${path}`,
      createResponse: async () => {
        const api = apiOf(context)
        const response = await site.page(name, path, context, api).catch(ifOverloaded)
        if (response) return api.isFirst ? { ...response, ...NOT_KEPT } : response
        return { ...(await site.page(name, path, context)), ...NOT_KEPT }
      },
    }
  }

/** A later response will show more. */
const NOT_KEPT = { maxAge: 0, isStored: false }

/** @throws what else it is */
const ifOverloaded = (error: unknown): undefined => {
  if (!(error instanceof PublicError) || error.status !== 503) throw error
}

/** Beside the API, browsers get a page. Programs, and everything under the path of the API, get the error as JSON. */
export const notFoundResponse = async (
  request: IncomingMessage,
  context: RequestContext,
  site: Site,
): Promise<ApiResponse> => {
  const { path } = readTarget(request.url!)
  const error = new NotFound(`This URL does not exist. For a list of endpoints, request ${context.base}`)
  const json = errorResponse(error, context.settings.cacheSeconds)
  if (path === API_PATH || path.startsWith(`${API_PATH}/`)) return json
  return { ...(acceptsHtml(request) ? await site.notFoundPage(path, context) : json), isNegotiated: true }
}
