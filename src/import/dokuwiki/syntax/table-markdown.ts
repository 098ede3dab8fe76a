import { codeBlock, strong } from '../../markdown/markdown.ts'
import type { SyntaxConversion } from './conversion.ts'
import { lineMarkdown } from './inline-markdown.ts'
import type { BlockNode, TableCell } from './nodes.ts'
import { isBlank } from './table-parser.ts'

/** A table with more cells stays as it is, as code. */
const MAX_CELLS = 20_000

const RULES = { left: ':---', center: ':---:', right: '---:', none: '---' } as const

/**
 * Converts a table to Markdown. The content of a span is in its first cell; the others are empty. The header is empty
 * if the first row is not a header.
 */
export const tableMarkdown = (
  { rows, hasHead, source }: Extract<BlockNode, { type: 'table' }>,
  conversion: SyntaxConversion,
): string => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (width === 0) return ''
  if (width * rows.length > MAX_CELLS) {
    conversion.count('table')
    return codeBlock(source)
  }
  const texts = rows.map((row, index) =>
    fill(
      row.map((cell) => cellMarkdown(cell, conversion, hasHead && index === 0)),
      width,
    ),
  )
  const body = hasHead ? rows.slice(1) : rows
  const rule = Array.from({ length: width }, (_, column) => RULES[alignmentOf(body, column)])
  const head = hasHead ? texts.shift()! : fill([], width)
  return [head, rule, ...texts].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const fill = (cells: string[], width: number): string[] => [
  ...cells,
  ...Array<string>(width - cells.length).fill(''),
]

const cellMarkdown = (cell: TableCell, conversion: SyntaxConversion, isHead: boolean): string => {
  const text = lineMarkdown(cell.children, conversion).replaceAll('|', '\\|')
  return cell.isHeader && !isHead ? strong(text) : text
}

/** The alignment of a column, if all its cells with text have the same one. Markdown aligns columns, not cells. */
const alignmentOf = (rows: TableCell[][], column: number): keyof typeof RULES => {
  const alignments = new Set(
    rows
      .map((row) => row[column])
      .filter((cell) => cell !== undefined && !isBlank(cell.children))
      .map((cell) => cell!.alignment),
  )
  const [alignment] = alignments
  return alignments.size === 1 && alignment !== undefined ? alignment : 'none'
}
