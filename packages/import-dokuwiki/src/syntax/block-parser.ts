import { type BaseEvent, InlineParser, readComment } from './inline-parser.ts'
import {
  type BlockNode,
  type InlineNode,
  type ListItem,
  type QuoteLine,
  type TableCell,
  TextReader,
} from './nodes.ts'

/** Parses a table. A cell ends with `|` or `^`; text after the last of them is not shown. */
const parseTable = (reader: TextReader, parser: InlineParser, start: number): BlockNode => {
  const rows: TableCell[][] = []
  let hasHead = false
  let at = start
  while (reader.text[at] === '\n' && isDelimiter(reader.text[at + 1])) {
    const { cells, isHead } = readRow(reader, parser, at + 1)
    if (rows.length === 0) hasHead = isHead
    rows.push(cells)
    at = reader.position
  }
  reader.position = at + 1
  return { type: 'table', rows, hasHead, source: reader.text.slice(start + 1, at) }
}

const isDelimiter = (char: string | undefined): boolean => char === '|' || char === '^'

/** Reads a row from its first delimiter to the end of the line. */
const readRow = (
  reader: TextReader,
  parser: InlineParser,
  start: number,
): { cells: TableCell[]; isHead: boolean } => {
  const cells: TableCell[] = []
  let headers = 0
  let at = start
  while (isDelimiter(reader.text[at])) {
    const isHeader = reader.text[at] === '^'
    if (isHeader) headers += 1
    reader.position = at + 1
    const children = parser.line('table')
    const source = reader.text.slice(at + 1, reader.position)
    cells.push({
      isHeader,
      alignment: alignmentOf(source),
      children: source.trim() === ':::' ? [] : children,
    })
    at = reader.position
  }
  const others = cells.length - headers
  cells.pop()
  return { cells, isHead: headers > 0 && others <= 2 && 2 * others <= headers }
}

/** Two spaces before the text align it to the right, after it to the left; both center it. */
const alignmentOf = (source: string): TableCell['alignment'] => {
  if (source.trim() === '') return undefined
  const isRight = /^(?: {2}|[ ]?\t)/.test(source)
  const isLeft = source.endsWith('  ') || source.endsWith('\t')
  return isRight ? (isLeft ? 'center' : 'right') : isLeft ? 'left' : undefined
}

/** Nodes without text, such as those of an empty cell. */
export const isBlank = (nodes: InlineNode[]): boolean =>
  nodes.every((node) => node.type === 'text' && node.text.trim() === '')

/** A line end in a paragraph. Two of them end it. */
type Item = InlineNode | BlockNode | { type: 'line end' }

const LIST = /\n( {2,}|\t+)([-*])/y
const PREFORMATTED = /\n(?: {2}|\t)(?![-*])/y
const RULE = /\n[ \t]*-{4,}(?=\n)/y
const QUOTE = /\n(>+)/y

/** Parses a text of DokuWiki in linear time. */
export const parseSyntax = (text: string, options: { camelCase: boolean }): BlockNode[] => {
  const reader = new TextReader(text)
  const parser = new InlineParser(reader, options)
  const items: Item[] = []
  for (;;) {
    const { nodes, event } = parser.base()
    for (const node of nodes) items.push(node)
    if (event === null) return blocksOf(items)
    for (const item of readEvent(event, reader, parser)) items.push(item)
  }
}

const LINE_END: Item = { type: 'line end' }

const readEvent = (event: BaseEvent, reader: TextReader, parser: InlineParser): Item[] => {
  const { at } = event
  if (event.type === 'container') return [LINE_END, LINE_END]
  if (event.type === 'heading') return [readHeading(reader, at)]
  if (readOwnComment(reader, at)) return []
  const next = reader.text[at + 1]
  if (reader.match(LIST, at)) return [{ type: 'list', items: readList(reader, parser, at) }]
  if (reader.match(PREFORMATTED, at)) {
    const text = readPreformatted(reader, at)
    return text.trim() === ''
      ? [LINE_END, LINE_END]
      : [{ type: 'code', text, language: '', fileName: '', isInline: false }, LINE_END, LINE_END]
  }
  if (next === '|' || next === '^') return [parseTable(reader, parser, at)]
  const rule = reader.match(RULE, at)
  if (rule) {
    reader.position = at + rule[0].length
    return [{ type: 'rule' }]
  }
  if (next === '>') return [{ type: 'quote', lines: readQuote(reader, parser, at) }]
  reader.position = at + 1
  return [LINE_END]
}

/**
 * Reads a comment that begins a line, with the line end before it. An indented one that goes on, or that has more
 * indented lines after it, is a block of code.
 */
const readOwnComment = (reader: TextReader, at: number): boolean => {
  const start = reader.match(/\n[ \t]*(?=\/\*)/y, at)
  if (start === null || readComment(reader, at + start[0].length) === null) return false
  const isAlone = reader.text[reader.position] === '\n' && !reader.match(PREFORMATTED, reader.position)
  if (isAlone || !reader.match(PREFORMATTED, at)) return true
  reader.position = at
  return false
}

/** A heading can begin within a line, and ends with it. The number of `=` before it counts. */
const readHeading = (reader: TextReader, at: number): Item => {
  reader.position = at
  const line = reader.headingAt(at)
  if (line === null) {
    while (reader.text[reader.position] === '=') reader.position += 1
    return { type: 'text', text: reader.text.slice(at, reader.position) }
  }
  reader.position = at + line.length
  const level = Math.max(7 - runLength(line), 1)
  return { type: 'heading', level, title: trimEquals(line) }
}

const runLength = (line: string): number => {
  let length = 0
  while (line[length] === '=') length += 1
  return length
}

const trimEquals = (line: string): string => {
  let end = line.length
  while (line[end - 1] === '=') end -= 1
  return line.slice(Math.min(runLength(line), end), end).trim()
}

const readList = (reader: TextReader, parser: InlineParser, start: number): ListItem[] => {
  const items: ListItem[] = []
  let at = start
  for (let item = reader.match(LIST, at); item; item = reader.match(LIST, at)) {
    reader.position = at + item[0].length
    const depth = item[1]!.startsWith('\t') ? item[1]!.length : Math.floor(item[1]!.length / 2)
    items.push({ isOrdered: item[2] === '-', depth, children: parser.line('line') })
    at = reader.position
  }
  reader.position = at + 1
  return items
}

const readPreformatted = (reader: TextReader, start: number): string => {
  const lines: string[] = []
  let at = start
  while (reader.match(/\n(?: {2}|\t)/y, at)) {
    const from = at + (reader.text[at + 1] === '\t' ? 2 : 3)
    at = reader.text.indexOf('\n', from)
    lines.push(reader.text.slice(from, at))
  }
  reader.position = at + 1
  return lines.join('\n')
}

const readQuote = (reader: TextReader, parser: InlineParser, start: number): QuoteLine[] => {
  const lines: QuoteLine[] = []
  let at = start
  for (let mark = reader.match(QUOTE, at); mark; mark = reader.match(QUOTE, at)) {
    reader.position = at + mark[0].length
    lines.push({ depth: mark[1]!.length, children: parser.line('line') })
    at = reader.position
  }
  reader.position = at + 1
  return lines
}

/** Joins nodes between blocks to paragraphs. */
const blocksOf = (items: Item[]): BlockNode[] => {
  const blocks: BlockNode[] = []
  let paragraph: InlineNode[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ type: 'paragraph', children: paragraph })
    paragraph = []
  }
  items.forEach((item, index) => {
    if (item.type === 'line end') {
      if (paragraph.length === 0) return
      if (items[index + 1]?.type === 'line end') endParagraph()
      else paragraph.push({ type: 'text', text: '\n' })
    } else if (isBlock(item)) {
      endParagraph()
      blocks.push(item)
    } else paragraph.push(item)
  })
  endParagraph()
  return blocks
}

const BLOCKS = new Set(['heading', 'paragraph', 'list', 'table', 'quote', 'rule'])

const isBlock = (item: InlineNode | BlockNode): item is BlockNode =>
  item.type === 'code' ? !item.isInline : BLOCKS.has(item.type)
