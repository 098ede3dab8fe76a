import { escapeDestination, pageDestination } from '@lectern/wiki/import/markdown'
import type { RewriteMark } from '@lectern/wiki/import/rewrite'
import type { PageKey } from '@lectern/wiki/records'
import { nfc } from '@lectern/wiki/text'
import { type Layout, layoutTarget } from '../layouts.ts'

/** The page that a file of this name is, whether it exists or not; null: such a file is no page. */
type PageOfName = (name: string) => PageKey | null

/** Extensions of pages that a link without one can mean, or one with that of a generated file. */
const PAGE_EXTENSIONS = ['.md', '.mdx', '.markdown']
/** Extensions of files that a site generator makes of pages. */
const GENERATED = /(?<=[^/])\.html?$/i
/** The destination of a link or image, or of a definition `[x]: …`. */
const DESTINATION = /\](?:\([ \t]*|:[ \t]+)(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}))/y
/** Begins with a scheme, a host, the root, a query or a fragment, or with a tag of a site generator. */
const NOT_RELATIVE = /^(?:[a-z][a-z0-9+.-]*:|[/\\?#{])/i

/** @param leftOut names of files that are no pages, although a layout matches them */
export const pageOfName =
  (layouts: Layout[], leftOut: RegExp | null): PageOfName =>
  (name) =>
    leftOut?.test(name) ? null : layoutTarget(layouts, name)

/** Whether a text has a relative link. Most texts have none. */
export const hasRelativeLink = (markdown: string): boolean =>
  /\](?:\([ \t]*<?|:[ \t]+<?)(?![a-z][a-z0-9+.-]*:|[/\\?#{])/i.test(markdown)

/**
 * Rewrites relative links at `]`. In a repository they start from the folder of the file, but in Lectern from the path
 * of the page, which differs for `tea/index.md`; and a link can name a file whose page has another path: `README.md`,
 * `tea.fr.md`, or the `tea.html` that a site generator makes of `tea.md`. Links that lead to the same page anyway stay.
 * Names decide, not which files exist: a text must not tell that there is a draft, nor change when a file is added.
 */
export const relativeLinks = (pageOf: PageOfName, file: string, page: PageKey): RewriteMark => {
  const folder = file.split('/').slice(0, -1)
  const parent = page.path.split('/').slice(0, -1)
  const last = page.path.slice(page.path.lastIndexOf('/') + 1)
  const stem = file.slice(file.lastIndexOf('/') + 1).replace(/\..*$/, '')
  const isFolderPage = nfc(folder.at(-1) ?? '') === last && nfc(stem) !== last
  return (paragraph, at) => {
    DESTINATION.lastIndex = at
    const match = DESTINATION.exec(paragraph)
    const written = match?.[1] ?? match?.[2]
    if (!match || written === undefined || NOT_RELATIVE.test(written)) return null
    const [, name = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(written)!
    const found = pageAt(pageOf, resolveFrom(folder, name))
    const destination =
      found === null
        ? isFolderPage && `${escapeDestination(last)}/${name.replace(/^\.\//, '')}${suffix}`
        : !leadsTo(found, page.locale, resolveFrom(parent, name)) &&
          pageDestination(found.locale, found.path, '') + suffix
    if (!destination) return null
    const start = match[0].slice(0, match[0].length - written.length - (match[1] === undefined ? 0 : 2))
    return {
      text: start + (match[1] === undefined ? destination : `<${destination}>`),
      end: DESTINATION.lastIndex,
    }
  }
}

/** The segments of a relative name, decoded; null if it leads out of the top folder. */
const resolveFrom = (folder: readonly string[], name: string): string[] | null => {
  const segments = [...folder]
  for (const part of name.split('/')) {
    if (part === '..' && segments.pop() === undefined) return null
    if (!['', '.', '..'].includes(part)) segments.push(decode(part))
  }
  return segments
}

const decode = (segment: string): string => {
  try {
    return nfc(decodeURIComponent(segment))
  } catch {
    return nfc(segment)
  }
}

const pageAt = (pageOf: PageOfName, segments: string[] | null): PageKey | null => {
  if (segments === null) return null
  const name = segments.join('/')
  const stem = name.replace(GENERATED, '')
  if (stem === name && segments.at(-1)?.includes('.')) return pageOf(name)
  for (const candidate of [...PAGE_EXTENSIONS.map((extension) => stem + extension), `${name}/index.md`]) {
    const page = stem === '' ? null : pageOf(candidate)
    if (page !== null) return page
  }
  return null
}

/** Whether Lectern resolves a link to this page by itself. (D6) */
const leadsTo = (page: PageKey, locale: string, segments: string[] | null): boolean => {
  const name = segments?.join('/') ?? ''
  return page.locale === locale && name.replace(/\.mdx?$/i, '').replace(/(?<=[^/])\/index$/, '') === page.path
}
