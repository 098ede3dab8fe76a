import type { Replacement, RewriteMark } from '@lectern/wiki/import/rewrite'
import { matchAt } from '@lectern/wiki/inline-html'
import { fileLink, isFileName, isImageName, type LinkedPage, linkByName, rootName } from './links.ts'

const LINK = /!?\[\[([^[\]\n]{1,600})\]\]/y
/** Letters, digits, `_`, `-` and `/`, and not only digits. */
const TAG = /#(?!\d+(?![\p{L}\p{M}\p{N}_/-]))([\p{L}\p{M}\p{N}_/\-\p{Extended_Pictographic}]{1,255})/uy

/** Rewrites `![[image.png]]` and links with dot segments. Reports `#tag`. Other links stay. */
export const obsidianLinks =
  (page: LinkedPage, onTag: (tag: string) => void): RewriteMark =>
  (paragraph, at): Replacement | null => {
    if (paragraph[at] === '#') {
      const tag = at === 0 || /[\s>]/.test(paragraph[at - 1]!) ? matchAt(TAG, paragraph, at)?.[1] : undefined
      if (tag !== undefined) onTag(tag)
      return null
    }
    const match = matchAt(LINK, paragraph, at)
    if (match === null) return null
    const text = convert(match[1]!, match[0].startsWith('!'), page)
    return text === null ? null : { text, end: LINK.lastIndex }
  }

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
