import { NotFound } from '@lectern/wiki/errors'
import type { Site } from '../rest/openapi/documentation-responders.ts'
import type { RequestContext } from '../rest/route.ts'
import type { ApiResponse } from '../rest/transport/responses.ts'
import type { Branding } from './branding.ts'
import {
  ASSETS_PATH,
  DOCS_PAGES,
  type DocsPageName,
  isDocsSitePath,
  LLMS_PATH,
  rootFrom,
  WIKI_PAGES_PATH,
} from './paths.ts'

/** The documentation site. Its code loads with the first request, so that the start does not wait for it. */
export const makeDocsSite = (branding: Branding): Site => ({
  pages: { ...DOCS_PAGES, llms: LLMS_PATH, wikiPage: `${WIKI_PAGES_PATH}{page}` },
  assetsPath: ASSETS_PATH,
  owns: isDocsSitePath,
  page: async (name, path, context, api) => {
    if (name === 'llms') return (await import('./llms.ts')).llmsResponse(context, api)
    if (name === 'wikiPage') return wikiPageResponse(path, context)
    const page = { name: name as DocsPageName, path, context, branding, api }
    return (await import('./pages.ts')).docsPageResponse(page)
  },
  notFoundPage: async (path, context) =>
    (await import('./pages.ts')).docsPageResponse({ name: 'not-found', path, context, branding }),
  asset: async (path) =>
    branding.files.get(path) ?? (await (await import('./assets.ts')).assets()).byPath.get(path),
})

/**
 * The response that leads from the URL of a page, `/wiki/<locale>/<path>`, to the demo reader: the `url` of a page
 * leads there, if the operator has not named the URL of the wiki. The location is relative, as all links of the site,
 * and browsers keep the fragment. (D6)
 * @param path the requested path, not decoded
 * @throws NotFound for a language that the wiki does not have, or a path that is not UTF-8
 */
const wikiPageResponse = (path: string, { wiki, settings }: RequestContext): ApiResponse => {
  const [segment = '', ...rest] = path.slice(WIKI_PAGES_PATH.length).replace(/\/$/, '').split('/')
  const locale = segment.toLowerCase()
  const page = decoded(rest)
  if (page === undefined || !wiki.locales.some((one) => one.locale === locale))
    throw new NotFound('This URL does not exist.')
  const query = new URLSearchParams(page === '' ? {} : viewOf(page))
  query.set('locale', locale)
  const body = Buffer.from(`The demo reader shows this page: ${DOCS_PAGES.reader}?${query}\n`)
  return {
    status: 302,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      Location: `${rootFrom(path)}${DOCS_PAGES.reader.slice(1)}?${query}`,
    },
    maxAge: settings.cacheSeconds,
    // Any path leads somewhere, so that these responses could fill the cache.
    isStored: false,
    body,
  }
}

const CATEGORY_PREFIX = 'category:'

const viewOf = (page: string): Record<string, string> =>
  page.startsWith(CATEGORY_PREFIX) ? { category: page.slice(CATEGORY_PREFIX.length) } : { page }

/** An encoded slash is part of the path. (D6) */
const decoded = (segments: readonly string[]): string | undefined => {
  try {
    return segments.map(decodeURIComponent).join('/')
  } catch {
    return undefined
  }
}
