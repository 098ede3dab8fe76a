import { UsageError } from '@lectern/wiki/errors'
import { AddressRefused } from '@lectern/wiki/import/web-client'
import { quote } from '@lectern/wiki/text'
import { MediawikiApi } from './client.ts'
import { MEDIAWIKI_API, type PoliteHttp, parseUrl } from './http.ts'
import { readSite, type SiteMoment } from './site.ts'

/** Paths where the API mostly is. */
const USUAL_PATHS = ['/w/api.php', '/api.php', '/wiki/api.php', '/mediawiki/api.php']
/** Attempts of a request while it is not yet known whether there is a wiki. */
const ATTEMPTS = 2

export const isWebAddress = (location: string): boolean => /^https?:\/\//i.test(location)

/**
 * Finds the Action API of a wiki: by its own URL, as web pages of a MediaWiki name it, or where it mostly is.
 * @param location URL of the wiki, of one of its pages, of `index.php` or of `api.php`
 * @throws UsageError if there is none, the wiki is private, or it cannot be reached
 */
export const findApi = async (
  location: string,
  http: PoliteHttp,
): Promise<{ api: MediawikiApi; site: SiteMoment }> => {
  const url = parseUrl(location)
  if (url === null) throw new UsageError(`${quote(location)} is not a URL.`)
  if (url.username !== '' || url.password !== '')
    throw new UsageError('The URL of a wiki must not contain a password. Lectern reads wikis as a guest.')
  if (/\/api\.php\d*$/.test(url.pathname)) return openApi(new URL(url.pathname, url).href, http)
  const page = await http.get(url.href, {
    maxBytes: MEDIAWIKI_API.htmlBytes,
    isCut: true,
    attempts: ATTEMPTS,
  })
  const named = editUri(page.text, page.url)
  if (named !== null) return openApi(named, http)
  const candidates = [
    ...(/\/index\.php/.test(url.pathname) ? [url.pathname.replace(/\/index\.php.*$/, '/api.php')] : []),
    ...USUAL_PATHS,
  ]
  for (const path of new Set(candidates)) {
    const found = await openApi(new URL(path, page.url).href, http).catch((error: unknown) => {
      if (error instanceof UsageError && !(error instanceof AddressRefused)) return null
      throw error
    })
    if (found !== null) return found
  }
  throw new UsageError(
    `${quote(location)} is not a MediaWiki, or its API is disabled. If it is one, give the URL of its api.php.`,
  )
}

const openApi = async (href: string, http: PoliteHttp): Promise<{ api: MediawikiApi; site: SiteMoment }> => {
  const api = new MediawikiApi(href, http)
  return { api, site: await readSite(api, ATTEMPTS) }
}

/** The URL of the API in `<link rel="EditURI" href="//wiki.example/w/api.php?action=rsd">`; null if there is none. */
const editUri = (html: string, base: string): string | null => {
  for (const [tag] of html.matchAll(/<link\s[^<>]{0,2000}>/gi)) {
    if (!/\srel\s*=\s*["']?EditURI\b/i.test(tag)) continue
    const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag)
    const url = parseUrl((href?.[1] ?? href?.[2] ?? href?.[3] ?? '').replaceAll('&amp;', '&'), base)
    if (url !== null) return new URL(url.pathname, url).href
  }
  return null
}
