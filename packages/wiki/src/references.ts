import type { FileDescription } from './files/media-type.ts'
import {
  encodeSegment,
  isOnWiki,
  pageAt,
  pageUrl,
  type WikiAddresses,
  wikiAddressOf,
  wikiFilesAddressOf,
} from './links.ts'
import { namespaceOf } from './locales.ts'
import type { PageKey } from './records.ts'
import { nfc } from './text.ts'

/** The page in which links are, and what is known of its wiki. */
export interface LinkContext extends PageKey {
  addresses: WikiAddresses
  /** All languages of the wiki. `/ru/sencha` is a page of `ru` only if the wiki has `ru`. */
  locales: ReadonlySet<string>
  /** The pages to which its links by name lead (`[[Green tea]]`), by name. */
  pages?: ReadonlyMap<string, PageKey>
  /** The name of its dialect (see dialects/dialect.ts); absent or null for plain Markdown. */
  dialect?: string | null
  /** The files that it shows or links, by reference, as `fileReference` and `namedFileReference` return it. */
  files?: ReadonlyMap<string, LinkedFile>
}

export type LinkedFile = FileDescription & { url: string }

/** `href`: absolute URL with a scheme of `LINK_SCHEMES`, without user and password. */
type LinkTarget = { href: string; external: boolean }

/** Resolves a link: to pages of the wiki as their canonical URL, others as the URL standard defines; null for other schemes and invalid URLs */
export const linkTarget = (reference: string, context: LinkContext): LinkTarget | null => {
  const { path, suffix, whole } = splitReference(reference)
  if (namespaceOf(path) !== 'main') return wikiTarget(wikiUrl(`/${path}`, context, false), suffix)
  if (hasHostOrScheme(path)) return absoluteTarget(whole, context, false)
  if (path === '') return wikiTarget(pageUrl(context.addresses, context.locale, context.path), suffix)
  return wikiTarget(wikiUrl(path, context, false), suffix)
}

type LinkPlace = Pick<LinkContext, 'locale' | 'path' | 'locales'>

/** The page that `linkTarget` has in its URL, for a link without scheme and host; null for the same page, and for a file. */
export const linkedPage = (reference: string, context: LinkPlace): PageKey | null => {
  const { path } = splitReference(reference)
  const isOfNamespace = namespaceOf(path) !== 'main'
  if (path === '' || (!isOfNamespace && hasHostOrScheme(path))) return null
  const { locale, segments } = resolve(isOfNamespace ? `/${path}` : path, context)
  if (FILE_EXTENSION.test(segments.at(-1) ?? '')) return null
  const name = pageName(segments.join('/'))
  const isSame = name === context.path && locale === context.locale
  return name === '' || isSame ? null : { locale, path: name }
}

/** The URL of media, whose path stays as written; null for an empty reference, or a scheme other than http and https. */
export const fileUrl = (reference: string, context: LinkContext): string | null => {
  const { path, suffix, whole } = splitReference(reference)
  if (path === '') return null
  const target = hasHostOrScheme(path)
    ? absoluteTarget(whole, context, true)
    : wikiTarget(wikiUrl(path, context, true), suffix)
  return target?.href.startsWith('http') ? target.href : null
}

/** Extensions of files that wikis link to. It is a list, because page names contain dots, too (`Vue.js`, `v2.0`). */
const EXTENSIONS =
  'png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|mp[34]|m4[av]|og[agv]|opus|wav|flac|webm|mov|pdf|epub|zip|gz|t[ag][rz]|bz2|xz|7z|rar|csv|tsv|txt|json|xml|ya?ml|docx?|xlsx?|pptx?|od[tsp]|canvas|base'
const FILE_EXTENSION = new RegExp(`\\.(?:${EXTENSIONS}|html?)$`, 'i')
/** The name of a file that is no page: sites have pages with the extension `html`. */
export const FILE_NAME: RegExp = new RegExp(`\\.(?:${EXTENSIONS})$`, 'i')

/**
 * Allowed schemes of links: the web, and schemes that name a person, a place, a file or a room. Some schemes of
 * MediaWiki's default list are missing because they start a program with arguments from the link, such as ssh. (D26)
 */
export const LINK_SCHEMES: readonly string[] =
  `http https mailto tel sms geo xmpp irc ircs matrix magnet sip sips
  news nntp ftp ftps bitcoin urn`.split(/\s+/)

const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const DOT = /^(?:\.|%2e)$/i
const DOT_DOT = /^(?:\.|%2e){2}$/i

/** Splits a reference like the URL standard: without tabs and line ends, trimmed, with `/` for backslashes. */
export const splitReference = (reference: string): { path: string; suffix: string; whole: string } => {
  const text = reference.toWellFormed().replace(/[\t\n\r]+/g, '')
  const whole = text.replace(/^[\0- ]+|(?<![\0- ])[\0- ]+$/g, '')
  const cut = whole.search(/[?#]/)
  const path = (cut < 0 ? whole : whole.slice(0, cut)).replaceAll('\\', '/')
  return { path, suffix: cut < 0 ? '' : whole.slice(cut), whole }
}

export const hasHostOrScheme = (path: string): boolean => path.startsWith('//') || SCHEME.test(path)

const absoluteTarget = (reference: string, context: LinkContext, isMedia: boolean): LinkTarget | null => {
  const base = pageUrl(context.addresses, context.locale, context.path)
  if (!URL.canParse(reference, base)) return null
  const url = new URL(reference, base)
  if (!LINK_SCHEMES.includes(url.protocol.slice(0, -1))) return null
  url.username = ''
  url.password = ''
  // The URL parser does not encode these characters in an opaque path.
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { href: url.href.replace(/["'<>`\s]/g, encodeURIComponent), external: url.host !== '' }
  const page =
    isMedia || FILE_EXTENSION.test(url.pathname) ? null : pageAt(context.addresses, url, context.locales)
  if (!page) return { href: url.href, external: !isOnWiki(context.addresses, url) }
  return wikiTarget(pageUrl(context.addresses, page.locale, pageName(page.path)), url.search + url.hash)
}

const wikiTarget = (url: string, suffix: string): LinkTarget => {
  const href = url + suffix
  return { href: STABLE_URL.test(href) ? href : new URL(href).href, external: false }
}

/** URLs that a URL parser does not change, if their scheme and host come from one. It takes a fifth of the parser's time. */
const STABLE_URL = /^https?:\/\/[a-z0-9.:-]+(?:\/(?:[\w~-]|%(?!2e))[\w.~%-]*)+(?:#[\w-]+)?$/i

/** Removes dot segments before decoding: `a%2F..%2Fb` stays. @returns `withoutLocale`: from the root, and names no language */
const resolve = (path: string, context: LinkPlace) => {
  const isRooted = path.startsWith('/')
  const segments = isRooted ? [] : context.path.split('/').slice(0, -1)
  for (const raw of path.split('/')) {
    if (DOT_DOT.test(raw)) segments.pop()
    else if (raw !== '' && !DOT.test(raw)) segments.push(decodeSegment(raw))
  }
  const first = segments[0]?.toLowerCase()
  if (!isRooted || first === undefined || !context.locales.has(first))
    return { locale: context.locale, segments, withoutLocale: isRooted }
  return { locale: first, segments: segments.slice(1), withoutLocale: false }
}

const wikiUrl = (path: string, context: LinkContext, isMedia: boolean): string => {
  const { addresses } = context
  const { locale, segments, withoutLocale } = resolve(path, context)
  if (!isMedia && !FILE_EXTENSION.test(segments.at(-1) ?? ''))
    return pageUrl(addresses, locale, pageName(segments.join('/')))
  const root = withoutLocale ? wikiFilesAddressOf(addresses, locale) : wikiAddressOf(addresses, locale)
  return `${root}/${segments.map(encodeSegment).join('/')}`
}

/** The page path of the path in a link: `guide/index.md` is the page `guide`. (D6) */
const pageName = (path: string): string =>
  nfc(path.replace(/(?<=[^/])\.mdx?$/i, '').replace(/(?<=[^/])\/index$/, ''))

/** A segment with an invalid `%` stays unchanged. */
export const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
