import { codeSpans } from '@lectern/wiki/import/rewrite'

interface WithoutComments {
  markdown: string
  /** Whether a comment has no end. The text ends where it begins. */
  isOpen: boolean
}

/**
 * Removes the comments of Obsidian from Markdown: from `%%` to the next `%%`, also over several lines and paragraphs; or
 * to the end of the text, because authors put there what nobody shall read. In code, `%%` is text: in fences, code
 * spans, indented code and `<pre>`. Where it is not certain that something is code, it is not. Takes linear time.
 */
export const withoutObsidianComments = (markdown: string): WithoutComments =>
  markdown.includes(MARK) ? new CommentScanner(markdown).run() : { markdown, isOpen: false }

const MARK = '%%'

/** The marks of quotations and list items at the beginning of a line. Footnotes and definitions count as items. */
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)|\[\^[^\]\s]{1,100}\]:|:(?=[ \t])))*[ \t]*/
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/
const PRE = /^<pre[\s>]/i
/** What ends a paragraph, after the marks of quotations: an item, a heading, a rule, a fence, or a row of a table. */
const ENDS_PARAGRAPH = /^(?:[-*+=_#|<]|\d{1,9}[.)][ \t]|`{3}|~{3}|\[\^|:[ \t])/

/** Code that ends with a line of its own, or with its container. */
interface OpenCode {
  /** The fence, or `</pre>`. */
  end: string
  quotes: number
  /** The column of the list item with the code. */
  column: number
}

interface Line {
  /** Offset of the next line. */
  next: number
  /** How many quotations it is in, as far as its marks tell. */
  quotes: number
  /** Columns before the text, without the marks of quotations. */
  indent: number
  /** Without the marks of quotations, and white space around. */
  content: string
}

class CommentScanner {
  readonly #text: string
  readonly #kept: string[] = []
  #at = 0
  #code: OpenCode | null = null
  #isIndentedCode = false
  #isAfterBlank = true
  /** Whether a comment has just ended: the rest of its line begins no code. */
  #isWithinLine = false
  /** Columns where the contents of the open list items begin. */
  #items: number[] = []

  constructor(text: string) {
    this.#text = text
  }

  run(): WithoutComments {
    while (this.#at < this.#text.length) {
      const line = lineAt(this.#text, this.#at)
      if (!this.#isWithinLine && this.#isCode(line)) this.#keepTo(line.next)
      else if (!this.#readParagraph()) return { markdown: this.#kept.join(''), isOpen: true }
    }
    return { markdown: this.#kept.join(''), isOpen: false }
  }

  #keepTo(end: number): void {
    this.#kept.push(this.#text.slice(this.#at, end))
    this.#at = end
  }

  /** Reads the beginning of a line, and whether it has no comment: it is blank, or code. */
  #isCode(line: Line): boolean {
    const isBlank = line.content === ''
    if (this.#code !== null && !leaves(line, this.#code)) {
      if (endsCode(line.content, this.#code.end)) this.#code = null
      this.#isAfterBlank = false
      return true
    }
    this.#code = null
    if (isBlank) {
      this.#isAfterBlank = true
      return true
    }
    if (this.#isAfterBlank) this.#leaveItems(line.indent)
    const isIndented = line.quotes === 0 && line.indent - (this.#items.at(-1) ?? 0) >= 4
    this.#isIndentedCode = isIndented && (this.#isAfterBlank || this.#isIndentedCode)
    this.#isAfterBlank = false
    if (this.#isIndentedCode) return true
    this.#openItems(line)
    if (isIndented) return false
    const content = line.content.replace(CONTAINERS, '')
    const fence = FENCE.exec(content)
    const end = fence?.[1] ?? fence?.[2] ?? (PRE.test(content) && !/<\/pre>/i.test(content) ? '</pre>' : null)
    if (end === null) return false
    const column =
      this.#items.findLast((one) => one <= line.indent + line.content.length - content.length) ?? 0
    this.#code = { end, quotes: line.quotes, column }
    return true
  }

  #leaveItems(indent: number): void {
    while (this.#items.length > 0 && this.#items.at(-1)! > indent) this.#items.pop()
  }

  #openItems({ content, indent }: Line): void {
    let column = indent
    for (let rest = content; ; ) {
      const [mark, sign = ''] = ITEM.exec(rest) ?? []
      if (mark === undefined || this.#items.length >= NESTING) return
      this.#leaveItems(column)
      column += /^[[:]/.test(sign) ? 4 : mark.length
      this.#items.push(column)
      rest = rest.slice(mark.length)
    }
  }

  /** Keeps a paragraph without its comments, of which the last can end after it. @returns whether each has an end */
  #readParagraph(): boolean {
    const { next, quotes } = lineAt(this.#text, this.#at)
    const end = paragraphEnd(this.#text, next, quotes)
    const spans = codeSpans(this.#text.slice(this.#at, end))
    const start = this.#at
    for (let at = start; at < end; ) {
      const char = this.#text[at]
      if (char === '\\') at += 2
      else if (char === '`') at = start + spans(at - start)
      else if (char === '%' && this.#text[at + 1] === '%') {
        this.#keepTo(at)
        const close = this.#text.indexOf(MARK, at + MARK.length)
        if (close === -1) return false
        at = close + MARK.length
        this.#at = at
      } else at += 1
    }
    this.#isWithinLine = this.#at > end
    if (this.#at < end) this.#keepTo(end)
    return true
  }
}

const ITEM = /^((?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)|\[\^[^\]\s]{1,100}\]:|:(?=[ \t]))[ \t]{0,4}/
/** How many items within items are told apart. */
const NESTING = 32

const lineAt = (text: string, at: number): Line => {
  const newline = text.indexOf('\n', at)
  const next = newline === -1 ? text.length : newline + 1
  const line = text.slice(at, next)
  const marks = /^(?:[ \t]*>)*/.exec(line)![0]
  const content = line.slice(marks.length)
  const space = /^[ \t]*/.exec(content)![0]
  const quotes = marks.replace(/[^>]/g, '').length
  return { next, quotes, indent: space.replaceAll('\t', '    ').length, content: content.trim() }
}

/** Whether a line is not in the quotation or the list item of the code. */
const leaves = ({ quotes, indent, content }: Line, code: OpenCode): boolean =>
  quotes < code.quotes || (content !== '' && indent < code.column)

const endsCode = (content: string, end: string): boolean =>
  end === '</pre>'
    ? /<\/pre>/i.test(content)
    : content.startsWith(end) && content.replaceAll(end[0]!, '') === ''

/** Offset of the first line from an offset on that a code span cannot go over. */
const paragraphEnd = (text: string, from: number, quotes: number): number => {
  for (let at = from; at < text.length; ) {
    const line = lineAt(text, at)
    if (line.content === '' || line.quotes !== quotes || ENDS_PARAGRAPH.test(line.content)) return at
    at = line.next
  }
  return text.length
}
