import { makeWikiAddresses, pageAt } from '@lectern/wiki/links'
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

/** What the reader shows, or the URL to which the page moved. */
const shownPage = async (
  { locale, path }: { locale: string; path: string },
  context: RequestContext,
  api: OwnApi,
  root: string,
): Promise<ShownPage | string> => {
  const { wiki, pagesRoot, base } = context
  const { read } = api
  if (path === '') {
    const title = wiki.locales.find((one) => one.locale === locale)?.name
    const home: ShownPage = { status: 200, title, url: pagesRoot + locale, locale, languages: wiki.locales }
    const { mainPaths } = await loadModules()
    const wanted = mainPaths(locale, (await shellFor(locale)).say)
    const main = (await existing(wanted, locale, api))[0]?.path
    const shown = main === undefined ? home : await shownPage({ locale, path: main }, context, api, root)
    // Of some sites, the main page has a layout without text.
    return typeof shown !== 'string' && shown.content?.article.trim()
      ? { ...shown, url: home.url, languages: home.languages }
      : home
  }
  const category = categoryOf(path)
  // The requests of the demo reader, which then finds their responses in the cache.
  const { status, text, link } = await read(
    category === undefined
      ? `/pages/${encodeURIComponent(path)}?locale=${locale}&format=html&include=summary,links`
      : `/categories/${encodeURIComponent(category)}?locale=${locale}&limit=50`,
  )
  const [, moved] = /<([^>]*)>; rel="successor-version"/.exec(link) ?? []
  const target = moved && (await read(moved.slice(base.length)))
  if (target && target.status === 200) return JSON.parse(target.text).url
  if (status !== 200) {
    const below = await read(`/pages?${new URLSearchParams({ prefix: `${path}/`, locale, limit: '1' })}`)
    const isFolder = below.status === 200 && JSON.parse(below.text).items.length > 0
    return isFolder ? { status: 200, locale, title: path } : { status: 404, locale }
  }
  const { title, url, summary, html, translations = [], ...found } = JSON.parse(text)
  if (category !== undefined) return { status, locale, title: found.category.name, url: found.category.url }
  const description = summary.replace(/\s+/g, ' ').trim()
  const trail = found.ns === 'main' ? await trailOf({ locale, path }, pagesRoot, api, root) : ''
  const { inLanguage, withBreaks, withoutHeading } = await loadModules()
  const { heading: own = escapeHtml(title), id, body } = withoutHeading(title, html)
  const heading = `<h1 lang="${locale}" dir="${inLanguage(locale).dir}"${id && ` id="${id}"`}>${own}</h1>`
  const content = { trail, heading, article: articleOf(body, withBreaks) }
  return { status, locale, title, url, description, languages: [{ locale, url }, ...translations], content }
}

interface ListedPage {
  path: string
  title: string
  url: string
  missing?: true
}

/** Those of some pages that exist, in the same order. */
const existing = async (
  paths: readonly string[],
  locale: string,
  { read }: OwnApi,
): Promise<readonly ListedPage[]> => {
  const query = new URLSearchParams([['locale', locale], ...paths.map((path) => ['path', path])])
  const { status, text } = await read(`/pages?${query}`)
  const items: ListedPage[] = status === 200 ? JSON.parse(text).items : []
  return items.filter(({ missing }) => !missing)
}

/** In the path of a page, deeper folders are no links. */
const LINKED_MAX = 50

/** Links to the folders above a page: to the page of the folder, or else to the list of its pages. */
const trailOf = async (
  { locale, path }: { locale: string; path: string },
  pagesRoot: string,
  api: OwnApi,
  root: string,
): Promise<string> => {
  const { foldersAbove, entryTitle } = await loadModules()
  const folders = foldersAbove(path).slice(0, LINKED_MAX)
  if (folders.length === 0) return ''
  const pages = await existing(
    folders.map((folder) => folder.slice(0, -1)),
    locale,
    api,
  )
  const items = folders.map((folder) => {
    const page = pages.find((one) => one.path === folder.slice(0, -1))
    const title = entryTitle({ name: folder.split('/').at(-2)!, page, isFolder: true })
    const list = `${root}${DOCS_PAGES.reader.slice(1)}?${new URLSearchParams({ pages: folder, locale })}`
    const url = page?.url.replace(pagesRoot, `${root}${WIKI_PAGES_PATH.slice(1)}`) ?? list
    return `<li><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></li>`
  })
  return items.join('')
}

/** HTML of the API, in which each `<` begins a tag, as the demo reader will show it: then nothing moves. */
const articleOf = (body: string, withBreaks: (code: string) => string): string =>
  body
    .replace(/<(h[2-6])( id="[^>]*>.*?<\/\1>)/gs, '<div class="heading $1"><$1$2</div>')
    .replace(/<table\b.*?<\/table>/gs, '<div class="table"><div class="scroller">$&</div></div>')
    .replace(/<pre><code\b.*?<\/pre>/gs, '<div class="code">$&</div>')
    .replace(/(?<!<pre>)<code>[^<]+/g, (code) => withBreaks(code))
    .replace(' loading="lazy"', '')
