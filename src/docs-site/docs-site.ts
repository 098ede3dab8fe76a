import type { ApiResponse } from '../rest/responses.ts'
import type { RequestContext } from '../rest/route.ts'
import type { EncodedResponse } from '../rest/send.ts'
import type { DocsPageName } from './paths.ts'

/** Pages for people and what they load. Their code is loaded when one is first asked for: a start does not wait for it. */
export const docsSite = {
  page: async (name: DocsPageName, path: string, place: RequestContext): Promise<ApiResponse> =>
    (await import('./pages.ts')).docsPageResponse(name, path, place),
  /** Undefined: there is no such asset, or it was another version's. */
  asset: async (path: string): Promise<EncodedResponse | undefined> =>
    (await (await import('./assets.ts')).assets()).byPath.get(path),
}
