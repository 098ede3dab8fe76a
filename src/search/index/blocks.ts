import {
  BLOCK_TAGS,
  BULLET,
  DEFINITION,
  DELIMITERS,
  DESTINATION,
  FENCE,
  HEADING,
  HTML_TAG,
  headingText,
  isOneTag,
  isRule,
  LONG_HTML,
  NUMBER,
  runOf,
  TASK,
  widthOf,
} from './block-lines.ts'
import { labelOf } from './inline-text.ts'

/** A stretch of Markdown with the lines as written, less the marks that made it a block. */
export interface Block {
  /** `row` is a line of a table; a heading within a list or quotation is `prose`. */
  kind: 'heading' | 'prose' | 'html' | 'code' | 'row'
  text: string
}

interface Blocks {
  blocks: Block[]
  /** Labels that link reference definitions define, by `labelOf`. */
  defined: ReadonlySet<string>
}

/**
 * The blocks of a text, read line by line in time linear in its length. It keeps to CommonMark and GFM where
 * that changes what is text and what is a mark; how lists nest is not told.
 */
export const blocksOf = (markdown: string): Blocks => {
  const reader = new BlockReader()
  for (const line of markdown.split(/\r\n?|\n/)) reader.read(line)
  return reader.finish()
}

/** Marks of containers that are taken off one line; deeper ones stay as text. */
const NESTING = 32

class BlockReader {
  readonly #blocks: Block[] = []
  readonly #defined = new Set<string>()
  #lines: string[] = []
  #kind: 'prose' | 'html' = 'prose'
  #quotes = 0
  /** Columns where the contents of the open list items begin. */
  #items: number[] = []
  #inTable = false
  #fence: { mark: string; length: number; quotes: number } | null = null
  #html: (typeof LONG_HTML)[number] | null = null

  finish(): Blocks {
    this.#flush(this.#fence ? 'code' : this.#html ? 'html' : this.#kind)
    return { blocks: this.#blocks, defined: this.#defined }
  }

  read(line: string): void {
    if (this.#fence) this.#readFenced(line)
    else if (this.#html) this.#readHtml(line, this.#html)
    else this.#readLine(line)
  }

  #readLine(line: string): void {
    const { rest, column, quotes, marked, indented } = this.#openContainers(line)
    if (rest === '') this.#flush()
    else if (this.#kind === 'html' && this.#lines.length > 0) this.#lines.push(rest)
    else if (indented) this.#add('code', rest)
    else this.#readBlock(rest, quotes, quotes === 0 && !marked && !(column >= (this.#items[0] ?? Infinity)))
  }

  /** Takes the marks of quotations and list items off a line, and notes which are open. */
  #openContainers(line: string) {
    let rest = line
    let column = 0
    let quotes = 0
    let marked = false
    let indented = false
    for (let depth = 0; depth < NESTING; depth++) {
      const content = rest.trimStart()
      const indent = widthOf(rest.slice(0, rest.length - content.length))
      column += indent
      rest = content
      if (this.#lines.length === 0 && content !== '' && !marked) {
        while (this.#items.length > 0 && this.#items.at(-1)! > column) this.#items.pop()
        indented = column - (this.#items.at(-1) ?? 0) >= 4
        if (indented) break
      }
      if (content.startsWith('>')) {
        quotes++
        column = 0
        rest = content.slice(1)
        if (quotes > this.#quotes) this.#flush()
        continue
      }
      const width = this.#itemMark(content, quotes)
      if (width === 0) break
      this.#flush()
      marked = true
      while (this.#items.length > 0 && this.#items.at(-1)! > column) this.#items.pop()
      column += width + 1
      if (this.#items.length < NESTING) this.#items.push(column)
      rest = content.slice(width + 1).replace(TASK, '')
    }
    if (quotes !== this.#quotes && this.#lines.length === 0) this.#quotes = quotes
    return { rest: rest.trim(), column, quotes, marked, indented }
  }

  /** Characters of a list item's mark; 0 when the line begins no item. */
  #itemMark(content: string, quotes: number): number {
    if (this.#kind === 'html' && this.#lines.length > 0) return 0
    const bullet = BULLET.test(content)
    if (bullet && (isRule(content) || (this.#lines.length > 0 && content.trimEnd().length === 1))) return 0
    if (bullet) return 1
    const number = NUMBER.exec(content)
    const apart = this.#lines.length === 0 || this.#items.length > 0 || quotes < this.#quotes
    return number && (apart || number[1] === '1') ? number[0].length : 0
  }

  #readBlock(rest: string, quotes: number, top: boolean): void {
    const fence = FENCE.exec(rest)
    if (fence) {
      this.#flush()
      this.#fence = { mark: rest[0]!, length: fence[0].length, quotes }
    } else if (HEADING.test(rest)) {
      if (top) this.#items = []
      this.#add(top ? 'heading' : 'prose', headingText(rest))
    } else if (top && this.#quotes === 0 && this.#lines.length > 0 && /^(?:=+|-+)$/.test(rest)) {
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
    const begins = BLOCK_TAGS.has(name) || (this.#lines.length === 0 && isOneTag(rest))
    if (begins) {
      this.#flush()
      this.#kind = 'html'
      this.#lines.push(rest)
    }
    return begins
  }

  #readHtml(line: string, { end, shown }: (typeof LONG_HTML)[number]): void {
    const match = end.exec(line)
    this.#lines.push(line)
    if (!match) return
    if (!shown) this.#lines = [line.slice(match.index + match[0].length)]
    this.#html = null
    this.#flush('html')
  }

  #readFenced(line: string): void {
    const { mark, length, quotes: expected } = this.#fence!
    let content = line.trimStart()
    let quotes = 0
    while (quotes < expected && content.startsWith('>')) {
      content = content.slice(1).trimStart()
      quotes++
    }
    const end = content.trimEnd()
    const leaves = quotes < expected
    const closes = end.length >= length && end.length === runOf(end, mark)
    if (leaves || closes) {
      this.#fence = null
      this.#flush('code')
    } else this.#lines.push(content)
    if (leaves) this.#readLine(line)
  }

  #define(rest: string): boolean {
    const match = this.#lines.length === 0 ? DEFINITION.exec(rest) : null
    if (!match) return false
    if (match[1]!.startsWith('^')) {
      this.#lines.push(match[2]!.trim())
      return true
    }
    const defines = DESTINATION.test(match[2]!)
    if (defines) this.#defined.add(labelOf(match[1]!))
    return defines
  }

  /** A block of one line, after whatever was being read. */
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
