import { indentOf } from '../dialects/lines.ts'
import { TEXT_BYTES_MAX } from '../limits.ts'
import { FENCE, isFenceEnd } from '../markup.ts'
import { addToList, lineEnd, replaceAt } from '../text.ts'

export type Replacement = { text: string; end: number }

/** Looks at a mark in a paragraph, by its offset. @returns null if the mark stays as it is */
export type RewriteMark = (paragraph: string, at: number) => Replacement | null

/**
 * Rewrites parts of Markdown, but not code: fences, code spans, indented code and `<pre>`. Takes linear time if
 * `rewrite` takes constant time.
 * @param marks the characters at which `rewrite` is called
 * @param known of the last text that was rewritten so; it gets that of this one. Then `rewrite` must do nothing else
 * @returns the text unchanged if the result would be too long for a page
 */
export const rewriteMarkdown = (
  markdown: string,
  marks: string,
  rewrite: RewriteMark,
  known?: KnownSections,
) => {
  const signs = new RegExp(`[\\\\\`${marks.replace(/[\]^-]/g, '\\$&')}]`, 'g')
  const sections: KnownSections['sections'] = new Map()
  const parts: string[] = []
  let length = 0
  let count = 1
  for (let start = 0; start < markdown.length; ) {
    let end = known ? start : markdown.length
    for (let i = 0; i < count && end < markdown.length; i++) end = sectionEnd(markdown, end)
    const text = markdown.slice(start, end)
    const section = known?.sections.get(text) ?? rewriteSection(text, signs, rewrite, TEXT_BYTES_MAX - length)
    if (section === null) return markdown
    if (known) sections.set(text, section)
    const isWhole = !section.isOpen || end === markdown.length
    // Code goes on in the next section. Twice as many at a time take linear time.
    count = isWhole ? 1 : count * 2
    if (!isWhole) continue
    const part = section.rewritten ?? text
    length += part.length
    if (length > TEXT_BYTES_MAX) return markdown
    parts.push(part)
    start = end
  }
  if (known) known.sections = sections
  return parts.join('')
}

/** What sections of a text became, by their texts. `rewritten`: null, they stay; `isOpen`: code goes on after it. */
export type KnownSections = { sections: Map<string, NonNullable<ReturnType<typeof rewriteSection>>> }

/** Up to the next heading after a blank line: nothing of what is before it changes how it is read, except code. */
const sectionEnd = (markdown: string, from: number): number => {
  const end = markdown.indexOf('\n\n#', from)
  return end < 0 ? markdown.length : end + 2
}

/** @returns null as soon as the result is longer than `maxLength` */
const rewriteSection = (markdown: string, signs: RegExp, rewrite: RewriteMark, maxLength: number) => {
  const parts: string[] = []
  let length = 0
  let from = 0
  const blocks = new BlockReader(markdown)
  for (let block = blocks.next(); block !== null; block = blocks.next()) {
    const { text, start, isCode, isInItem } = block
    const part = isCode && !isInItem ? text : rewriteParagraph(text, signs, rewrite)
    length += part.length
    if (length > maxLength) return null
    if (part === text) continue
    parts.push(markdown.slice(from, start), part)
    from = start + text.length
  }
  const rewritten = parts.length === 0 ? null : [...parts, markdown.slice(from)].join('')
  return { rewritten, isOpen: blocks.isInCode }
}

/** The marks of quotations and list items at the beginning of a line. Footnotes and definitions count as items. */
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)|\[\^[^\]\s]{1,100}\]:|:(?=[ \t])))*[ \t]*/
const PRE = /^<pre[\s>]/i
/** What ends a paragraph, after the marks of quotations: an item, a heading, a rule, a fence, or a row of a table. */
const ENDS_PARAGRAPH = /^(?:[-*+=_#|<]|\d{1,9}[.)][ \t]|`{3}|~{3}|\[\^|:[ \t])/
const ITEM = /^((?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)|\[\^[^\]\s]{1,100}\]:|:(?=[ \t]))[ \t]{0,4}/
/** How many items within items are told apart. */
const NESTING = 32

/** Code that ends with a line of its own, or with its container. */
interface OpenCode {
  /** The fence, or `</pre>`. */
  end: string
  quotes: number
  column: number
}

/**
 * `quotes`: how many quotations it is in, as far as its marks tell. `lead`, `indent`: columns before everything, and before
 * the text after these marks. `content`: without them, and white space around.
 */
type Line = ReturnType<typeof lineAt>

/** Reads the blocks of Markdown in linear time. In doubt, it is no code: fences, indented code and `<pre>`. */
export class BlockReader {
  readonly #text: string
  #at = 0
  #code: OpenCode | null = null
  /** The fence around Markdown that Docusaurus shows: `mdx-code-block`. */
  #shown: string | null = null
  #isIndentedCode = false
  #isAfterBlank = true
  #isWithinLine = false
  #isInItem = false
  /** Columns where the contents of the open list items begin. */
  #items: number[] = []
  /** The line that ended the last paragraph. */
  #ahead: Line | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** A line of code, a blank line, or a paragraph, as far as a code span can go. `isInItem`: by its indentation, it is code in a list: dialects have other blocks there. */
  next() {
    if (this.#at >= this.#text.length) return null
    const line = this.#ahead?.start === this.#at ? this.#ahead : lineAt(this.#text, this.#at)
    this.#isInItem = false
    const isCode = !this.#isWithinLine && this.#isCode(line)
    const start = this.#at
    this.#isWithinLine = false
    this.#at = isCode ? line.next : this.#paragraphEnd(line.next, line.quotes)
    return { text: this.#text.slice(start, this.#at), start, isCode, isInItem: this.#isInItem }
  }

  get isInCode(): boolean {
    return this.#code !== null || this.#shown !== null
  }

  /** Goes on at a later offset, where the rest of a line begins no code. */
  skipTo(offset: number): void {
    this.#at = offset
    this.#isWithinLine = true
  }

  /** Offset of the first line from an offset on that a code span cannot go over. */
  #paragraphEnd(from: number, quotes: number): number {
    for (let at = from; at < this.#text.length; at = this.#ahead.next) {
      this.#ahead = lineAt(this.#text, at)
      const { content, quotes: ownQuotes } = this.#ahead
      if (content === '' || ownQuotes !== quotes || ENDS_PARAGRAPH.test(content)) return at
    }
    return this.#text.length
  }

  #isCode(line: Line): boolean {
    if (this.#code !== null && !leaves(line, this.#code)) {
      if (endsCode(line.content, this.#code.end)) this.#code = null
      this.#isAfterBlank = false
      return true
    }
    this.#code = null
    if (line.content === '') {
      this.#isAfterBlank = true
      return true
    }
    if (this.#isAfterBlank) this.#leaveItems(line.indent)
    const isIndented = line.quotes === 0 && line.indent - (this.#items.at(-1) ?? 0) >= 4
    this.#isIndentedCode = isIndented && (this.#isAfterBlank || this.#isIndentedCode)
    this.#isAfterBlank = false
    this.#isInItem = this.#isIndentedCode && this.#items.length > 0
    if (this.#isIndentedCode && !this.#isInItem) return true
    if (!this.#isIndentedCode) this.#openItems(line)
    if (isIndented && !this.#isIndentedCode) return false
    const content = line.content.replace(CONTAINERS, '')
    const isPre = PRE.test(content) && !/<\/pre>/i.test(content)
    const end = FENCE.exec(content)?.[0] ?? (isPre ? '</pre>' : null)
    if (end === null) return this.#isIndentedCode
    if (this.#shown === null ? content === `${end}mdx-code-block` : isFenceEnd(content, this.#shown)) {
      this.#shown = this.#shown === null ? end : null
      return true
    }
    const inner = line.indent + line.content.length - content.length
    const column = this.#isIndentedCode ? line.indent : this.#items.findLast((one) => one <= inner)
    this.#code = { end, quotes: line.quotes, column: column ?? 0 }
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
}

const lineAt = (text: string, at: number) => {
  const next = lineEnd(text, at)
  const line = text.slice(at, next)
  if (!/^[ \t>]/.test(line)) return { start: at, next, quotes: 0, lead: 0, indent: 0, content: line.trim() }
  const marks = /^(?:[ \t]*>)*/.exec(line)![0]
  const content = line.slice(marks.length)
  const quotes = marks.replace(/[^>]/g, '').length
  return { start: at, next, quotes, lead: indentOf(line), indent: indentOf(content), content: content.trim() }
}

/** Whether a line is not in the quotation or the list item of the code. More marks of quotations can be part of it. */
const leaves = ({ quotes, lead, indent, content }: Line, code: OpenCode): boolean => {
  const columns = quotes === code.quotes ? indent : code.quotes === 0 ? lead : 0
  return quotes < code.quotes || (content !== '' && columns < code.column)
}

const endsCode = (content: string, end: string): boolean =>
  end === '</pre>' ? /<\/pre>/i.test(content) : isFenceEnd(content, end)

/** @param signs finds a backslash, a backtick, or a mark */
const rewriteParagraph = (paragraph: string, signs: RegExp, rewrite: RewriteMark): string => {
  let spanEnd: ReturnType<typeof codeSpans> | undefined
  return replaceAt(paragraph, signs, (at) => {
    if (paragraph[at] === '`') spanEnd ??= codeSpans(paragraph)
    else if (paragraph[at] !== '\\') return rewrite(paragraph, at)
    const end = paragraph[at] === '`' ? spanEnd!(at) : at + 2
    return { text: paragraph.slice(at, end), end }
  })
}

/**
 * The code spans of a paragraph, in linear time.
 * @returns a function that returns the end of the code span that begins at an offset with backticks, or else of these
 * backticks. Its offsets must increase
 */
export const codeSpans = (paragraph: string): ((at: number) => number) => {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of paragraph.matchAll(/`+/g)) addToList(runs, run.length, index)
  // The last run comes first, so that it is cheap to drop one.
  for (const offsets of runs.values()) offsets.reverse()
  return (at) => {
    let end = at
    while (paragraph[end] === '`') end += 1
    const offsets = runs.get(end - at) ?? []
    while (offsets.length > 0 && offsets.at(-1)! <= at) offsets.pop()
    const closer = offsets.at(-1)
    return closer === undefined ? end : closer + (end - at)
  }
}
