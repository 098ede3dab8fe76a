import type { InlineParser } from './inline-parser.ts'
import type { BlockNode, InlineNode, TableCell } from './nodes.ts'
import type { TextReader } from './text-reader.ts'

/** Parses a table. A cell ends with `|` or `^`; text after the last of them is not shown. */
export const parseTable = (reader: TextReader, parser: InlineParser, start: number): BlockNode => {
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
