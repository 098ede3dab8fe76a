import {
  encodeSegment,
  isOnWiki,
  pageAt,
  pageUrl,
  type WikiAddresses,
  wikiAddressOf,
  wikiFilesAddressOf,
} from './links.ts'
import { namespaceOf } from './namespaces.ts'
import { nfc } from './text.ts'

/** Where a text stands: the page whose Markdown it is, and the wiki around it. */
export interface LinkContext {
  addresses: WikiAddresses
  locale: string
  path: string
  /** Every language of the wiki: `/ru/sencha` is a page of `ru` only where there is `ru`. */
  locales: ReadonlySet<string>
}

/** What a reference of a text leads to. */
interface LinkTarget {
  /** Absolute, of a scheme in `LINK_SCHEMES`, without user and password. */
  href: string
  /** Whether it leads to a host that is not the wiki's. */
  external: boolean
}

/**
 * A link of a page as an absolute address: pages of the wiki in their one form (language's address, no
 * `.md`, no `/index`), everything else as the URL standard resolves it.
 * @returns null for what leads nowhere safe: other schemes, addresses that cannot be read
 */
export const linkTarget = (reference: string, place: LinkContext): LinkTarget | null => {
  const { path, suffix, whole } = takeApart(reference)
  if (namespaceOf(path) !== 'main') return onWiki(wikiUrl(resolve(`/${path}`, place), place, false), suffix)
  if (isOuter(path)) return outer(whole, place, false)
  if (path === '') return onWiki(pageUrl(place.addresses, place.locale, place.path), suffix)
  return onWiki(wikiUrl(resolve(path, place), place, false), suffix)
}

/**
 * The address of an image or other media, absolute; the path is kept as written.
 * @returns null for anything but http and https, and for no address at all
 */
export const fileUrl = (reference: string, place: LinkContext): string | null => {
  const { path, suffix, whole } = takeApart(reference)
  if (path === '') return null
  const target = isOuter(path)
    ? outer(whole, place, true)
    : onWiki(wikiUrl(resolve(path, place), place, true), suffix)
  return target?.href.startsWith('http') ? target.href : null
}

/** Extensions of files that wikis link to. Page names have dots too (`Vue.js`, `v2.0`), so not any will do. */
const FILE =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|mp[34]|m4[av]|og[agv]|opus|wav|flac|webm|mov|pdf|epub|zip|gz|t[ag][rz]|bz2|xz|7z|rar|csv|tsv|txt|json|xml|ya?ml|docx?|xlsx?|pptx?|od[tsp]|html?)$/i

/**
 * Schemes that a link may have: the web, and those that name a person, a place, a file or a room. Of MediaWiki's
 * default list those are left out that start a program with arguments from the link, such as ssh and telnet.
 */
export const LINK_SCHEMES = [
  'http',
  'https',
  'mailto',
  'tel',
  'sms',
  'geo',
  'xmpp',
  'irc',
  'ircs',
  'matrix',
  'magnet',
  'sip',
  'sips',
  'news',
  'nntp',
  'ftp',
  'ftps',
  'bitcoin',
  'urn',
] as const

const LINK_PROTOCOLS: ReadonlySet<string> = new Set(LINK_SCHEMES.map((scheme) => `${scheme}:`))

const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const DOT = /^(?:\.|%2e)$/i
const DOT_DOT = /^(?:\.|%2e){2}$/i

/** As the URL standard reads a reference: no tabs or line ends, no controls or spaces around, `\` is `/`. */
const takeApart = (reference: string): { path: string; suffix: string; whole: string } => {
  const text = reference.toWellFormed().replace(/[\t\n\r]+/g, '')
  let [start, end] = [0, text.length]
  while (start < end && text.charCodeAt(start) <= 32) start++
  while (end > start && text.charCodeAt(end - 1) <= 32) end--
  const whole = text.slice(start, end)
  const cut = whole.search(/[?#]/)
  const path = (cut < 0 ? whole : whole.slice(0, cut)).replaceAll('\\', '/')
  return { path, suffix: cut < 0 ? '' : whole.slice(cut), whole }
}

const isOuter = (path: string): boolean => path.startsWith('//') || SCHEME.test(path)

const outer = (reference: string, place: LinkContext, media: boolean): LinkTarget | null => {
  const base = pageUrl(place.addresses, place.locale, place.path)
  if (!URL.canParse(reference, base)) return null
  const url = new URL(reference, base)
  if (!LINK_PROTOCOLS.has(url.protocol)) return null
  url.username = ''
  url.password = ''
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    // An opaque path keeps these as they are.
    return { href: url.href.replace(/["'<>`\s]/g, encodeURIComponent), external: url.host !== '' }
  }
  const page = media || FILE.test(url.pathname) ? null : pageAt(place.addresses, url, place.locales)
  if (!page) return { href: url.href, external: !isOnWiki(place.addresses, url) }
  return onWiki(pageUrl(place.addresses, page.locale, pageName(page.path)), url.search + url.hash)
}

const onWiki = (url: string, suffix: string): LinkTarget => ({
  href: new URL(url + suffix).href,
  external: false,
})

interface Resolved {
  locale: string
  segments: string[]
  /** Whether it was written from the wiki's root without a language. */
  bare: boolean
}

/** Dot segments are taken out before decoding, so that `a%2F..%2Fb` stays the page that it names. */
const resolve = (path: string, place: LinkContext): Resolved => {
  const rooted = path.startsWith('/')
  const segments = rooted ? [] : place.path.split('/').slice(0, -1)
  for (const raw of path.split('/')) {
    if (DOT_DOT.test(raw)) segments.pop()
    else if (raw !== '' && !DOT.test(raw)) segments.push(decoded(raw))
  }
  const first = segments[0]?.toLowerCase()
  if (!rooted || first === undefined || !place.locales.has(first)) {
    return { locale: place.locale, segments, bare: rooted }
  }
  return { locale: first, segments: segments.slice(1), bare: false }
}

const wikiUrl = (
  { locale, segments, bare }: Resolved,
  { addresses }: LinkContext,
  media: boolean,
): string => {
  if (!media && !FILE.test(segments.at(-1) ?? '')) {
    return pageUrl(addresses, locale, pageName(segments.join('/')))
  }
  const root = bare ? wikiFilesAddressOf(addresses, locale) : wikiAddressOf(addresses, locale)
  return `${root}/${segments.map(encodeSegment).join('/')}`
}

/** What a link calls a page, as the page is called: `guide/index.md` is `guide`. */
const pageName = (path: string): string =>
  nfc(path.replace(/(?<=[^/])\.mdx?$/i, '').replace(/(?<=[^/])\/index$/, ''))

/** A stray `%` means itself. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
