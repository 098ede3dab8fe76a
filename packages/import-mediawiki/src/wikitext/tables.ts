import { strong } from '@lectern/wiki/import/markdown'

/** A cell: its wikitext without attributes, and its spans. */
interface Cell {
  lines: string[]
  isHeader: boolean
  /** `colspan`. */
  columns: number
  /** `rowspan`. */
  rows: number
}

interface Table {
  caption: string
  /** Lines outside cells. Browsers show them before the table. */
  stray: string[]
  rows: Cell[][]
}

/** A table without spans: each row has a text for each column. */
interface Grid {
  head: string[]
  body: string[][]
}

/** A longer span is shortened to this one. */
const MAX_SPAN = 100
/** A table with more cells stays wikitext. */
const MAX_CELLS = 20_000

/** Parses the lines between `{|` and `|}`. A table within a cell is text. */
export const readTable = (lines: string[]): Table => {
  const table: Table = { caption: '', stray: [], rows: [] }
  let row: Cell[] | undefined
  let cell: Cell | undefined
  let depth = 0
  const add = (line: string) => (cell?.lines ?? table.stray).push(line)
  for (const line of lines) {
    const text = line.trimStart()
    if (text.startsWith('{|')) depth += 1
    if (depth > 0) {
      add(line)
      if (text.startsWith('|}')) depth -= 1
      continue
    }
    if (text.startsWith('|-')) {
      row = undefined
      cell = undefined
    } else if (text.startsWith('|+')) {
      table.caption = splitAttributes(text.slice(2)).content
    } else if (text.startsWith('|') || text.startsWith('!')) {
      if (row === undefined) {
        row = []
        table.rows.push(row)
      }
      const cells = cellsOf(text)
      for (const one of cells) row.push(one)
      cell = cells.at(-1)
    } else add(line)
  }
  return table
}

const cellsOf = (line: string): Cell[] => {
  const isHeader = line.startsWith('!')
  return line
    .slice(1)
    .split(isHeader ? /!!|\|\|/ : '||')
    .map((text) => {
      const { attributes, content } = splitAttributes(text)
      return {
        lines: [content.trim()],
        isHeader,
        columns: span(attributes, 'col'),
        rows: span(attributes, 'row'),
      }
    })
}

/** Attributes precede the first bar of a cell. Bars in links do not count, because links are already stripped. */
const splitAttributes = (text: string): { attributes: string; content: string } => {
  const bar = text.indexOf('|')
  return bar < 0
    ? { attributes: '', content: text }
    : { attributes: text.slice(0, bar), content: text.slice(bar + 1) }
}

const SPAN_ATTRIBUTES = {
  col: /colspan\s{0,5}=\s{0,5}["']?(\d{1,4})/i,
  row: /rowspan\s{0,5}=\s{0,5}["']?(\d{1,4})/i,
} as const

const span = (attributes: string, kind: 'col' | 'row'): number => {
  const value = attributes === '' ? undefined : SPAN_ATTRIBUTES[kind].exec(attributes)?.[1]
  return Math.min(Math.max(Number(value ?? 1), 1), MAX_SPAN)
}

/**
 * Converts a table to Markdown. The content of a span is in its first cell; the others are empty. The header is empty
 * if the first row is not a header.
 * @param convert converts the lines of a cell to one line of Markdown
 * @returns null if the table has no cells or too many
 */
export const tableBlock = (table: Table, convert: (lines: string[]) => string): string | null => {
  const grid = layOut(table, convert)
  if (grid === null) return null
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rule = `|${' --- |'.repeat(grid.head.length)}`
  return [line(grid.head), rule, ...grid.body.map(line)].join('\n')
}

const layOut = ({ rows }: Table, convert: (lines: string[]) => string): Grid | null => {
  /** For each column, the number of rows that a cell above still spans. */
  let spanned: number[] = []
  const grid: { cells: string[]; isHeader: boolean }[] = []
  let width = 0
  for (const row of rows) {
    const cells: string[] = []
    const next: number[] = []
    const skipSpanned = () => {
      while ((spanned[cells.length] ?? 0) > 0) {
        next[cells.length] = spanned[cells.length]! - 1
        cells.push('')
      }
    }
    const isHeader = row.every((cell) => cell.isHeader)
    for (const cell of row) {
      skipSpanned()
      const text = convert(cell.lines).replaceAll('|', '\\|')
      for (let i = 0; i < cell.columns; i += 1) {
        next[cells.length] = cell.rows - 1
        cells.push(i > 0 ? '' : cell.isHeader && !isHeader ? strong(text) : text)
      }
      if (cells.length > MAX_CELLS) return null
    }
    skipSpanned()
    spanned = next
    width = Math.max(width, cells.length)
    grid.push({ cells, isHeader })
    if (width * grid.length > MAX_CELLS) return null
  }
  if (width === 0) return null
  const full = grid.map(({ cells }) => [...cells, ...Array<string>(width - cells.length).fill('')])
  const hasHead = grid[0]!.isHeader
  return { head: hasHead ? full[0]! : Array<string>(width).fill(''), body: hasHead ? full.slice(1) : full }
}
