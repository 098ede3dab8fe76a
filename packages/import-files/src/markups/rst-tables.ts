/** Columns and cells of a table, and characters of a line with commas, at most. A larger table stays as it is written. */
const LIMITS = { columns: 100, cells: 20_000, line: 5_000 } as const

const GRID_RULE = /^\+(?:[-=]+\+)+$/
const SIMPLE_RULE = /^=+(?: +=+)+ *$/

export type RstTable = { rows: string[][]; hasHead: boolean; end: number }

/** The table that begins at a line; null if a cell of it covers several rows. */
export const rstTableAt = (lines: readonly string[], at: number): RstTable | null => {
  const first = lines[at]!.trimEnd()
  return first.startsWith('+') ? gridTable(lines, at, first) : simpleTable(lines, at, first)
}

/** The line after a table that cannot be read. */
export const tableEnd = (lines: readonly string[], at: number): number => {
  const isGrid = lines[at]!.startsWith('+')
  let end = at + 1
  while (end < lines.length && (isGrid ? /^[+|]/.test(lines[end]!) : lines[end]!.trim() !== '')) end += 1
  return end
}

export const isTableStart = (line: string): boolean =>
  GRID_RULE.test(line.trimEnd()) || SIMPLE_RULE.test(line)

const gridTable = (lines: readonly string[], at: number, first: string): RstTable | null => {
  const borders = [...first].flatMap((char, i) => (char === '+' ? [i] : []))
  if (borders.length > LIMITS.columns) return null
  const end = tableEnd(lines, at)
  const rows: string[][] = []
  let row: string[][] = []
  let head = 0
  for (const line of lines.slice(at + 1, end)) {
    if (GRID_RULE.test(line.trimEnd())) {
      if (line.trimEnd().length !== first.length) return null
      if (row.length > 0) rows.push(borders.slice(1).map((_, i) => row.map((cells) => cells[i]!).join('\n')))
      row = []
      if (line.includes('=')) head = rows.length
      continue
    }
    // A cell can cover several columns, but a rule in a line shows one that covers several rows.
    const marks = borders.filter((border) => line[border] === '|')
    if (marks.at(-1) !== borders.at(-1) || borders.some((border) => line[border] === '+')) return null
    const cells = borders.slice(0, -1).map((border) => {
      const at = marks.indexOf(border)
      return at < 0 ? '' : line.slice(border + 1, marks[at + 1])
    })
    row.push(cells.map((cell) => cell.replace(/^ /, '').trimEnd()))
  }
  const isSmall = rows.length > 0 && rows.length * borders.length <= LIMITS.cells
  return isSmall && row.length === 0 ? { rows, hasHead: head === 1, end } : null
}

const simpleTable = (lines: readonly string[], at: number, first: string): RstTable | null => {
  const columns = [...first.matchAll(/=+/g)].map(({ index }) => index)
  if (columns.length > LIMITS.columns) return null
  const rules: number[] = []
  let end = at
  for (; end < lines.length && rules.length < 3; end += 1) {
    if (!SIMPLE_RULE.test(lines[end]!)) continue
    rules.push(end)
    // The second rule ends a table without a head.
    if (rules.length === 2 && (lines[end + 1] ?? '').trim() === '') break
  }
  const last = rules.at(-1)!
  if (rules.length < 2) return null
  const rows: string[][] = []
  for (const line of lines.slice(at + 1, last)) {
    if (line.trim() === '' || SIMPLE_RULE.test(line) || /^-+(?: +-+)* *$/.test(line)) continue
    const cells = columns.map((start, i) => line.slice(start, columns[i + 1]).trim())
    const before = rows.at(-1)
    if (cells[0] === '' && before)
      for (const [i, cell] of cells.entries()) before[i] = [before[i], cell].filter(Boolean).join('\n')
    else rows.push(cells)
    if (rows.length * columns.length > LIMITS.cells) return null
  }
  return rows.length === 0 ? null : { rows, hasHead: rules.length > 2, end: last + 1 }
}

/** The values of lines with commas, with quotes around some. */
export const csvRows = (lines: readonly string[]): string[][] =>
  lines
    .filter((line) => line.trim() !== '' && line.length < LIMITS.line)
    .map((line) =>
      [...line.matchAll(/[ \t]*(?:"((?:[^"]|"")*)"|([^,]*))[ \t]*(?:,|$)/g)]
        .slice(0, LIMITS.columns)
        .filter(({ 0: cell, index }) => cell !== '' || index < line.length)
        .map(([, inQuotes, plain = '']) => inQuotes?.replaceAll('""', '"') ?? plain.trim()),
    )
