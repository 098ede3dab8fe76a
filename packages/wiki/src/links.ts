import { decodeHTMLStrict } from 'entities'
import { UsageError } from './errors.ts'
import { matchEnd } from './inline-html.ts'
import type { PageKey } from './records.ts'
import { nfc } from './text.ts'

/** Characters that failed lookaheads may still read, so that unclosed marks take linear time. Then marks count as text. */
export type WorkBudget = { left: number }

export const budgetFor = (text: string): WorkBudget => ({ left: 4 * text.length + 1000 })

/** The URL, as written, of a `(url "title")` that starts at a position, and its end; null if it has none. */
export const destinationAt = (text: string, start: number, budget: WorkBudget) => {
  if (budget.left <= 0) return null
  const from = skipSpace(text, start + 1)
  const to = urlEnd(text, from)
  let at = skipSpace(text, to)
  const quote = '"\'('.indexOf(text[at] || ' ')
  if (at > to && quote >= 0) {
    const end = text.indexOf('"\')'[quote]!, at + 1)
    at = end < 0 ? text.length : skipSpace(text, end + 1)
  }
  if (text[at] === ')') return { url: text.slice(from, to), end: at + 1 }
  budget.left -= at - start
  return null
}

/** A link destination as written in Markdown, without its angle brackets, escapes and entities. */
export const unescapeDestination = (written: string): string => {
  const url = written.startsWith('<') && written.endsWith('>') ? written.slice(1, -1) : written
  return /[\\&]/.test(url) ? decodeHTMLStrict(url.replace(ESCAPED, '$1')) : url
}

const ESCAPED = /\\([!-/:-@[-`{-~])/g
const SPACE = /\s*/y
const ANGLED = /<[^<>\n]*>/y

/** A URL ends at its `>`, at white space, or at an unmatched closing parenthesis. */
const urlEnd = (text: string, start: number): number => {
  const angled = matchEnd(ANGLED, text, start)
  if (angled >= 0) return angled
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (char === '\\') at++
    else if (char === '(') depth++
    else if (char <= ' ' || (char === ')' && depth-- === 0)) return at
  }
  return text.length
}

/** Position of the first character at or after a position that is not white space. */
export const skipSpace = (text: string, position: number): number => matchEnd(SPACE, text, position)

/** The URLs of the wiki in each language. Immutable. */
export type WikiAddresses = Readonly<ReturnType<typeof makeWikiAddresses>>

/** @throws UsageError if a configured URL is not http or https, or contains a user, a query or a fragment */
export const makeWikiAddresses = (config: { byLocale: Record<string, string>; fallback: string }) => {
  const fallback = normalizeBaseUrl(config.fallback)
  const byLocale: ReadonlyMap<string, string> = new Map(
    Object.entries(config.byLocale).map(([locale, url]) => [locale.toLowerCase(), normalizeBaseUrl(url)]),
  )
  const roots = [rootOf(fallback, null), ...[...byLocale].map(([locale, url]) => rootOf(url, locale))]
  return {
    /** Base URL of each configured language, without a trailing slash: `https://en.wiki.example`. */
    byLocale,
    /** Base URL of all other languages; the locale follows it: `https://wiki.example`. */
    fallback,
    /** All base URLs in parts, the longest path first, to find the page of a URL. */
    roots: roots.sort((a, b) => b.prefix.length - a.prefix.length),
  }
}

/** URL of the front page of a language, without a trailing slash. */
export const wikiAddressOf = (addresses: WikiAddresses, locale: string): string =>
  addresses.byLocale.get(locale) ?? `${addresses.fallback}/${encodeSegment(locale)}`

/** Base URL of files that belong to no language: that of the language, without the locale if that is its last segment. */
export const wikiFilesAddressOf = (addresses: WikiAddresses, locale: string): string => {
  const url = wikiAddressOf(addresses, locale)
  const suffix = `/${locale}`
  return new URL(url).pathname.endsWith(suffix) ? url.slice(0, -suffix.length) : url
}

/**
 * Absolute URL of a page. `new URL()` does not change it, and `pageAt` returns the same page, except for the paths
 * `.` and `..`: URL parsers read `%2E` as `.`, so no URL can express them, and they lead to the front page.
 */
export const pageUrl = (addresses: WikiAddresses, locale: string, path: string): string =>
  `${wikiAddressOf(addresses, locale)}/${encodePath(path)}`

/** Absolute URL of a page on its site. @param sitePath with a slash at its beginning, and perhaps at its end */
export const siteUrl = (addresses: WikiAddresses, page: PageKey, sitePath: string): string => {
  const address = wikiAddressOf(addresses, page.locale)
  const [folder = ''] = /^\/[^/]+/.exec(sitePath) ?? []
  // The address can name the folder in which the site has all pages: `https://tea.example/docs`.
  const isNamed = !`/${page.path}/`.startsWith(`${folder}/`) && new URL(address).pathname.endsWith(folder)
  return address + sitePath.slice(isNamed ? folder.length : 0).replace(/[^/]+/g, encodePath)
}

/** Absolute URL of the bytes of a file. @param origin of the service, without a slash at the end; path: of the file */
export const mediaUrl = (origin: string, sha256: string, path: string): string =>
  `${origin}/media/${sha256}/${encodeSegment(path.slice(path.lastIndexOf('/') + 1))}`

/**
 * The page of an http or https URL, without scheme, query, fragment and last slash. An empty path is the front page.
 * @param locales languages that the first segment after the fallback URL can name
 * @returns null for a URL outside the wiki, or one that is not UTF-8
 */
export const pageAt = (addresses: WikiAddresses, url: URL, locales: ReadonlySet<string>): PageKey | null => {
  for (const root of addresses.roots) {
    if (!isUnder(root, url)) continue
    const path = url.pathname.slice(root.prefix.length + 1).replace(/\/$/, '')
    const segments = path.split('/')
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

/** Whether an http or https URL belongs to the wiki, whether it is a page or not. */
export const isOnWiki = (addresses: WikiAddresses, url: URL): boolean =>
  addresses.roots.some((root) => isUnder(root, url))

/** Percent-encodes a segment of a path; also quotes, because users paste URLs into attributes and shells. */
export const encodeSegment = (segment: string): string =>
  PLAIN_SEGMENT.test(segment)
    ? segment
    : encodeURIComponent(segment.toWellFormed())
        .replace(ALLOWED_IN_SEGMENTS, decodeURIComponent)
        .replaceAll("'", '%27')

/** Needs no encoding: most segments, and every locale. */
const PLAIN_SEGMENT = /^[\w.~-]*$/
/** What `encodeURIComponent` encodes, although it is allowed in a path. */
const ALLOWED_IN_SEGMENTS = /%(?:24|26|2B|2C|3A|3B|3D|40)/g

const isUnder = (root: ReturnType<typeof rootOf>, url: URL): boolean =>
  url.host === root.host && (url.pathname === root.prefix || url.pathname.startsWith(`${root.prefix}/`))

/** Needs no encoding and has no dot segment: most paths. This check takes a tenth of the time of encoding. */
const PLAIN_PATH = /^[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*$/

/** An encoded slash between two segments that are neither empty nor a dot segment. */
const STABLE_SLASH = /(?<!(?:^|%2F)\.{0,2})%2F(?!\.{0,2}(?:%2F|$))/g

/** Encodes a slash next to an empty or a dot segment as `%2F`, because URL parsers remove or merge such segments. (D6) */
export const encodePath = (path: string): string => {
  if (PLAIN_PATH.test(path)) return path
  if (path === '.' || path === '..') return path.replaceAll('.', '%2E')
  return encodeSegment(path).replace(STABLE_SLASH, '/')
}

const normalizeBaseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `The base URL of a wiki must be http or https, without user, query and fragment: ${JSON.stringify(text)}`,
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** @param locale null for the fallback, where the first segment is the locale @returns `prefix`: empty for the root of the host */
const rootOf = (baseUrl: string, locale: string | null) => {
  const { host, pathname } = new URL(baseUrl)
  return { host, prefix: pathname.replace(/\/$/, ''), locale }
}
