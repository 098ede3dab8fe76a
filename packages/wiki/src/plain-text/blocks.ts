import { indentOf } from '../dialects/lines.ts'
import { readTag } from '../inline-html.ts'
import { ALERT, CLASSES, FENCE, FOOTNOTE, isFenceEnd, TABLE_OF_CONTENTS } from '../markup.ts'
import { labelOf } from './inline-text.ts'

/** A block of Markdown: its lines as written, without the marks that begin the block. */
export interface Block {
  /** `row` is a line of a table. A heading in a list or quotation is `prose`. */
  kind: 'heading' | 'prose' | 'html' | 'code' | 'row'
  text: string
}

/**
 * Reads blocks in linear time, as CommonMark and GFM tell text from marks. The nesting of lists is not in the result.
 * @returns also the URLs of link reference definitions, as written, by label (as `labelOf` returns them)
 */
export const blocksOf = (markdown: string) => {
  const reader = new BlockReader()
  for (const line of markdown.split(/\r\n?|\n/)) reader.read(line)
  return reader.finish()
}

/** How many marks of containers are removed from a line. Deeper marks stay in the text. */
const NESTING = 32

class BlockReader {
  readonly #blocks: Block[] = []
  readonly #definitions = new Map<string, string>()
  #lines: string[] = []
  #kind: 'prose' | 'html' = 'prose'
  #quotes = 0
  /** Columns where the contents of the open list items begin. */
  #items: number[] = []
  #inTable = false
  #fence: { mark: string; quotes: number } | null = null
  #html: (typeof LONG_HTML)[number] | null = null
  #formula = 0 // how many lines it may still have

  finish() {
    this.#flush(this.#fence ? 'code' : this.#html ? 'html' : this.#kind)
    return { blocks: this.#blocks, definitions: this.#definitions }
  }

  read(line: string): void {
    if (this.#fence) this.#readFenced(line)
    else if (this.#html) this.#readHtml(line, this.#html)
    else if (this.#formula > 0) this.#readFormula(line)
    else this.#readLine(line)
  }

  #readLine(line: string): void {
    const { rest, column, quotes, isItem, isIndented } = this.#openContainers(line)
    if (rest === '') this.#flush()
    else if (this.#kind === 'html' && this.#lines.length > 0) this.#lines.push(rest)
    else if (isIndented) this.#add('code', rest)
    else this.#readMarked(rest, quotes, quotes === 0 && !isItem && !(column >= (this.#items[0] ?? Infinity)))
  }

  /** A line that may begin with the mark of an extension, which is not part of the text. (D124) */
  #readMarked(line: string, quotes: number, isTopLevel: boolean): void {
    if (line.startsWith('$$') && !line.includes('$$', 2)) {
      this.#flush()
      this.#formula = FORMULA_LINES
      this.#lines.push(line)
      return
    }
    const marks = this.#lines.length > 0 ? [FOOTNOTE, CLASSES] : [FOOTNOTE, TABLE_OF_CONTENTS]
    if (this.#lines.length === 0 && quotes > 0) marks.push(ALERT)
    const mark = marks.find((one) => one.test(line))
    const rest = mark ? line.replace(mark, '') : line
    if (mark === FOOTNOTE) this.#flush()
    if (rest !== '') this.#readBlock(rest, quotes, isTopLevel)
    // The title of an alert is a paragraph.
    if (mark === ALERT) this.#flush()
  }

  /** Lines of a formula are not those of lists and headings. */
  #readFormula(line: string): void {
    this.#formula -= 1
    const content = line.replace(/^[ \t]*(?:>[ \t]*)*/, '').trim()
    if (content !== '') this.#lines.push(content)
    if (this.#formula > 0 && !content.includes('$$')) return
    this.#formula = 0
    this.#flush()
  }

  /** Removes the marks of quotations and list items from a line, and updates the open containers. */
  #openContainers(line: string) {
    let rest = line
    let column = 0
    let quotes = 0
    let isItem = false
    let isIndented = false
    let outer = 0 // items around the quotation
    for (let depth = 0; depth < NESTING; depth++) {
      const content = rest.trimStart()
      column += indentOf(rest)
      rest = content
      if (this.#lines.length === 0 && content !== '' && !isItem) {
        this.#endItems(column, outer)
        isIndented = column - (this.#items[outer] === undefined ? 0 : this.#items.at(-1)!) >= 4
        if (isIndented) break
      }
      if (content.startsWith('>')) {
        quotes++
        column = 0
        outer = this.#items.length
        rest = content.slice(1)
        if (quotes > this.#quotes) this.#flush()
        continue
      }
      const width = this.#itemMark(content, quotes)
      if (width === 0) break
      this.#flush()
      isItem = true
      this.#endItems(column, outer)
      column += width + 1
      if (this.#items.length < NESTING) this.#items.push(column)
      rest = content.slice(width + 1).replace(TASK, '')
    }
    if (quotes !== this.#quotes && this.#lines.length === 0) this.#quotes = quotes
    return { rest: rest.trim(), column, quotes, isItem, isIndented }
  }

  #endItems(column: number, outer: number): void {
    while (this.#items.length > outer && this.#items.at(-1)! > column) this.#items.pop()
  }

  /** Length of the mark of a list item or definition; 0 if the line does not begin one. */
  #itemMark(content: string, quotes: number): number {
    if (this.#kind === 'html' && this.#lines.length > 0) return 0
    const [mark = '', number = '1'] = ITEM.exec(content) ?? []
    const isText = this.#lines.length > 0
    if (isRule(content) || (isText && content.trimEnd().length === 1)) return 0
    const canBegin = !isText || this.#items.length > 0 || quotes < this.#quotes
    return canBegin || number === '1' ? mark.length : 0
  }

  #readBlock(rest: string, quotes: number, isTopLevel: boolean): void {
    const fence = FENCE.exec(rest)
    if (fence) {
      this.#flush()
      this.#fence = { mark: fence[0], quotes }
    } else if (HEADING.test(rest)) {
      if (isTopLevel) this.#items = []
      const text = rest.replace(HEADING, '').trim().replace(CLOSING_MARKS, '').trimEnd()
      this.#add(isTopLevel ? 'heading' : 'prose', text)
    } else if (isTopLevel && this.#quotes === 0 && this.#lines.length > 0 && /^(?:=+|-+)$/.test(rest)) {
      this.#flush('heading')
    } else if (isRule(rest)) {
      this.#flush()
    } else if (this.#inTable) {
      this.#blocks.push({ kind: 'row', text: rest })
    } else if (!this.#beginTable(rest) && !this.#beginHtml(rest) && !this.#define(rest)) {
      this.#lines.push(rest)
    }
  }

  #beginTable(rest: string): boolean {
    if (!DELIMITERS.test(rest) || !rest.includes('-') || !this.#lines.at(-1)?.includes('|')) return false
    const header = this.#lines.pop()!
    this.#flush()
    this.#blocks.push({ kind: 'row', text: header })
    this.#inTable = true
    return true
  }

  #beginHtml(rest: string): boolean {
    if (!rest.startsWith('<')) return false
    const long = LONG_HTML.find(({ start }) => start.test(rest))
    const name = HTML_TAG.exec(rest)?.[1]?.toLowerCase() ?? ''
    if (long) {
      this.#flush()
      this.#html = long
      this.#readHtml(rest, long)
      return true
    }
    const begins = BLOCK_TAGS.has(name) || (this.#lines.length === 0 && readTag(rest, 0)?.end === rest.length)
    if (begins) {
      this.#flush()
      this.#kind = 'html'
      this.#lines.push(rest)
    }
    return begins
  }

  #readHtml(line: string, { end, isShown }: (typeof LONG_HTML)[number]): void {
    const match = end.exec(line)
    this.#lines.push(line)
    if (!match) return
    if (!isShown) this.#lines = [line.slice(match.index + match[0].length)]
    this.#html = null
    this.#flush('html')
  }

  #readFenced(line: string): void {
    const { mark, quotes: expected } = this.#fence!
    let content = line.trimStart()
    let quotes = 0
    while (quotes < expected && content.startsWith('>')) {
      content = content.slice(1).trimStart()
      quotes++
    }
    const leaves = quotes < expected
    if (leaves || isFenceEnd(content.trimEnd(), mark)) {
      this.#fence = null
      this.#flush('code')
    } else this.#lines.push(content)
    if (leaves) this.#readLine(line)
  }

  #define(rest: string): boolean {
    const match = this.#lines.length === 0 ? DEFINITION.exec(rest) : null
    if (!match) return false
    const destination = DESTINATION.exec(match[2]!)
    if (!destination) return false
    const label = labelOf(match[1]!)
    // The first definition of a label counts.
    if (!this.#definitions.has(label)) this.#definitions.set(label, destination[1]!)
    return true
  }

  #add(kind: Block['kind'], text: string): void {
    this.#flush()
    this.#blocks.push({ kind, text })
  }

  #flush(kind: Block['kind'] = this.#kind): void {
    if (this.#lines.length > 0) this.#blocks.push({ kind, text: this.#lines.join('\n') })
    this.#lines = []
    this.#kind = 'prose'
    this.#inTable = false
  }
}

const FORMULA_LINES = 100

/** Beginnings of Markdown lines by kind. Indentation and the marks of containers are removed before. */
const HEADING = /^#{1,6}(?=[ \t]|$)/
const CLOSING_MARKS = /(?<=^|\s)#+$/
const ITEM = /^(?:(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)|:(?=[ \t]+\S))/
const TASK = /^\[[ xX]\][ \t]+/
const DELIMITERS = /^[|:\- \t]+$/
const DEFINITION = /^\[((?:[^[\]\\]|\\.){1,999})\]:(.*)$/
const DESTINATION = /^[ \t]*(<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/
const HTML_TAG = /^<\/?([a-z][a-z0-9-]*)(?=[\s/>]|$)/i

/** HTML that continues over blank lines to an end tag. Without an end tag its text is shown, as in HTML. */
const LONG_HTML = [
  { start: /^<!--/, end: /-->/, isShown: false },
  { start: /^<(?:script)(?=[\s>]|$)/i, end: /<\/script\s*>/i, isShown: false },
  { start: /^<(?:style)(?=[\s>]|$)/i, end: /<\/style\s*>/i, isShown: false },
  { start: /^<(?:textarea)(?=[\s>]|$)/i, end: /<\/textarea\s*>/i, isShown: false },
  { start: /^<(?:pre)(?=[\s>]|$)/i, end: /<\/pre\s*>/i, isShown: true },
]

/** Tags at the beginning of a line that begin a block of HTML. @see CommonMark, HTML blocks, 6 */
const BLOCK_TAGS = new Set(
  `address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt
  fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link
  main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead
  title tr track ul`.split(/\s+/),
)

/** Whether a line consists of three or more equal marks: `* * *`. */
const isRule = (text: string): boolean =>
  /^[-_*]/.test(text) && text.replaceAll(text[0]!, '').trim() === '' && text.split(text[0]!, 4).length > 3
