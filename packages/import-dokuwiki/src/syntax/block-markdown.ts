import { codeBlock, codeSpan, escapeLineStart, paragraphOf, strong } from '@lectern/wiki/import/markdown'
import { isBlank } from './block-parser.ts'
import { inlineMarkdown, lineMarkdown, type SyntaxConversion, textMarkdown } from './inline-markdown.ts'
import type { BlockNode, CodeNode, InlineNode, ListItem, QuoteLine, TableCell } from './nodes.ts'

export const blocksToMarkdown = (blocks: BlockNode[], conversion: SyntaxConversion): string => {
  const out: string[] = []
  /** Marks of the last list, if it is the last block. Markdown would join a list with the same marks. */
  let isLastAlternative: boolean | undefined
  for (const block of blocks) {
    const isAlternative: boolean | undefined = block.type === 'list' ? isLastAlternative === false : undefined
    const markdown =
      block.type === 'list'
        ? listMarkdown(block.items, conversion, isAlternative === true)
        : blockMarkdown(block, conversion)
    if (markdown === '') continue
    isLastAlternative = isAlternative
    out.push(markdown)
  }
  return out.join('\n\n')
}

const blockMarkdown = (block: Exclude<BlockNode, { type: 'list' }>, conversion: SyntaxConversion): string => {
  if (block.type === 'heading') return headingMarkdown(block.level, block.title)
  if (block.type === 'paragraph') return paragraphMarkdown(block.children, conversion)
  if (block.type === 'table') return tableMarkdown(block, conversion)
  if (block.type === 'quote') return quoteMarkdown(block.lines, conversion)
  if (block.type === 'code') return codeMarkdown(block)
  return '---'
}

/** A heading has no markup. Markdown removes `#` from its end. */
const headingMarkdown = (level: number, title: string): string =>
  title === '' ? '' : `${'#'.repeat(level)} ${textMarkdown(title).replace(/#$/, '\\#')}`

const paragraphMarkdown = (children: InlineNode[], conversion: SyntaxConversion): string =>
  paragraphOf(inlineMarkdown(children, conversion).split('\n'))

/** Deeper levels of quotations become this level. */
const MAX_QUOTE_LEVELS = 12

/** Each line of DokuWiki is a line for readers. An empty line separates levels, because Markdown continues a level. */
const quoteMarkdown = (lines: QuoteLine[], conversion: SyntaxConversion): string => {
  const out: string[] = []
  lines.forEach(({ depth, children }, index) => {
    const level = Math.min(depth, MAX_QUOTE_LEVELS)
    const next = lines[index + 1]
    const content = contentMarkdown(children, conversion)
    const isContinued = next?.depth === depth && content !== '' && !isCodeBlock(children.at(-1))
    for (const line of `${content}${isContinued ? '<br>' : ''}`.split('\n'))
      out.push(`${'> '.repeat(level)}${line}`.trimEnd())
    if (next && next.depth !== depth) out.push('> '.repeat(Math.min(next.depth, level)).trimEnd())
  })
  return out.join('\n')
}

/** A table with more cells stays as it is, as code. */
const MAX_CELLS = 20_000

const RULES = { left: ':---', center: ':---:', right: '---:', none: '---' } as const

/**
 * Converts a table to Markdown. The content of a span is in its first cell; the others are empty. The header is empty
 * if the first row is not a header.
 */
const tableMarkdown = (
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

/** Deeper levels become this level. */
const MAX_LEVELS = 12

interface OpenList {
  depth: number
  /** Indentation of its items' content, columns. */
  width: number
}

/**
 * Converts a list to Markdown. Every number is 1, because Markdown counts itself. Like DokuWiki, an item can be only
 * one level deeper than the one before it.
 * @param isAlternative whether to use the other marks, `*` and `1)`
 */
const listMarkdown = (items: ListItem[], conversion: SyntaxConversion, isAlternative: boolean): string => {
  const out: string[] = []
  const open: OpenList[] = []
  for (const { isOrdered, depth, children } of items) {
    while (open.length > 1 && open.at(-1)!.depth > depth) open.pop()
    const last = open.at(-1)
    if (last === undefined || (depth > last.depth && open.length < MAX_LEVELS)) open.push({ depth, width: 0 })
    const mark = isOrdered ? (isAlternative ? '1) ' : '1. ') : isAlternative ? '* ' : '- '
    open.at(-1)!.width = mark.length
    const indent = ' '.repeat(open.slice(0, -1).reduce((sum, { width }) => sum + width, 0))
    const [first, ...rest] = contentMarkdown(children, conversion).split('\n')
    out.push(`${indent}${mark}${first}`.trimEnd())
    for (const line of rest) out.push(line === '' ? '' : `${indent}${' '.repeat(mark.length)}${line}`)
  }
  return out.join('\n')
}

/** Markdown of a list item or a line of a quotation: text in one line, and code as blocks. */
const contentMarkdown = (children: InlineNode[], conversion: SyntaxConversion): string => {
  const parts: string[] = []
  let line: InlineNode[] = []
  const endLine = () => {
    const text = escapeLineStart(lineMarkdown(line, conversion))
    if (text !== '') parts.push(text)
    line = []
  }
  for (const node of children) {
    if (isCodeBlock(node)) {
      endLine()
      parts.push(codeMarkdown(node))
    } else line.push(node)
  }
  endLine()
  return parts.join('\n')
}

const isCodeBlock = (node: InlineNode | undefined): node is CodeNode =>
  node?.type === 'code' && !node.isInline

const codeMarkdown = ({ text, language, fileName }: CodeNode): string => {
  const name = fileName === '' ? '' : `${codeSpan(fileName)}\n\n`
  return `${name}${codeBlock(text, language)}`
}
