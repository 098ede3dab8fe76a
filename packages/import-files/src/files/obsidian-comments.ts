import { BlockReader, codeSpans } from '@lectern/wiki/import/rewrite'

const MARK = '%%'

/**
 * Removes the comments of Obsidian from Markdown: from `%%` to the next `%%`, also over several lines and paragraphs; or
 * to the end of the text, because authors put there what nobody shall read. In code, `%%` is text. Takes linear time.
 * @returns `isOpen`: whether a comment has no end
 */
export const withoutObsidianComments = (markdown: string): { markdown: string; isOpen: boolean } => {
  if (!markdown.includes(MARK)) return { markdown, isOpen: false }
  const blocks = new BlockReader(markdown)
  const kept: string[] = []
  for (let block = blocks.next(); block !== null; block = blocks.next()) {
    const { text, start, isCode } = block
    const spanEnd = codeSpans(isCode ? '' : text)
    let from = 0
    for (let at = isCode ? text.length : 0; at < text.length; ) {
      if (text[at] === '\\') at += 2
      else if (text[at] === '`') at = spanEnd(at)
      else if (text.startsWith(MARK, at)) {
        kept.push(text.slice(from, at))
        const close = markdown.indexOf(MARK, start + at + MARK.length)
        if (close < 0) return { markdown: kept.join(''), isOpen: true }
        from = at = close + MARK.length - start
      } else at += 1
    }
    kept.push(text.slice(from))
    if (from > text.length) blocks.skipTo(start + from)
  }
  return { markdown: kept.join(''), isOpen: false }
}

export const hasObsidianComments = (markdown: string): boolean =>
  withoutObsidianComments(markdown).markdown !== markdown
