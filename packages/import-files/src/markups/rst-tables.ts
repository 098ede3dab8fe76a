/** Columns and cells of a table, and characters of a line with commas, at most. A larger table stays as it is written. */
const LIMITS = { columns: 100, cells: 20_000, line: 5_000 } as const

const GRID_RULE = /^\+(?:[-=]+\+)+$/
const SIMPLE_RULE = /^=+(?: +=+)+ *$/

/** `columns` and `rows`: how many it covers. */
export type RstCell = { lines: string[]; columns: number; rows: number }

/** The cells that begin in each row. `head`: how many rows are in the head. */
export type RstTable = { rows: RstCell[][]; head: number }

export const cellOf = (lines: string[], columns = 1, rows = 1): RstCell => ({ lines, columns, rows })

/** The table that begins at a line; null if it cannot be read. */
export const rstTableAt = (lines: readonly string[], at: number, end: number): RstTable | null => {
  const isGrid = lines[at]!.startsWith('+')
  // Signs of Chinese, Japanese and Korean are as wide as two others.
  const own = lines.slice(at, end).map((line) => line.replace(WIDE, '$&\0'))
  const columns = isGrid ? [] : [...own[0]!.matchAll(/=+/g)].map(({ index }) => index)
  const table = isGrid ? gridTable(own) : columns.length > LIMITS.columns ? null : simpleTable(own, columns)
  for (const cell of table?.rows.flat() ?? [])
    cell.lines = cell.lines.map((line) => line.replaceAll('\0', '').trimEnd())
  return table
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g

export const isTableStart = (line: string): boolean => GRID_RULE.test(line) || SIMPLE_RULE.test(line)

/** The line after a table. */
export const tableEnd = (lines: readonly string[], at: number): number => {
  let end = at + 1
  if (lines[at]!.startsWith('+')) {
    while (/^[+|]/.test(lines[end] ?? '')) end += 1
    return end
  }
  for (let rules = 1; end < lines.length; end += 1) {
    if (!SIMPLE_RULE.test(lines[end]!)) continue
    rules += 1
    // The second rule ends a table without a head.
    if (rules === 3 || (lines[end + 1] ?? '') === '') return end + 1
  }
  const blank = lines.indexOf('', at)
  return blank < 0 ? lines.length : blank
}

/** Joins the fields between the rules and borders of all rows and columns, unless a line is between them. */
const gridTable = (lines: readonly string[]): RstTable | null => {
  const width = lines[0]!.length
  const rules = [...lines.keys()].filter((y) => RULE_PART.test(lines[y]!))
  const found = rules.flatMap((y) => [...lines[y]!.matchAll(BORDER)].map(({ index }) => index))
  const borders = [...new Set(found)].sort((a, b) => a - b)
  const fields = rules.length * borders.length
  if (rules.length < 2 || borders.length > LIMITS.columns || fields > LIMITS.cells) return null
  if (lines.some((line) => line.length !== width) || !GRID_RULE.test(lines.at(-1)!)) return null
  const hasRule = (row: number, column: number) =>
    /^\+(?:-+|=+)\+$/.test(lines[rules[row]!]!.slice(borders[column], borders[column + 1]! + 1))
  const hasBorder = (row: number, column: number) =>
    lines.slice(rules[row]! + 1, rules[row + 1]).every((line) => /[|+]/.test(line[borders[column]!]!))
  const taken = new Set<string>()
  const rows: RstCell[][] = []
  for (let row = 0; row < rules.length - 1; row += 1) {
    rows.push([])
    for (let column = 0; column < borders.length - 1; column += 1) {
      if (taken.has(`${row} ${column}`)) continue
      let [right, below] = [column + 1, row + 1]
      while (right < borders.length - 1 && !hasBorder(row, right)) right += 1
      while (below < rules.length - 1 && !hasRule(below, column)) below += 1
      for (let y = row; y < below; y += 1)
        for (let x = column; x < right; x += 1) {
          if (taken.has(`${y} ${x}`)) return null
          taken.add(`${y} ${x}`)
        }
      const inside = lines.slice(rules[row]! + 1, rules[below])
      const texts = inside.map((line) => line.slice(borders[column]! + 1, borders[right]))
      rows[row]!.push(cellOf(texts, right - column, below - row))
    }
  }
  const head = rules.findIndex((y) => /^\+(?:=+\+)+$/.test(lines[y]!))
  return { rows, head: Math.max(0, head) }
}

const RULE_PART = /\+(?:-+|=+)\+/
const BORDER = /\+(?=[-=]+\+)|\+(?<=\+[-=]+\+)/g

const simpleTable = (lines: readonly string[], columns: readonly number[]): RstTable | null => {
  const rows: RstCell[][] = []
  let open: string[] = []
  let head = 0
  /** Ends a row. @param rule the line below it shows which columns its cells cover */
  const close = (rule: string): void => {
    const starts = [...rule.matchAll(/[-=]+/g)].map(({ index }) => index)
    const cells = starts.map((start, i) => {
      const next = starts[i + 1] ?? Number.POSITIVE_INFINITY
      const covered = columns.filter((column) => column >= start && column < next)
      const texts = open.map((line) => line.slice(start, next))
      return cellOf(texts, covered.length || 1)
    })
    if (open.length > 0) rows.push(cells)
    open = []
  }
  for (const [i, line] of lines.entries()) {
    const isRule = /^(?:=+(?: +=+)*|-+(?: +-+)*) *$/.test(line)
    if (isRule || line.slice(0, columns[1]).trim() !== '') close(isRule ? line : lines[0]!)
    if (!isRule) open.push(line)
    else if (line.startsWith('=') && i < lines.length - 1) head = rows.length
    if (rows.length * columns.length > LIMITS.cells) return null
  }
  return rows.length === 0 || open.length > 0 ? null : { rows, head }
}

/** The values of lines with commas, with quotes around some. */
export const csvRows = (lines: readonly string[]): RstCell[][] =>
  lines
    .filter((line) => line.trim() !== '' && line.length < LIMITS.line)
    .map((line) =>
      [...line.matchAll(/[ \t]*(?:"((?:[^"]|"")*)"|([^,]*))[ \t]*(?:,|$)/g)]
        .slice(0, LIMITS.columns)
        .filter(({ 0: cell, index }) => cell !== '' || index < line.length)
        .map(([, inQuotes, plain = '']) => cellOf([inQuotes?.replaceAll('""', '"') ?? plain.trim()])),
    )
