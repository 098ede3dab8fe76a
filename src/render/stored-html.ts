import { randomBytes } from 'node:crypto'
import { makeWikiAddresses, type WikiAddresses, wikiAddressOf, wikiFilesAddressOf } from '@lectern/wiki/links'
import { LRUCache } from 'lru-cache'
import type { RenderJob } from './render-result.ts'

/**
 * Addresses for HTML that the database stores: each service puts its own in their place. Their host is random, so that no
 * author can write it. (D144)
 * @returns `host`: what `makeStoredHtmlReader` needs to know of them; `origin`: of files
 */
export const makeStoredAddresses = () => {
  const host = `wiki-${randomBytes(12).toString('hex')}.invalid`
  const addresses = makeWikiAddresses({ byLocale: {}, fallback: `https://${host}` })
  return { host, addresses, origin: `https://files.${host}` }
}

/** What is below one of these addresses, up to the next segment: a language, or a segment of a file's path. */
const addressPattern = (host: string): RegExp =>
  new RegExp(`https://(files\\.)?${host.replaceAll('.', '\\.')}(?:/([^/"?#\\s,]*))?`, 'g')

/**
 * May be a link such as `//host/path` or `http:path`, which the URL standard reads by the scheme of the wiki: stored HTML has
 * https. Entities can stand for its signs.
 */
const LINK_WITHOUT_SCHEME =
  /(?<![:\\/])[\\/]{2,}[^\s\\/]|\bhttps?:(?!\/\/)|&(?:#|b?sol;|colon;|tab;|newline;)/i

/** An address as the sanitizer writes it. Segments of stored HTML are so already. */
const escaped = (address: string): string => address.replaceAll('&', '&amp;')

/**
 * Returns stored HTML with the addresses of a service; null if rendering could give other HTML, because the text may link
 * to them by URL.
 * @param origin where the service serves files
 */
export const makeStoredHtmlReader = (addresses: WikiAddresses, origin: string) => {
  const hosts = [...new Set(addresses.roots.map(({ host }) => host))]
  const patterns = new LRUCache<string, RegExp>({ max: 100, memoMethod: addressPattern })
  return (html: string, host: string, { markdown, context }: RenderJob): string | null => {
    const { locale, locales } = context
    if (hosts.some((own) => html.includes(own))) return null
    if (wikiAddressOf(addresses, locale).startsWith('http:') && LINK_WITHOUT_SCHEME.test(markdown))
      return null
    const addressOf = (isFile?: string, segment?: string): string => {
      if (!isFile && segment !== undefined && locales.has(segment))
        return escaped(wikiAddressOf(addresses, segment))
      const root = escaped(isFile ? origin : wikiFilesAddressOf(addresses, locale))
      return segment === undefined ? root : `${root}/${segment}`
    }
    return html.replace(patterns.memo(host), (_, isFile, segment) => addressOf(isFile, segment))
  }
}
