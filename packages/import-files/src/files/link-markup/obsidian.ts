import type { Replacement, RewriteMark } from '@lectern/wiki/import/rewrite'
import { matchAt } from '@lectern/wiki/inline-html'
import { fileLink, isFileName, isImageName, type LinkedPage, linkByName, rootName } from './links.ts'

const LINK = /!?\[\[([^[\]\n]{1,600})\]\]/y
/** Letters, digits, `_`, `-` and `/`, and not only digits. */
const TAG = /#(?!\d+(?![\p{L}\p{M}\p{N}_/-]))([\p{L}\p{M}\p{N}_/\-\p{Extended_Pictographic}]{1,255})/uy

/** Rewrites `![[image.png]]`, links with dot segments, and the first line of a callout. Reports `#tag`. Other links stay. */
export const obsidianLinks =
  (page: LinkedPage, onTag: (tag: string) => void): RewriteMark =>
  (paragraph, at): Replacement | null => {
    if (paragraph[at] === '#') {
      const tag = at === 0 || /[\s>]/.test(paragraph[at - 1]!) ? matchAt(TAG, paragraph, at)?.[1] : undefined
      if (tag !== undefined) onTag(tag)
      return null
    }
    if (paragraph.startsWith('[!', at)) return convertCallout(paragraph, at)
    const match = matchAt(LINK, paragraph, at)
    if (match === null) return null
    const text = convert(match[1]!, match[0].startsWith('!'), page)
    return text === null ? null : { text, end: LINK.lastIndex }
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
  const [mark, type = '', title = ''] = matchAt(CALLOUT, paragraph, at) ?? []
  if (mark === undefined) return null
  const end = CALLOUT.lastIndex
  const name = type[0]!.toUpperCase() + type.slice(1).replaceAll('-', ' ')
  // The title stays as it is, because it can contain links and code.
  if (title !== '') return { text: `**${name}:** `, end: end - title.length }
  const isFollowed = /^\n[ \t>]*[^\s>]/.test(paragraph.slice(end, end + QUOTE_MARKS_MAX))
  return { text: `**${name}**${isFollowed ? '\\' : ''}`, end }
}

/** @returns null if the link stays as it is */
const convert = (inner: string, isEmbed: boolean, page: LinkedPage): string | null => {
  // In a table, the separator is escaped.
  const [target = '', ...rest] = inner.split(/\\?\|/).map((part) => part.trim())
  const [name = ''] = target.split('#', 1)
  if (isFileName(name)) {
    const isImage = isEmbed && isImageName(name)
    // `|300` and `|300x200` are sizes.
    const isSized = isImage && /^\d+(?:x\d+)?$/.test(rest.at(-1) ?? '')
    const text = (isSized ? rest.slice(0, -1) : rest).join(' ')
    return fileLink(page, { name, text: text || target.replaceAll('#', ' > '), isImage })
  }
  const rooted = rootName(target, page.path)
  return rooted === target
    ? null
    : linkByName(rooted, rest.join(' ') || target.replaceAll('#', ' > '), inner.includes('\\|'))
}
