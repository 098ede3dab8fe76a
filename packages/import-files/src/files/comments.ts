import { BlockReader, codeSpans } from '@lectern/wiki/import/rewrite'

/**
 * Removes the comments of Obsidian from Markdown: from `%%` to the next `%%`, also over several lines and paragraphs; or
 * to the end of the text, because authors put there what nobody shall read. In code, `%%` is text. Takes linear time.
 * Remarks of CriticMarkup, `{>>` … `<<}`, go in the same way, but one without an end is text.
 * @returns `isOpen`: whether a comment has no end
 */
export const withoutMarkdownComments = (markdown: string, mark: '%%' | '{>>' = '%%') => {
  if (!markdown.includes(mark)) return { markdown, isOpen: false }
  const endMark = mark === '%%' ? mark : '<<}'
  const blocks = new BlockReader(markdown)
  const kept: string[] = []
  for (let block = blocks.next(); block !== null; block = blocks.next()) {
    const { text, start, isCode } = block
    const spanEnd = codeSpans(isCode ? '' : text)
    let from = 0
    for (let at = isCode ? text.length : 0; at < text.length; ) {
      if (text[at] === '\\') at += 2
      else if (text[at] === '`') at = spanEnd(at)
      else if (text.startsWith(mark, at)) {
        kept.push(text.slice(from, at))
        const close = markdown.indexOf(endMark, start + at + mark.length)
        if (close < 0) {
          if (mark === '{>>') kept.push(markdown.slice(start + at))
          return { markdown: kept.join(''), isOpen: true }
        }
        from = at = close + endMark.length - start
      } else at += 1
    }
    kept.push(text.slice(from))
    if (from > text.length) blocks.skipTo(start + from)
  }
  return { markdown: kept.join(''), isOpen: false }
}

export const hasObsidianComments = (markdown: string): boolean =>
  withoutMarkdownComments(markdown).markdown !== markdown
