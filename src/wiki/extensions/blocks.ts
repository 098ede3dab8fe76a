import type { Token } from 'marked'

/** Beginnings of lines that begin another block, so they continue no paragraph. */
export const OTHER_BLOCK =
  /^ {0,3}(?:#{1,6}[ \t]|>|```|~~~|[-+*][ \t]|\d{1,9}[.)][ \t]|\$\$|\[\^[^\s[\]]{1,100}\]:|<[a-z!/?])/i

/** Changes headings to paragraphs, also in quotations and lists: in footnotes and definitions, they begin no sections. */
export const withoutHeadings = (tokens: Token[]): Token[] => {
  for (const token of tokens) {
    if (token.type === 'heading') token.type = 'paragraph'
    if (token.type === 'blockquote') withoutHeadings(token.tokens ?? [])
    if (token.type === 'list') for (const item of token.items) withoutHeadings(item.tokens)
    if (token.type === 'definitionList' || token.type === 'definition') withoutHeadings(token.tokens ?? [])
  }
  return tokens
}

/** Lines that belong to an item because they are indented, or because they continue its paragraph. */
interface ItemLines {
  /** Without their indentation, at most four columns. */
  text: string
  /** Offset after the last of them. */
  end: number
  hasBlankLine: boolean
}

const BLANK = /[ \t]*(?:\n|$)/y
const INDENTED = /(?: {2,4}|\t| \t)/y

/**
 * The lines of an item whose first line begins at a position. Empty lines belong to it if an indented one follows.
 * @param isOther whether a line that is not indented begins something else
 */
export const readItemLines = (
  source: string,
  start: number,
  isOther: (line: string) => boolean,
): ItemLines => {
  let end = lineEnd(source, start)
  const lines = [source.slice(start, end)]
  let hasBlankLine = false
  for (let at = end; at < source.length; ) {
    let next = at
    let blank = 0
    for (BLANK.lastIndex = next; next < source.length && BLANK.test(source); BLANK.lastIndex = next) {
      next = BLANK.lastIndex
      blank += 1
    }
    INDENTED.lastIndex = next
    const isIndented = next < source.length && INDENTED.test(source)
    const from = isIndented ? INDENTED.lastIndex : next
    if (next >= source.length || (!isIndented && blank > 0)) break
    const stop = lineEnd(source, next)
    if (!isIndented && isOther(source.slice(next, stop))) break
    hasBlankLine ||= blank > 0
    for (; blank > 0; blank--) lines.push('\n')
    lines.push(source.slice(from, stop))
    end = at = stop
  }
  return { text: lines.join(''), end, hasBlankLine }
}

/** Offset after the line at a position. */
export const lineEnd = (source: string, position: number): number => {
  const end = source.indexOf('\n', position)
  return end < 0 ? source.length : end + 1
}
