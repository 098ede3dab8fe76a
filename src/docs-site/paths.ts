import { API_PATH, siteRootOf, WIKI_PAGES_PATH } from '../paths.ts'
import type { RequestContext } from '../rest/route.ts'

/** The pages of the documentation site: the name, which is also that of the file in `site/pages/`, and the path. */
export const DOCS_PAGES = {
  landing: '/',
  reference: `${API_PATH}/docs`,
  guide: `${API_PATH}/docs/guide`,
  reader: `${API_PATH}/docs/reader`,
} as const

/** What people try: they lead to the page. */
export const SHORT_PATHS = { docs: '/docs', docsPage: '/docs{page}', wiki: '/wiki' } as const

/** Pages for programs: of text for agents, the guide as Markdown, and where the description of the API is (RFC 9727). */
const PROGRAM_PATHS = {
  llms: '/llms.txt',
  guideText: `${DOCS_PAGES.guide}.md`,
  catalog: '/.well-known/api-catalog',
} as const

/** For search engines: robots.txt names the sitemap index, `/sitemap.xml`, and this the sitemaps, `/sitemap-en.xml`. */
export const SITEMAP_PATHS = { robots: '/robots.txt', sitemap: '/sitemap{name}' } as const

/** Archives with the clients, which `npm install` and `pip install` take. */
export const CLIENT_PATHS = {
  javascriptClient: `${DOCS_PAGES.reference}/clients/javascript.tgz`,
  pythonClient: `${DOCS_PAGES.reference}/clients/python.tgz`,
} as const

export const SITE_PAGES = {
  ...DOCS_PAGES,
  ...PROGRAM_PATHS,
  ...CLIENT_PATHS,
  ...SITEMAP_PATHS,
  ...SHORT_PATHS,
  wikiPage: `${WIKI_PAGES_PATH}{page}`,
}

/** Undefined: the service does not take MCP. */
export const mcpUrl = ({ base, settings: { mcpPath } }: RequestContext): string | undefined =>
  mcpPath && siteRootOf(base) + mcpPath

export type DocsPageName = keyof typeof DOCS_PAGES

/** The folder of assets. Below it come their common version, which changes with every asset, and a file name. */
export const ASSETS_PATH = `${DOCS_PAGES.reference}/assets/`

/** Whether a request target, in the form that browsers send, is a page of the documentation site, an asset, or leads to a page. */
export const isDocsSitePath = (url: string): boolean =>
  url === DOCS_PAGES.landing ||
  [PROGRAM_PATHS.llms, PROGRAM_PATHS.catalog, SITEMAP_PATHS.robots].some((path) => path === url) ||
  [DOCS_PAGES.reference, SHORT_PATHS.docs, SHORT_PATHS.wiki, '/sitemap'].some((path) => url.startsWith(path))

/** The relative URL from a requested path to `/`. With relative links, the site works behind a proxy under any path. */
export const rootFrom = (path: string): string => '../'.repeat(path.split('/').length - 2) || './'
