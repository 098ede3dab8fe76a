import type { Site } from '../rest/site.ts'
import {
  ASSETS_PATH,
  DOCS_PAGES,
  type DocsPageName,
  isDocsSitePath,
  LLMS_PATH,
  WIKI_PAGES_PATH,
} from './paths.ts'

/** The documentation site. Its code loads with the first request, so that the start does not wait for it. */
export const docsSite: Site = {
  pages: { ...DOCS_PAGES, llms: LLMS_PATH, wikiPage: `${WIKI_PAGES_PATH}{page}` },
  assetsPath: ASSETS_PATH,
  owns: isDocsSitePath,
  page: async (name, path, context) => {
    if (name === 'llms') return (await import('./llms.ts')).llmsResponse(context)
    if (name === 'wikiPage') return (await import('./wiki-pages.ts')).wikiPageResponse(path, context)
    return (await import('./pages.ts')).docsPageResponse(name as DocsPageName, path, context)
  },
  asset: async (path) => (await (await import('./assets.ts')).assets()).byPath.get(path),
}
