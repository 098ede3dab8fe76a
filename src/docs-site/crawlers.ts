import { NotFound, Overloaded } from '@lectern/wiki/errors'
import { SITEMAP_PAGES_MAX } from '../limits/service.ts'
import { encodeInQuotes, siteRootOf } from '../paths.ts'
import type { OwnApi } from '../rest/openapi/own-api.ts'
import type { RequestContext } from '../rest/route.ts'
import { type ApiResponse, textResponse } from '../rest/transport/responses.ts'
import { type PageRequest, shownLocales } from './pages.ts'
import { DOCS_PAGES, mcpUrl } from './paths.ts'
import { escapeHtml, fill } from './template.ts'

/** What programs read of the site: `/llms.txt` for agents, `/.well-known/api-catalog`, `/robots.txt` and sitemaps for search engines. */

/** The response with `/llms.txt`, in the format of https://llmstxt.org: Markdown for agents. (D102) */
export const llmsResponse = async ({ context, branding, api }: Omit<PageRequest, 'name'>) => {
  const values = await api?.values()
  const { wiki, base, locale, settings, attribution } = context
  const languages = wiki.locales.map((one) => `${one.locale} (${one.name})`).join(', ')
  const limit =
    settings.requestsPerMinute === 0
      ? 'There is no rate limit, but send one request at a time.'
      : `Rate limit: ${settings.requestsPerMinute} requests per minute for each network address. After a 429 or 503, wait for the seconds in \`Retry-After\`.`
  const server = mcpUrl(context)
  const mcp =
    server === undefined
      ? ''
      : `\n- If you speak the Model Context Protocol, add the server ${server} (streamable HTTP). Its tools search, read and compare pages.`
  const words = encodeInQuotes(values?.words ?? 'WORDS')
  const license = context.isLicenseKnown
    ? context.license
    : `unknown, so ask the operators of the wiki before you reuse it (${context.license}).`
  const name = branding.name ?? wiki.name
  const texts = { base, locale, languages, limit, mcp, attribution, name, license, words }
  const text = await fill('llms.txt', {}, texts)
  return textResponse(text, 'text/plain; charset=utf-8', settings.cacheSeconds, { 'Content-Language': 'en' })
}

/** Where the description and the documentation of the API are, as a link set (RFC 9264, RFC 9727). */
export const catalogResponse = ({ base, settings }: RequestContext): ApiResponse => {
  const desc = { href: `${base}/openapi.json`, type: 'application/json' }
  const doc = { href: `${base}/docs`, type: 'text/html' }
  const text = JSON.stringify({ linkset: [{ anchor: base, 'service-desc': [desc], 'service-doc': [doc] }] })
  const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
  return textResponse(text, type, settings.cacheSeconds)
}

/**
 * The response with robots.txt, the sitemap index or a sitemap, for the languages without a website. Each language has a
 * sitemap for 50,000 pages: `/sitemap-en.xml`, `/sitemap-en.2.xml` and so on.
 * @throws NotFound if the language, or each, has one @throws PublicError when the service is overloaded
 */
export const sitemapResponse = async (
  path: string,
  context: RequestContext,
  api?: OwnApi,
  pagesMax = SITEMAP_PAGES_MAX,
) => {
  const { base, settings } = context
  const locales = shownLocales(context)
  const [known, locale, part = '1'] =
    /^\/(?:robots\.txt|sitemap(?:-([\w-]+)(?:\.([2-9]|[1-9]\d+))?)?\.xml)\/?$/.exec(path) ?? []
  if (!known || !locales[0] || !locales.includes(locale ?? locales[0]))
    throw new NotFound('This URL does not exist.')
  const start = `${siteRootOf(base)}/sitemap`
  const respond = (text: string, type: string) =>
    textResponse(text, `${type}; charset=utf-8`, settings.cacheSeconds)
  if (path.startsWith('/robots'))
    return respond(`User-agent: *\nDisallow: ${DOCS_PAGES.reader}?\n\nSitemap: ${start}.xml\n`, 'text/plain')
  if (!api) throw new Overloaded(5)
  const sitemapsOf = async (one: string) =>
    ['', ...(await api.pageStarts(one)).map((_, i) => `.${i + 2}`)].map(
      (suffix) => `<sitemap><loc>${escapeHtml(`${start}-${one}${suffix}.xml`)}</loc></sitemap>\n`,
    )
  const [list, entries] = locale
    ? ['urlset', await pageEntries(locale, Number(part), api, pagesMax)]
    : ['sitemapindex', (await Promise.all(locales.map(sitemapsOf))).flat()]
  const opening = `<?xml version="1.0" encoding="UTF-8"?>\n<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
  return respond(`${opening}\n${entries.join('')}</${list}>\n`, 'application/xml')
}

/** The URLs of pages, and when each was edited. The list is read in parts, so that other requests have their turn. */
const pageEntries = async (locale: string, part: number, api: OwnApi, most: number): Promise<string[]> => {
  const entries: string[] = []
  const after = part === 1 ? '' : (await api.pageStarts(locale))[part - 2]
  if (after === undefined) throw new NotFound('This URL does not exist.')
  let pages = await api.pagesAfter(locale, after)
  while (pages.length > 0 && entries.length < most) {
    for (const { url, revision } of pages)
      entries.push(`<url><loc>${escapeHtml(url)}</loc><lastmod>${revision.created_at}</lastmod></url>\n`)
    pages = await api.pagesAfter(locale, pages.at(-1)!.path)
  }
  return entries
}
