import { makeWikiAddresses, type WikiAddresses, wikiAddressOf, wikiFilesAddressOf } from '@lectern/wiki/links'
import type { RenderJob } from './render-result.ts'

/** HTML that the database stores: it has addresses that no wiki has, and each service puts its own in their place. (D144) */

const HOST = 'wiki.invalid'
/** Where pages and files are in stored HTML. */
export const STORED_ADDRESSES = makeWikiAddresses({ byLocale: {}, fallback: `https://${HOST}` })
export const STORED_ORIGIN = `https://files.${HOST}`

/** What is below one of these addresses, up to the next segment: a language, or a segment of a file's path. */
const STORED_ADDRESS = /https:\/\/(files\.)?wiki\.invalid(?![\w.:-])(?:\/([^/"?#\s,]*))?/g

/** Whether a text names the host of these addresses. Then its HTML is not stored. */
export const namesStoredHost = (markdown: string): boolean => markdown.includes(HOST)

/** May be a link such as `//host/path` or `http:path`, which the URL standard reads by the scheme of the wiki: stored HTML has https. */
const LINK_WITHOUT_SCHEME = /(?<![:\\/])[\\/]{2,}[^\s\\/]|\bhttps?:(?!\/\/)/i

/**
 * Returns stored HTML with the addresses of a service; null if rendering could give other HTML, because the text may link
 * to them by URL.
 * @param origin where the service serves files
 */
export const makeStoredHtmlReader = (addresses: WikiAddresses, origin: string) => {
  const hosts = [...new Set(addresses.roots.map(({ host }) => host))]
  return (html: string, { markdown, context: { locale, locales } }: RenderJob): string | null => {
    if (hosts.some((host) => html.includes(host))) return null
    if (wikiAddressOf(addresses, locale).startsWith('http:') && LINK_WITHOUT_SCHEME.test(markdown))
      return null
    return html.replace(STORED_ADDRESS, (_, isFile?: string, segment?: string) => {
      if (isFile) return `${origin}/${segment}`
      if (segment !== undefined && locales.has(segment)) return wikiAddressOf(addresses, segment)
      const root = wikiFilesAddressOf(addresses, locale)
      return segment === undefined ? root : `${root}/${segment}`
    })
  }
}
