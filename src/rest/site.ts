import type { OwnApi } from './examples/own-api.ts'
import type { ApiResponse } from './responses.ts'
import type { RequestContext } from './route.ts'
import type { EncodedResponse } from './send.ts'

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
   * @throws PublicError when `api` is overloaded
   */
  page(name: string, path: string, context: RequestContext, api?: OwnApi): Promise<ApiResponse>
  /** The page for browsers where nothing is. @param path as it was requested */
  notFoundPage(path: string, context: RequestContext): Promise<ApiResponse>
  /** Undefined: there is no such asset, or another version had it. */
  asset(path: string): Promise<EncodedResponse | undefined>
}
