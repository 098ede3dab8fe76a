import { headingDestination } from '../../markdown/destinations.ts'
import { escapeDestination } from '../../markdown/markdown.ts'
import { fileLink, isFileName, isImageName, type LinkedPage, linkText, pageLink } from './links.ts'
import type { Replacement, RewriteMark } from './rewrite.ts'

const LINK = /!?\[\[([^[\]\n]{1,600})\]\]/y
/** Letters, digits, `_`, `-` and `/`, and not only digits. */
const TAG = /#(?!\d+(?![\p{L}\p{M}\p{N}_/-]))([\p{L}\p{M}\p{N}_/\-\p{Extended_Pictographic}]{1,255})/uy

/**
 * Rewrites `[[Page]]`, `[[Page#Heading|text]]` and `![[embed]]` at `[` and `!`. Reports `#tag` at `#`, which stays as
 * it is. An embedded page becomes a link, because a page cannot contain another one.
 */
export const obsidianLinks =
  (page: LinkedPage, onTag: (tag: string) => void): RewriteMark =>
  (paragraph, at): Replacement | null => {
    if (paragraph[at] === '#') {
      TAG.lastIndex = at
      const tag = at === 0 || /[\s>]/.test(paragraph[at - 1]!) ? TAG.exec(paragraph)?.[1] : undefined
      if (tag !== undefined) onTag(tag)
      return null
    }
    LINK.lastIndex = at
    const match = LINK.exec(paragraph)
    if (match === null) return null
    return { text: convert(match[1]!, match[0].startsWith('!'), page), end: LINK.lastIndex }
  }

const convert = (inner: string, isEmbed: boolean, page: LinkedPage): string => {
  // In a table, the separator is escaped.
  const [target = '', ...rest] = inner.split(/\\?\|/).map((part) => part.trim())
  const hash = target.indexOf('#')
  const name = hash === -1 ? target : target.slice(0, hash)
  // A heading in a heading, `#A#B`, leads to the last one. A reference of a block, `#^id`, has no anchor.
  const heading = hash === -1 ? '' : target.slice(target.lastIndexOf('#') + 1)
  const fragment = heading.startsWith('^') ? '' : heading
  const text =
    rest.join(' ') || (name === '' ? fragment : target.replaceAll('#', ' > ').replace(/ > \^.*$/, ''))
  if (name === '') {
    const destination = fragment === '' ? `#${escapeDestination(heading)}` : headingDestination(fragment)
    return `[${linkText(text || heading)}](${destination})`
  }
  if (isFileName(name)) {
    const isImage = isEmbed && isImageName(name)
    // `|300` and `|300x200` are sizes.
    const alt =
      isImage && /^\d+(?:x\d+)?$/.test(rest.at(-1) ?? '') ? rest.slice(0, -1).join(' ') || name : text
    return fileLink(page, { name, text: alt, isImage })
  }
  return pageLink(page, { name, fragment, text, path: name.replace(/^\/+/, '').replace(/\.md$/i, '') })
}
