import { API_PATH } from '../api-path.ts'

/** Pages for people: the name of each, which its file in `site/pages/` has, and its path on the listener. */
export const DOCS_PAGES = {
  landing: '/',
  reference: `${API_PATH}/docs`,
  guide: `${API_PATH}/docs/guide`,
  reader: `${API_PATH}/docs/reader`,
} as const

export type DocsPageName = keyof typeof DOCS_PAGES

/** Under which assets are: then comes their version, which changes when one of them does, and a name. */
export const ASSETS_PATH = `${DOCS_PAGES.reference}/assets/`

/** Whether a request's target is for people, as browsers write it: a page, or what a page loads. */
export const isDocsSitePath = (url: string): boolean =>
  url === DOCS_PAGES.landing || url.startsWith(DOCS_PAGES.reference)

/**
 * What leads from a page to `/`, so that no link depends on under which address a proxy shows the service.
 * @param path the page's, as it was called
 */
export const rootFrom = (path: string): string => '../'.repeat(path.split('/').length - 2) || './'
