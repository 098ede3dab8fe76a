import type { IncomingMessage } from 'node:http'
import { NotFound, PublicError } from '@lectern/wiki/errors'
import { closest, distance } from 'fastest-levenshtein'
import { API_PATH } from '../../paths.ts'
import type { AnyRoute, RequestContext } from '../route.ts'
import type { Responder } from '../route-responder.ts'
import { acceptsHtml, readTarget } from '../transport/request.ts'
import { type ApiResponse, errorResponse, JSON_TYPE, textResponse } from '../transport/responses.ts'
import type { EncodedResponse } from '../transport/send.ts'
import { openapiDocument } from './openapi.ts'
import { documentExamples, noExamples, type OwnApi } from './own-api.ts'

/** Pages that the listener serves beside the API, such as its documentation, and the files that they load. */
export interface Site {
  /** Path of each page on the listener, by its name. */
  pages: Readonly<Record<string, string>>
  /** What the paths of all assets begin with. */
  assetsPath: string
  /** Whether a request's target belongs to the site, which has a rate limit of its own. (D52) */
  owns(url: string): boolean
  /**
   * @param path the page's path as it was requested
   * @param api what the page shows of this wiki; absent while the service is overloaded
   * @param query of the reader, which names a view of the language of the context
   * @throws PublicError when `api` is overloaded
   */
  page(
    name: string,
    path: string,
    context: RequestContext,
    api?: OwnApi,
    query?: string,
  ): Promise<ApiResponse>
  /** The page for browsers where nothing is. @param path as it was requested */
  notFoundPage(path: string, context: RequestContext): Promise<ApiResponse>
  /** Undefined: there is no such asset, or another version had it. */
  asset(path: string): Promise<EncodedResponse | undefined>
}

/** Responders of what documents this wiki. They hold no slot of a class, because the reads of the API that they need do. */

type ApiOf = (context: RequestContext, clientKey?: string) => OwnApi

/** While the service is overloaded, the document has no examples, and the service does not keep it. */
export const openapiResponder =
  (routes: readonly AnyRoute[], apiOf: ApiOf): Responder =>
  (_, context) => ({
    key: 'openapi.json',
    createResponse: async () => {
      const examples = await documentExamples(routes, apiOf(context)).catch(ifOverloaded)
      const { base, locale, settings } = context
      const document = openapiDocument(routes, base, examples ?? noExamples(locale))
      const seconds = examples ? settings.cacheSeconds : 0
      const response = textResponse(JSON.stringify(document), JSON_TYPE, seconds)
      return { ...response, isStored: examples !== undefined }
    },
  })

export const sitePageResponder =
  (site: Site, name: string, apiOf: ApiOf): Responder =>
  (url, context, { clientKey }) => {
    const { path, query } = readTarget(url)
    const parameters = new URLSearchParams(name === 'reader' ? query : '')
    const wanted = parameters.get('locale')?.toLowerCase()
    const { locale } = context.wiki.locales.find((one) => one.locale === wanted) ?? context
    const shown = { ...context, locale }
    parameters.delete('locale')
    const view = parameters.toString()
    return {
      key: `${name} ${path} ${locale} ${view}`,
      createResponse: async () => {
        try {
          return await site.page(name, path, shown, apiOf(context, clientKey), view)
        } catch (error) {
          ifOverloaded(error)
          // Without the database, there is nothing to read.
          const isUnavailable = context.isLost === true && ['reader', 'wikiPage'].includes(name)
          const page = await site.page(isUnavailable ? 'unavailable' : name, path, shown)
          // A later response will show more.
          return page.status === 503 ? page : { ...page, maxAge: 0, isStored: false }
        }
      },
    }
  }

/** @throws what else it is */
const ifOverloaded = (error: unknown): undefined => {
  if (!(error instanceof PublicError) || error.status !== 503) throw error
}

/** Browsers get a page, except under the paths of the API. Programs get the error as JSON. */
export const notFoundResponse = async (request: IncomingMessage, context: RequestContext, site: Site) => {
  const { path } = readTarget(request.url!)
  const advice = `For a list of endpoints, request ${context.base}`
  const error = new NotFound(`This URL does not exist. ${meantEndpoint(path, context)}${advice}`)
  const json = errorResponse(error, context.settings.cacheSeconds)
  if (`${path}/`.startsWith(`${API_PATH}/`) && !site.owns(path)) return json
  return { ...(acceptsHtml(request) ? await site.notFoundPage(path, context) : json), isNegotiated: true }
}

/** What people try instead of the name of an endpoint. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  page: ['article', 'wiki'],
  history: ['history'],
  recent: ['edit', 'recentchanges'],
  category: ['category', 'tag'],
  diff: ['diff'],
  atom: ['feed', 'rss'],
  search: ['query'],
}

/** A question after the endpoint that a path may mean, with or without the path of the API; empty if it is like none. */
const meantEndpoint = (path: string, { base, endpoints }: RequestContext): string => {
  const bare = path.replace(/^(\/+(api|v\d+)(?=\/))*\/+|\/+$/g, '')
  const segments = bare.toLowerCase().split('/')
  const further = (url: string) => Math.abs(url.slice(base.length + 1).split('/').length - segments.length)
  const named = new Map<string, string>()
  for (const [name, others] of Object.entries(OTHER_NAMES))
    for (const other of others) named.set(other, endpoints[name]!)
  // Of several with one name, such as `revisions/{id}` and its `diff`, that with as many segments.
  const urls = [...Object.values(endpoints), `${base}/openapi.json`].sort((a, b) => further(b) - further(a))
  for (const url of urls) named.set(/^[^/{]*/.exec(url.slice(base.length + 1))![0], url)
  named.delete('')
  const name = segments[0]!.slice(0, 20) // longer ones mean no endpoint
  const nearest = closest(name, [...named.keys()])
  return distance(name, nearest) > (name.length < 6 ? 1 : 2) ? '' : `Did you mean ${named.get(nearest)}? `
}
