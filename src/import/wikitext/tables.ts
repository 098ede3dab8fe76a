import { strong } from './markdown.ts'

/** A cell: its wikitext without attributes, and how far it reaches. */
interface Cell {
  lines: string[]
  isHeader: boolean
  columns: number
  rows: number
}

interface Table {
  caption: string
  /** Lines that stand in no cell; browsers show them before the table. */
  stray: string[]
  rows: Cell[][]
}

/** A table with spans laid out. */
interface Grid {
  head: string[]
  body: string[][]
}

/** Spans are at most so long, and a table so large; a larger one stays wikitext. */
const SPAN = 100
const CELLS = 20_000

/** Reads the lines between `{|` and `|}`, tables within cells as text. */
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
      table.caption = withoutAttributes(text.slice(2)).content
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
      const { attributes, content } = withoutAttributes(text)
      return {
        lines: [content.trim()],
        isHeader,
        columns: span(attributes, 'col'),
        rows: span(attributes, 'row'),
      }
    })
}

/** Attributes stand before a cell's first bar; links, whose bars are their own, are set aside by now. */
const withoutAttributes = (text: string): { attributes: string; content: string } => {
  const bar = text.indexOf('|')
  return bar < 0
    ? { attributes: '', content: text }
    : { attributes: text.slice(0, bar), content: text.slice(bar + 1) }
}

const SPANS = {
  col: /colspan\s{0,5}=\s{0,5}["']?(\d{1,4})/i,
  row: /rowspan\s{0,5}=\s{0,5}["']?(\d{1,4})/i,
} as const

const span = (attributes: string, kind: 'col' | 'row'): number => {
  const found = attributes === '' ? undefined : SPANS[kind].exec(attributes)?.[1]
  return Math.min(Math.max(Number(found ?? 1), 1), SPAN)
}

/**
 * A table as Markdown: a span's content in its first place, the others empty; a first row that is no header
 * leaves the header empty.
 * @param convert a cell's lines as one line of Markdown
 * @returns null where it has no cells or too many
 */
export const tableBlock = (table: Table, convert: (lines: string[]) => string): string | null => {
  const grid = layOut(table, convert)
  if (grid === null) return null
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rule = `|${' --- |'.repeat(grid.head.length)}`
  return [line(grid.head), rule, ...grid.body.map(line)].join('\n')
}

const layOut = ({ rows }: Table, convert: (lines: string[]) => string): Grid | null => {
  /** By column: rows for which a cell from above still holds the place. */
  let held: number[] = []
  const grid: { cells: string[]; isHeader: boolean }[] = []
  let width = 0
  for (const row of rows) {
    const cells: string[] = []
    const next: number[] = []
    const skipHeld = () => {
      while ((held[cells.length] ?? 0) > 0) {
        next[cells.length] = held[cells.length]! - 1
        cells.push('')
      }
    }
    const isHeader = row.every((cell) => cell.isHeader)
    for (const cell of row) {
      skipHeld()
      const text = convert(cell.lines).replaceAll('|', '\\|')
      for (let i = 0; i < cell.columns; i += 1) {
        next[cells.length] = cell.rows - 1
        cells.push(i > 0 ? '' : cell.isHeader && !isHeader ? strong(text) : text)
      }
      if (cells.length > CELLS) return null
    }
    skipHeld()
    held = next
    width = Math.max(width, cells.length)
    grid.push({ cells, isHeader })
    if (width * grid.length > CELLS) return null
  }
  if (width === 0) return null
  const full = grid.map(({ cells }) => [...cells, ...Array<string>(width - cells.length).fill('')])
  const hasHead = grid[0]!.isHeader
  return { head: hasHead ? full[0]! : Array<string>(width).fill(''), body: hasHead ? full.slice(1) : full }
}
