import { headingDestination } from '../../markdown/destinations.ts'
import { escapeDestination } from '../../markdown/markdown.ts'
import { fileLink, isFileName, isImageName, type LinkedPage, linkText, pageLink } from './links.ts'
import type { Replacement, RewriteMark } from './rewrite.ts'

const LINK = /!?\[\[([^[\]\n]{1,600})\]\]/y
/** Letters, digits, `_`, `-` and `/`, and not only digits. */
const TAG = /#(?!\d+(?![\p{L}\p{M}\p{N}_/-]))([\p{L}\p{M}\p{N}_/\-\p{Extended_Pictographic}]{1,255})/uy

/**
 * Rewrites `[[Page]]`, `[[Page#Heading|text]]` and `![[embed]]` at `[` and `!`, and the first line of a callout. Reports `#tag` at `#`, which stays as
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
    if (paragraph.startsWith('[!', at)) return convertCallout(paragraph, at)
    LINK.lastIndex = at
    const match = LINK.exec(paragraph)
    if (match === null) return null
    return { text: convert(match[1]!, match[0].startsWith('!'), page), end: LINK.lastIndex }
  }

/** `[!type]`, whether it is folded, and its title. */
const CALLOUT = /\[!([\p{L}\p{N}_-]{1,50})(?:\|[^\]\n]{0,100})?\][+-]?[ \t]*([^\n]{0,1000})/uy
/** How far the beginning of a line is looked at, characters. */
const QUOTE_MARKS_MAX = 100

/** A callout is a block quote whose first line names its type. It becomes a block quote with a bold first line. */
const convertCallout = (paragraph: string, at: number): Replacement | null => {
  const lineStart = paragraph.lastIndexOf('\n', at - 1) + 1
  if (at - lineStart > QUOTE_MARKS_MAX || !/^(?:[ \t]*>)+[ \t]*$/.test(paragraph.slice(lineStart, at)))
    return null
  CALLOUT.lastIndex = at
  const [mark, type = '', title = ''] = CALLOUT.exec(paragraph) ?? []
  if (mark === undefined) return null
  const end = CALLOUT.lastIndex
  const name = type[0]!.toUpperCase() + type.slice(1).replaceAll('-', ' ')
  // The title stays as it is, because it can contain links and code.
  if (title !== '') return { text: `**${name}:** `, end: end - title.length }
  const isFollowed = /^\n[ \t>]*[^\s>]/.test(paragraph.slice(end, end + QUOTE_MARKS_MAX))
  return { text: `**${name}**${isFollowed ? '\\' : ''}`, end }
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
