import { makeWikiAddresses, pageAt } from '@lectern/wiki/links'
import { WIKI_PAGES_PATH } from '../paths.ts'
import type { OwnApi } from '../rest/openapi/own-api.ts'
import type { RequestContext } from '../rest/route.ts'
import { similarLocale } from '../rest/routes/shared/parameters.ts'
import type { ApiResponse } from '../rest/transport/responses.ts'
import { loadModules, type ShownPage, type ViewTarget } from './code.ts'
import { docsPageResponse, type PageRequest, shownLocales } from './pages.ts'
import { DOCS_PAGES, rootFrom } from './paths.ts'
import { shellFor } from './template.ts'

const ADDRESSES = makeWikiAddresses({ byLocale: {}, fallback: `http://localhost${WIKI_PAGES_PATH}` })

/**
 * The response at the URL of a page, `/wiki/<locale>/<path>`: the reader, whose head describes the page as every
 * guest reads it. Where the language has a website, it redirects to the reader, as the `url` of a page leads to the
 * website. Locations are relative, as all links of the site, and browsers keep the fragment. (D6)
 * @throws PublicError when the service is overloaded
 */
export const wikiPageResponse = async (request: Omit<PageRequest, 'name'>): Promise<ApiResponse> => {
  const { path, context, api } = request
  const { wiki, pagesRoot } = context
  const locales = new Set(wiki.locales.map(({ locale }) => locale))
  const page = pageAt(ADDRESSES, new URL(`http://localhost${path}`), locales)
  if (page === null) {
    const [, tag = '', rest = ''] = /^([^/]*)(.*)$/s.exec(path.slice(WIKI_PAGES_PATH.length))!
    const near = locales.has(tag.toLowerCase()) ? undefined : similarLocale(tag, context)
    if (near === undefined) return unknownLanguageResponse(tag, rest, request)
    return redirect(302, `${rootFrom(path)}${WIKI_PAGES_PATH.slice(1)}${near}${rest}`, context)
  }
  const category = /^category:(.+)$/s.exec(page.path)?.[1]
  if (!shownLocales(context).includes(page.locale)) {
    const view: Record<string, string> = category ? { category } : page.path ? { page: page.path } : {}
    const query = new URLSearchParams({ ...view, locale: page.locale })
    return redirect(302, `${rootFrom(path)}${DOCS_PAGES.reader.slice(1)}?${query}`, context)
  }
  const view = category ? { view: 'category', key: category } : { view: page.path ? 'page' : 'home', ...page }
  const shown = api
    ? await shownView({ ...view, locale: page.locale }, { ...request, api })
    : { status: 503, locale: page.locale }
  const { movedTo, url } = shown
  if (movedTo !== undefined) return redirect(301, movedTo, context)
  // Other spellings of the address would fill the cache with copies.
  const isStored = url?.replace(pagesRoot, WIKI_PAGES_PATH) === path
  return { ...(await docsPageResponse({ ...request, name: 'reader', shown })), isStored }
}

/** A language that the wiki does not have: which languages have the page. @param path encoded, after the language */
const unknownLanguageResponse = async (tag: string, path: string, request: Omit<PageRequest, 'name'>) => {
  const { context, api } = request
  const url = new URL(`http://localhost${WIKI_PAGES_PATH}${context.locale}${path}`)
  const page = pageAt(ADDRESSES, url, new Set([context.locale]))
  if (!api || !page?.path) return docsPageResponse({ ...request, name: 'not-found' })
  const view = { view: 'elsewhere', ...page, tag }
  return docsPageResponse({ ...request, name: 'reader', shown: await shownView(view, { ...request, api }) })
}

/** The response with the reader, at the view that a query names. @throws PublicError when the service is overloaded */
export const readerResponse = async (request: Omit<PageRequest, 'name'>, query: string) => {
  const { context, api } = request
  const { targetOfQuery } = await loadModules()
  const parameters = new URLSearchParams(query)
  const target = { ...targetOfQuery(parameters), locale: context.locale }
  const found = api && (await shownView(target, { ...request, api }, parameters.get('next') ?? undefined))
  if (found?.movedTo !== undefined) return redirect(301, found.movedTo, context)
  const response = await docsPageResponse({ ...request, name: 'reader', ...(found && { shown: found }) })
  // There are too many queries to keep their pages. What these show is in the cache.
  return query === '' ? response : { ...response, isStored: false }
}

export const redirect = (status: number, Location: string, { settings }: RequestContext): ApiResponse => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', Location },
  maxAge: settings.cacheSeconds,
  // Any path can lead somewhere, so that these responses could fill the cache.
  isStored: false,
  body: Buffer.from(`This page is at ${Location}\n`),
})

/** What the reader shows of a view. @param next cursor of the part of a list; absent: the first */
const shownView = async (
  target: ViewTarget & { locale: string },
  { path, context, branding, api }: Omit<PageRequest, 'name'> & { api: OwnApi },
  next?: string,
): Promise<ShownPage> => {
  const { firstView } = await loadModules()
  const { say } = await shellFor(target.locale)
  const [reader, pages] = [DOCS_PAGES.reader, WIKI_PAGES_PATH].map((one) => rootFrom(path) + one.slice(1))
  const urls = { base: context.base, reader: reader!, pages: pages!, shownLocales: shownLocales(context) }
  const name = branding.name ?? context.wiki.name
  return firstView(target, { ...context.wiki, ...urls, name, read: api.read, say }, next)
}
