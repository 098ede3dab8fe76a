import { API_PATH, WIKI_PAGES_PATH } from '../paths.ts'
import type { Site } from '../rest/openapi/documentation-responders.ts'
import type { Branding } from './branding.ts'
import * as paths from './paths.ts'

/** The documentation site. Its code loads with the first request, so that the start does not wait for it. */
export const makeDocsSite = (branding: Branding, home: 'api' | 'wiki'): Site => ({
  pages: paths.SITE_PAGES,
  assetsPath: paths.ASSETS_PATH,
  owns: paths.isDocsSitePath,
  page: async (name, path, context, api, query = '') => {
    const isHome = name === 'landing' && home === 'wiki'
    if (isHome || name in paths.SHORT_PATHS) {
      const target = isHome || name === 'wiki' ? WIKI_PAGES_PATH + context.locale : API_PATH + path
      return (await import('./wiki-pages.ts')).redirect(302, paths.rootFrom(path) + target.slice(1), context)
    }
    const request = { path, context, branding, api }
    if (name === 'llms') return (await import('./crawlers.ts')).llmsResponse(request)
    if (name === 'catalog') return (await import('./crawlers.ts')).catalogResponse(context)
    if (name === 'guideText') return (await import('./pages.ts')).guideTextResponse(context, api)
    if (name in paths.CLIENT_PATHS) return (await import('./assets.ts')).clientResponse(path, context)
    if (name in paths.SITEMAP_PATHS)
      return (await import('./crawlers.ts')).sitemapResponse(path, context, api)
    if (name === 'wikiPage') return (await import('./wiki-pages.ts')).wikiPageResponse(request)
    if (name === 'reader') return (await import('./wiki-pages.ts')).readerResponse(request, query)
    return (await import('./pages.ts')).docsPageResponse({
      ...request,
      name: name as paths.DocsPageName | 'unavailable',
    })
  },
  notFoundPage: async (path, context) =>
    (await import('./pages.ts')).docsPageResponse({ name: 'not-found', path, context, branding }),
  asset: async (path) =>
    branding.files.get(path) ?? (await (await import('./assets.ts')).assets()).byPath.get(path),
})
