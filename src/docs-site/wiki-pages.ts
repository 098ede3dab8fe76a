import { encodePath, makeWikiAddresses, pageAt } from '@lectern/wiki/links'
import { WIKI_PAGES_PATH } from '../paths.ts'
import type { OwnApi } from '../rest/openapi/own-api.ts'
import type { RequestContext } from '../rest/route.ts'
import type { ApiResponse } from '../rest/transport/responses.ts'
import { loadModules } from './code.ts'
import { docsPageResponse, type PageRequest, type ShownPage, shownLocales } from './pages.ts'
import { DOCS_PAGES, rootFrom } from './paths.ts'
import { escapeHtml, shellFor } from './template.ts'

const ADDRESSES = makeWikiAddresses({ byLocale: {}, fallback: `http://localhost${WIKI_PAGES_PATH}` })

/**
 * The response at the URL of a page, `/wiki/<locale>/<path>`: the demo reader, whose head describes the page as every
 * guest reads it. Where the language has a website, it redirects to the demo reader, as the `url` of a page leads to the
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
    const near = locales.has(tag.toLowerCase()) ? undefined : nearestOf(tag, locales)
    if (near === undefined) return docsPageResponse({ ...request, name: 'not-found' })
    return redirect(302, `${rootFrom(path)}${WIKI_PAGES_PATH.slice(1)}${near}${rest}`, context)
  }
  if (!shownLocales(context).includes(page.locale)) {
    const category = categoryOf(page.path)
    const view: Record<string, string> = category ? { category } : page.path ? { page: page.path } : {}
    const query = new URLSearchParams({ ...view, locale: page.locale })
    return redirect(302, `${rootFrom(path)}${DOCS_PAGES.reader.slice(1)}?${query}`, context)
  }
  const shown = api
    ? await shownPage(page, context, api, rootFrom(path))
    : { status: 503, locale: page.locale }
  if (typeof shown !== 'string') {
    // Other spellings of the address would fill the cache with copies.
    const isStored = shown.url?.replace(pagesRoot, WIKI_PAGES_PATH) === path
    return { ...(await docsPageResponse({ ...request, name: 'reader', shown })), isStored }
  }
  return redirect(301, shown.replace(pagesRoot, `${rootFrom(path)}${WIKI_PAGES_PATH.slice(1)}`), context)
}

/** The language of a wiki that is the same but for its region: for `en`, `en-us`. */
const nearestOf = (tag: string, locales: ReadonlySet<string>): string | undefined =>
  [...locales].find((locale) => locale.split('-', 1)[0] === tag.toLowerCase().split('-', 1)[0])

export const redirect = (status: number, Location: string, { settings }: RequestContext): ApiResponse => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', Location },
  maxAge: settings.cacheSeconds,
  // Any path can lead somewhere, so that these responses could fill the cache.
  isStored: false,
  body: Buffer.from(`This page is at ${Location}\n`),
})

const categoryOf = (path: string): string | undefined => /^category:(.+)$/s.exec(path)?.[1]

/** What is around a page, read with the requests of the demo reader. */
const navigationOf = async (place: { locale: string; path: string }, { read }: OwnApi, root: string) => {
  const { Navigation, searchOf } = await loadModules()
  const { say } = await shellFor(place.locale)
  const get = async (path: string, query: object) => JSON.parse((await read(path + searchOf(query))).text)
  const urlOf = (path: string) => `${root}${WIKI_PAGES_PATH.slice(1)}${place.locale}/${encodePath(path)}`
  return new Navigation(place, { get, say, urlOf })
}

/** What the reader shows, or the URL to which the page moved. */
const shownPage = async (
  { locale, path }: { locale: string; path: string },
  context: RequestContext,
  api: OwnApi,
  root: string,
): Promise<ShownPage | string> => {
  const { read } = api
  if (path === '') return homePage(locale, context, api, root)
  const category = categoryOf(path)
  // The requests of the demo reader, which then finds their responses in the cache.
  const { status, text, link } = await read(
    category === undefined
      ? `/pages/${encodeURIComponent(path)}?locale=${locale}&format=html&include=summary,links`
      : `/categories/${encodeURIComponent(category)}?locale=${locale}&limit=50`,
  )
  const [, moved] = /<([^>]*)>; rel="successor-version"/.exec(link) ?? []
  const target = moved && (await read(moved.slice(context.base.length)))
  if (target && target.status === 200) return JSON.parse(target.text).url
  const navigation = await navigationOf({ locale, path }, api, root)
  const folder = status === 200 ? undefined : await navigation.folder()
  if (folder) return { status: 200, locale, ...folder, content: { ...(await navigation.parts()), ...folder } }
  if (status !== 200) return { status: 404, locale }
  const { title, url, summary, html, translations = [], ...found } = JSON.parse(text)
  if (category !== undefined) return { status, locale, title: found.category.name, url: found.category.url }
  const description = summary.replace(/\s+/g, ' ').trim()
  const { withBreaks, withoutHeading } = await loadModules()
  const { heading, id, body } = withoutHeading(title, html)
  const parts = found.ns === 'main' ? await navigation.parts() : { trail: '', tree: '' }
  const content = { ...parts, heading, id, article: articleOf(body, withBreaks) }
  return { status, locale, title, url, description, languages: [{ locale, url }, ...translations], content }
}

/** The main page of a language, or else the first page of its site. Without one, what is in the wiki. */
const homePage = async (
  locale: string,
  context: RequestContext,
  api: OwnApi,
  root: string,
): Promise<ShownPage | string> => {
  const { wiki, pagesRoot } = context
  const title = wiki.locales.find((one) => one.locale === locale)?.name
  const home: ShownPage = { status: 200, title, url: pagesRoot + locale, locale, languages: wiki.locales }
  const { mainPaths, searchOf } = await loadModules()
  const wanted = mainPaths(locale, (await shellFor(locale)).say)
  const { status, text } = await api.read(`/pages${searchOf({ locale, path: wanted })}`)
  const listed: { path: string; missing?: true }[] = status === 200 ? JSON.parse(text).items : []
  const navigation = await navigationOf({ locale, path: '' }, api, root)
  const main = listed.find(({ missing }) => !missing)?.path ?? (await navigation.firstPath())
  const shown = main === undefined ? home : await shownPage({ locale, path: main }, context, api, root)
  if (typeof shown === 'string') return home
  const { url, languages } = home
  if (shown.content?.article.trim()) return { ...shown, url, languages }
  // Of some sites, the main page has a layout without text.
  const folder = await navigation.folder()
  if (!folder) return home
  const content = shown.content ?? { ...(await navigation.parts()), heading: escapeHtml(wiki.name) }
  return { ...shown, url, languages, content: { ...content, article: folder.article } }
}

/** HTML of the API, in which each `<` begins a tag, as the demo reader will show it: then nothing moves. */
const articleOf = (body: string, withBreaks: (code: string) => string): string =>
  body
    .replace(/<(h[2-6])( id="[^>]*>.*?<\/\1>)/gs, '<div class="heading $1"><$1$2</div>')
    .replace(/<table\b.*?<\/table>/gs, '<div class="table"><div class="scroller">$&</div></div>')
    .replace(/<pre><code\b.*?<\/pre>/gs, '<div class="code">$&</div>')
    .replace(/(?<!<pre>)<code>[^<]+/g, (code) => withBreaks(code))
    .replace(' loading="lazy"', '')
