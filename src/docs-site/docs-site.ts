import { API_PATH, WIKI_PAGES_PATH } from '../paths.ts'
import type { Site } from '../rest/openapi/documentation-responders.ts'
import type { Branding } from './branding.ts'
import {
  ASSETS_PATH,
  CLIENT_PATH,
  DOCS_PAGES,
  type DocsPageName,
  isDocsSitePath,
  PROGRAM_PATHS,
  rootFrom,
  SHORT_PATHS,
  SITEMAP_PATHS,
  WIKI_PAGE_PATH,
} from './paths.ts'

/** The documentation site. Its code loads with the first request, so that the start does not wait for it. */
export const makeDocsSite = (branding: Branding): Site => ({
  pages: {
    ...DOCS_PAGES,
    ...PROGRAM_PATHS,
    ...SITEMAP_PATHS,
    ...SHORT_PATHS,
    wikiPage: WIKI_PAGE_PATH,
    client: CLIENT_PATH,
  },
  assetsPath: ASSETS_PATH,
  owns: isDocsSitePath,
  page: async (name, path, context, api, query = '') => {
    if (name in SHORT_PATHS) {
      const target =
        name === 'wiki' ? WIKI_PAGES_PATH.slice(1) + context.locale : `${API_PATH.slice(1)}${path}`
      return (await import('./wiki-pages.ts')).redirect(302, rootFrom(path) + target, context)
    }
    if (name === 'llms') return (await import('./crawlers.ts')).llmsResponse(context, api)
    if (name === 'catalog') return (await import('./crawlers.ts')).catalogResponse(context)
    if (name === 'guideText') return (await import('./pages.ts')).guideTextResponse(context, api)
    if (name === 'client') return (await import('./assets.ts')).clientResponse(path, context)
    if (name === 'wikiPage')
      return (await import('./wiki-pages.ts')).wikiPageResponse({ path, context, branding, api })
    if (name === 'reader')
      return (await import('./wiki-pages.ts')).readerResponse({ path, context, branding, api }, query)
    if (name in SITEMAP_PATHS) return (await import('./crawlers.ts')).sitemapResponse(path, context, api)
    const page = { name: name as DocsPageName, path, context, branding, api }
    return (await import('./pages.ts')).docsPageResponse(page)
  },
  notFoundPage: async (path, context) =>
    (await import('./pages.ts')).docsPageResponse({ name: 'not-found', path, context, branding }),
  asset: async (path) =>
    branding.files.get(path) ?? (await (await import('./assets.ts')).assets()).byPath.get(path),
})
