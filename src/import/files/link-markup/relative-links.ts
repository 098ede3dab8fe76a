import { nfc } from '../../../wiki/text.ts'
import { pageDestination } from '../../markdown/destinations.ts'
import { escapeDestination } from '../../markdown/markdown.ts'
import { OTHER_EXTENSIONS } from '../../markups/markup.ts'
import type { RewriteMark } from './rewrite.ts'

interface PageOfFile {
  locale: string
  path: string
}

/** Pages by the names of their files, without extension. */
type PagesByFile = ReadonlyMap<string, PageOfFile>

const EXTENSION = new RegExp(
  `(?<=[^/])\\.(?:md|mdx|markdown|mkdn?|html?|${OTHER_EXTENSIONS.join('|')})$`,
  'i',
)
/** Files that are the page of their folder. */
const FOLDER_FILES = ['index', 'README', 'readme', '_index']
/** The destination of a link or image, or of a definition `[x]: …`. */
const DESTINATION = /\](?:\([ \t]*|:[ \t]+)(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}))/y
/** Begins with a scheme, a host, the root, a query or a fragment, or with a tag of a site generator. */
const NOT_RELATIVE = /^(?:[a-z][a-z0-9+.-]*:|[/\\?#{])/i

export const pagesByFile = (pages: Iterable<PageOfFile & { file: string }>): PagesByFile => {
  const byFile = new Map<string, PageOfFile>()
  for (const { file, locale, path } of pages) {
    const stem = nfc(file.replace(EXTENSION, ''))
    if (!byFile.has(stem)) byFile.set(stem, { locale, path })
  }
  return byFile
}

/** Whether a text has a relative link. Most texts have none. */
export const hasRelativeLink = (markdown: string): boolean =>
  /\](?:\([ \t]*<?|:[ \t]+<?)(?![a-z][a-z0-9+.-]*:|[/\\?#{])/i.test(markdown)

/**
 * Rewrites relative links at `]`. In a repository they start from the folder of the file, but in Lectern from the path
 * of the page, which differs for `tea/index.md`; and a link can name a file whose page has another path: `README.md`,
 * `tea.fr.md`, or the `tea.html` that a site generator makes of `tea.md`. Links that lead to the same page anyway stay.
 */
export const relativeLinks = (pages: PagesByFile, file: string, page: PageOfFile): RewriteMark => {
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
    const found = pageAt(pages, resolveFrom(folder, name))
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

const pageAt = (pages: PagesByFile, segments: string[] | null): PageOfFile | null => {
  if (segments === null) return null
  const name = segments.join('/')
  for (const candidate of [
    name.replace(EXTENSION, ''),
    ...FOLDER_FILES.map((one) => [...segments, one].join('/')),
  ]) {
    const page = pages.get(candidate)
    if (page !== undefined) return page
  }
  return null
}

/** Whether Lectern resolves a link to this page by itself. (D25) */
const leadsTo = (page: PageOfFile, locale: string, segments: string[] | null): boolean => {
  const name = segments?.join('/') ?? ''
  return page.locale === locale && name.replace(/\.mdx?$/i, '').replace(/(?<=[^/])\/index$/, '') === page.path
}
