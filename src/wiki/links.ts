import { UsageError } from '../errors.ts'
import { nfc } from './text.ts'

/** Where the pages of each language live on the wiki. Immutable; made by `makeAddresses`. */
export interface WikiAddresses {
  /** The address of a language that has its own, without trailing slash: `https://en.wiki.example`. */
  readonly byLocale: ReadonlyMap<string, string>
  /** What the addresses of all other languages begin with; the locale follows: `https://wiki.example`. */
  readonly fallback: string
  /** Every address taken apart, the most exact first, for reading an address back. */
  readonly roots: readonly Root[]
}

interface Root {
  host: string
  /** Path without trailing slash; empty at the top of the host. */
  prefix: string
  /** null for the fallback, where the first segment is the locale */
  locale: string | null
}

/** A page by its own address within a language; an empty path is the language's front page. */
export interface PageRef {
  locale: string
  path: string
}

/**
 * Addresses from configuration.
 * @throws UsageError when one is not http or https, or carries a user, a query or a fragment
 */
export const makeWikiAddresses = (given: {
  byLocale: Record<string, string>
  fallback: string
}): WikiAddresses => {
  const fallback = tidyAddress(given.fallback)
  const byLocale = new Map(
    Object.entries(given.byLocale).map(([locale, address]) => [locale.toLowerCase(), tidyAddress(address)]),
  )
  const roots = [rootOf(fallback, null), ...[...byLocale].map(([locale, address]) => rootOf(address, locale))]
  return { byLocale, fallback, roots: roots.sort((a, b) => b.prefix.length - a.prefix.length) }
}

/** Address of a language's front page, without trailing slash. */
export const wikiAddressOf = (addresses: WikiAddresses, locale: string): string =>
  addresses.byLocale.get(locale) ?? `${addresses.fallback}/${encodeSegment(locale)}`

/**
 * What files that belong to no language lie under (`/assets/tea.png`): the language's address, less the
 * locale where that is its last segment, as it is for every language without an address of its own.
 */
export const wikiFilesAddressOf = (addresses: WikiAddresses, locale: string): string => {
  const address = wikiAddressOf(addresses, locale)
  const ending = `/${locale}`
  return new URL(address).pathname.endsWith(ending) ? address.slice(0, -ending.length) : address
}

/**
 * Absolute link to a page. `new URL()` keeps it as it is, and `pageAt` gives the page back, for every path
 * but `.` and `..`: no address can say these, a parser reads `%2E` as `.`, and they lead to the front page.
 */
export const pageUrl = (addresses: WikiAddresses, locale: string, path: string): string =>
  `${wikiAddressOf(addresses, locale)}/${encodePath(path)}`

/**
 * The page that an absolute http(s) address names; http and https are taken for the same. Query and fragment
 * are ignored, one trailing slash too.
 * @param locales languages that the first segment after the fallback address may name
 * @returns null for an address outside the wiki, or one that is no UTF-8
 */
export const pageAt = (addresses: WikiAddresses, url: URL, locales: ReadonlySet<string>): PageRef | null => {
  for (const root of addresses.roots) {
    if (!isUnder(root, url)) continue
    const segments = url.pathname
      .slice(root.prefix.length + 1)
      .replace(/\/$/, '')
      .split('/')
    const locale = root.locale ?? segments.shift()?.toLowerCase() ?? ''
    if (root.locale === null && !locales.has(locale)) continue
    try {
      return { locale, path: nfc(segments.map(decodeURIComponent).join('/')) }
    } catch {
      return null
    }
  }
  return null
}

/** Whether an http(s) address is one of the wiki's, page or not. */
export const isOnWiki = (addresses: WikiAddresses, url: URL): boolean =>
  addresses.roots.some((root) => isUnder(root, url))

/**
 * A segment as it stands in an address: UTF-8, percent-encoded but for what a path may hold as it is.
 * Quotes are encoded too, since addresses are pasted into attributes and shells.
 */
export const encodeSegment = (segment: string): string =>
  PLAIN_SEGMENT.test(segment)
    ? segment
    : encodeURIComponent(segment.toWellFormed())
        .replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)
        .replaceAll("'", '%27')

/** Nothing to encode: most segments, and every locale. */
const PLAIN_SEGMENT = /^[\w.~-]*$/

const isUnder = (root: Root, url: URL): boolean =>
  url.host === root.host && (url.pathname === root.prefix || url.pathname.startsWith(`${root.prefix}/`))

/** Nothing to encode and no dot segment: most paths, for a tenth of the time. */
const PLAIN_PATH = /^[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*$/

/** A slash beside an empty or a dot segment is `%2F`: bare, a parser would swallow or merge these. */
const encodePath = (path: string): string => {
  if (PLAIN_PATH.test(path)) return path
  if (isDots(path)) return path.replaceAll('.', '%2E')
  const segments = path.split('/')
  return segments.reduce((before, segment, i) => {
    const bare = isSolid(segment) && isSolid(segments[i - 1] ?? '')
    return `${before}${i === 0 ? '' : bare ? '/' : '%2F'}${encodeSegment(segment)}`
  }, '')
}

const isDots = (segment: string): boolean => segment === '.' || segment === '..'

const isSolid = (segment: string): boolean => segment !== '' && !isDots(segment)

const tidyAddress = (address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : null
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`not the http or https address of a wiki: ${JSON.stringify(address)}`)
  }
  return url.href.replace(/\/+$/, '')
}

const rootOf = (address: string, locale: string | null): Root => {
  const { host, pathname } = new URL(address)
  return { host, prefix: pathname.replace(/\/$/, ''), locale }
}
