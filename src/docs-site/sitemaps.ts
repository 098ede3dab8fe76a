import { NotFound, Overloaded } from '@lectern/wiki/errors'
import { API_PATH } from '../paths.ts'
import type { OwnApi } from '../rest/openapi/own-api.ts'
import type { RequestContext } from '../rest/route.ts'
import { textResponse } from '../rest/transport/responses.ts'
import { shownLocales } from './pages.ts'
import { escapeHtml } from './template.ts'

/** As many pages as a sitemap may have. Those that follow in the order of paths are missing. */
const PAGES_MAX = 50_000

/**
 * The response with robots.txt, the sitemap index or the sitemap of a language, for the languages without a website.
 * @throws NotFound if the language, or each, has one @throws PublicError when the service is overloaded
 */
export const sitemapResponse = async (path: string, context: RequestContext, api?: OwnApi) => {
  const { base, settings } = context
  const locales = shownLocales(context)
  const [known, locale] = /^\/(?:robots\.txt|sitemap(?:-([\w-]+))?\.xml)\/?$/.exec(path) ?? []
  if (!known || !locales[0] || !locales.includes(locale ?? locales[0]))
    throw new NotFound('This URL does not exist.')
  const start = `${base.slice(0, -API_PATH.length)}/sitemap`
  const respond = (text: string, type: string) =>
    textResponse(text, `${type}; charset=utf-8`, settings.cacheSeconds)
  if (path.startsWith('/robots'))
    return respond(`User-agent: *\nDisallow:\n\nSitemap: ${start}.xml\n`, 'text/plain')
  const sitemaps = locales.map(
    (one) => `<sitemap><loc>${escapeHtml(`${start}-${one}.xml`)}</loc></sitemap>\n`,
  )
  const [list, entries] = locale ? ['urlset', await pageEntries(locale, api)] : ['sitemapindex', sitemaps]
  const opening = `<?xml version="1.0" encoding="UTF-8"?>\n<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
  return respond(`${opening}\n${entries.join('')}</${list}>\n`, 'application/xml')
}

/** The URLs of pages, and when each was edited. The list is read in parts, so that other requests have their turn. */
const pageEntries = async (locale: string, api: OwnApi | undefined): Promise<string[]> => {
  const entries: string[] = []
  let after = ''
  do {
    if (!api) throw new Overloaded(5)
    const query = new URLSearchParams({ locale, limit: '200', after })
    const { items, next } = JSON.parse((await api.read(`/pages?${query}`)).text)
    for (const { url, revision } of items)
      entries.push(`<url><loc>${escapeHtml(url)}</loc><lastmod>${revision.created_at}</lastmod></url>\n`)
    after = next
  } while (after !== '' && entries.length < PAGES_MAX)
  return entries
}
