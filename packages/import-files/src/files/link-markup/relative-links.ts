import { templateDestination } from '@lectern/wiki/dialects/templates'
import { BARE_FILE } from '@lectern/wiki/files/references'
import { resolveSegments } from '@lectern/wiki/folders'
import { escapeDestination, pageDestination } from '@lectern/wiki/import/markdown'
import type { RewriteMark } from '@lectern/wiki/import/rewrite'
import { matchAt } from '@lectern/wiki/inline-html'
import { headingIdOf } from '@lectern/wiki/markup'
import type { PageKey } from '@lectern/wiki/records'
import { decodeSegment, FILE_NAME } from '@lectern/wiki/references'
import { nfc } from '@lectern/wiki/text'
import { type Layout, layoutTarget } from '../layouts.ts'
import type { LeftOut } from '../name-patterns.ts'
import type { AddressedPage, SiteAddresses } from '../recognition/addresses.ts'
import { linkByName } from './links.ts'

/** The page that a file of this name is, whether it exists or not; null: such a file is no page. */
type PageOfName = (name: string) => PageKey | null

/** Extensions of pages that a link without one can mean, or one with that of a generated file. */
const PAGE_EXTENSIONS = ['.md', '.mdx', '.markdown', '.qmd']
const GENERATED = /(?<=[^/])\.html?$/i
/** The destination of a link or image, or of a definition `[x]: …`. */
const DESTINATION =
  /\](?:\([ \t]*|:[ \t]+)(?:<([^<>\n]{1,1000})>|((?:\{[{%][^{}()\n]{1,300}[%}]\}|\([^\s()<>]{0,300}\)|[^\s()<>]){1,1000}))/y
/** Of HTML, or of a component, which can have an address in another attribute. */
const HREF =
  /<[a-z]\w{0,40}\s(?:[^<>]{0,300}?\s)?(?:href|to|url|link(?==["'][^"']*\/))=(?:"([^"<>\n]{1,1000})"|'([^'<>\n]{1,1000})')/iy
/** Begins with a scheme, a host or a query, or with a tag of a site generator. */
const NO_PAGE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|[\\?{])/i
const HEADING = /^([^#]*)#(?:.*#)?([^#^][^#]*)$/s
const PAGE_FILE = /\.(?:md|mdx|markdown|qmd|rmd)$/i

/** @param leftOut names of files that are no pages, although a layout matches them */
export const pageOfName =
  (layouts: Layout[], leftOut: LeftOut | null): PageOfName =>
  (name) =>
    leftOut?.test(name) ? null : layoutTarget(layouts, name)

export interface SiteLinks {
  pageOf: PageOfName
  addresses: SiteAddresses | null
  root: readonly string[]
  hasOwnIds: boolean
  /** Whether fragments are the texts of headings, as in Obsidian. */
  isVault: boolean
}

/** Whether a text has a link that can lead to a page. Most texts of a wiki have none. */
export const hasSiteLink = (markdown: string, { addresses }: SiteLinks): boolean =>
  (addresses === null ? RELATIVE_LINK : LOCAL_LINK).test(markdown) || markdown.includes('/index.php')

/** A link to an address that a page has in MediaWiki: `[how](/index.php/Green_tea#Steaming)`. */
const MEDIAWIKI_LINK =
  /\[([^[\]\n]{1,300})\]\((?:\/[\w.-]{1,50}){0,2}\/index\.php(?:\/|\?title=)([^\s()?&]{1,800})\)/y

/** Makes such a link one by name: it leads to the page that has the name, if there is one. */
const linkOfMediawiki: RewriteMark = (paragraph, at) => {
  const [, text, name] = (paragraph[at - 1] !== '!' && matchAt(MEDIAWIKI_LINK, paragraph, at)) || []
  if (text === undefined || name === undefined) return null
  const written = linkByName(decodeSegment(name).replaceAll('_', ' '), text, true)
  return { text: written, end: MEDIAWIKI_LINK.lastIndex }
}

const RELATIVE_LINK = /\](?:\([ \t]*<?|:[ \t]+<?)(?![a-z][a-z0-9+.-]*:|[/\\?#{])|<[a-z]\w{0,40}\s/i
const LOCAL_LINK = /\](?:\([ \t]*<?|:[ \t]+<?)(?![a-z][a-z0-9+.-]*:|\?)|<[a-z]\w{0,40}\s/i

/**
 * Rewrites links at `]`, those of HTML at `<`, and those of MediaWiki at `[`. In a repository they start from the folder of the file,
 * or the address of the page, but in Lectern from the path of the page (`tea/index.md`); and a link can name a file whose page has
 * another path (`README.md`, `tea.fr.md`, a generated `tea.html`). Names and published addresses decide, not which files exist: a text
 * must not tell that there is a draft, and seldom change when a file is added.
 */
export const siteLinks = (site: SiteLinks, file: string, page: AddressedPage): RewriteMark => {
  const { pageOf, addresses, root, hasOwnIds, isVault } = site
  const folder = file.split('/').slice(0, -1)
  const parent = page.path.split('/').slice(0, -1)
  const last = page.path.slice(page.path.lastIndexOf('/') + 1)
  const pageOfLink = (name: string, isFile: boolean): PageKey | null => {
    const isRooted = name.startsWith('/')
    const isOfFile =
      FILE_NAME.test(name) ||
      (isFile ? isRooted : PAGE_FILE.test(name) || (!isRooted && GENERATED.test(name)))
    const ofFile = (from: readonly string[], file = name) => pageAt(pageOf, resolveFrom(from, file))
    if (addresses === null) return ofFile(isRooted ? root : folder)
    // As in Docusaurus and on GitHub, a name from the root can start in the folder of the site or of the repository.
    if (isOfFile && isRooted)
      return addresses.ofFile([...root, ''].map((_, i) => ofFile(root.slice(0, root.length - i))))
    if (isOfFile) return addresses.ofFile([ofFile(folder), ofFile(root, name.replace(/^(?:\.\.?\/)+/, ''))])
    const segments = isRooted ? resolveFrom([], name) : null
    if (isRooted) return segments && addresses.pageAt(page.locale, segments)
    return addresses.pageOfLink(page, (from) => resolveFrom(from, name.replace(PAGE_FILE, '')))
  }
  const rewrite = (destination: string, isTemplate: boolean, isFile: boolean): string | null => {
    const [, name = '', ending = ''] = /^([^?#]*)(.*)$/s.exec(destination)!
    const own = hasOwnIds ? ending.toLowerCase().replace(/(?<=#)-+|-+$/g, '') : ending
    const suffix = isVault
      ? own.replace(HEADING, (_, query, one) => `${query}#${headingIdOf(decodeSegment(one))}`)
      : own
    if (name === '') return suffix === ending ? null : suffix
    const isRooted = name.startsWith('/')
    const named = pageOfLink(name, isFile)
    const isNote = !/^\.{0,2}\//.test(name) && (isFile || !addresses?.hasReferences)
    const note = () => decodeSegment(name).replace(PAGE_FILE, '')
    const found = isNote && addresses ? addresses.noteOf(named, page, note()) : named
    if (found === null) {
      const isOfFolder = page.isFolderPage && page.path !== 'index' && !isRooted
      return isOfFolder ? `${escapeDestination(last)}/${name.replace(/^\.\//, '')}${suffix}` : null
    }
    const target = addresses?.translationOf(found) ?? found
    const isSame = !isTemplate && suffix === ending
    if (isSame && leadsTo(target, page.locale, resolveFrom(isRooted ? [] : parent, name))) return null
    return pageDestination(target.locale, target.path, '') + suffix
  }
  return (paragraph, at) => {
    if (paragraph[at] === '[') return linkOfMediawiki(paragraph, at)
    const syntax = paragraph[at] === '<' ? HREF : DESTINATION
    const match = matchAt(syntax, paragraph, at)
    const written = match?.[1] ?? match?.[2]
    if (!match || written === undefined) return null
    const plain = addresses === null ? null : templateDestination(written)
    const isOfContent = /^@(?:docroot@|site)?\//.test(written) // as Zola, the manual of Nix and Docusaurus name files
    const destination = plain?.destination ?? (isOfContent ? written.replace(/^@\w*@?/, '') : written)
    if (NO_PAGE.test(destination) || (addresses === null && /^[/#]|^$/.test(destination))) return null
    const rewritten = rewrite(destination, plain !== null || isOfContent, plain?.isFile ?? isOfContent)
    if (rewritten === null) return null
    const [whole] = match
    const start = whole.lastIndexOf(written)
    const text = whole.slice(0, start) + rewritten + whole.slice(start + written.length)
    return { text, end: syntax.lastIndex }
  }
}

/** The segments of a relative name, decoded; null if it leads out of the top folder. */
const resolveFrom = (folder: readonly string[], name: string): string[] | null =>
  resolveSegments(folder, name, (segment) => nfc(decodeSegment(segment)))

const pageAt = (pageOf: PageOfName, segments: string[] | null): PageKey | null => {
  if (segments === null) return null
  const name = segments.join('/')
  const stem = name.replace(GENERATED, '')
  if (stem === name && (segments.at(-1)?.includes('.') || BARE_FILE.test(name))) return pageOf(name)
  const candidates = [...PAGE_EXTENSIONS.map((extension) => stem + extension), `${name}/index.md`]
  return stem === '' ? null : (candidates.map(pageOf).find((page) => page !== null) ?? null)
}

/** Whether Lectern resolves a link to this page by itself. (D6) */
const leadsTo = (page: PageKey, locale: string, segments: string[] | null): boolean => {
  const name = segments?.join('/') ?? ''
  return page.locale === locale && name.replace(/\.mdx?$/i, '').replace(/(?<=[^/])\/index$/, '') === page.path
}
