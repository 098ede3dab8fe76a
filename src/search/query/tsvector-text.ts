/** A lexeme in the text form of a tsvector, such as `'Bgtea':3A,9A`. */
export interface TsvectorEntry {
  /** The letter of its weight in the page. */
  weight: string
  /** Without the letters of weight and configuration. */
  lexeme: string
  /** Offsets of its positions in the text; equal if it has none. */
  start: number
  end: number
}

/** The lexemes of a tsvector as PostgreSQL prints it. */
export const tsvectorEntries = (tsvector: string): TsvectorEntry[] => {
  const entries: TsvectorEntry[] = []
  for (let i = tsvector.indexOf("'"); i >= 0; ) {
    let quote = tsvector.indexOf("'", i + 1)
    while (tsvector[quote + 1] === "'") quote = tsvector.indexOf("'", quote + 2)
    const space = tsvector.indexOf(' ', quote)
    const end = space < 0 ? tsvector.length : space
    const written = tsvector.slice(i + 3, quote)
    const isEscaped = written.includes("'") || written.includes('\\')
    entries.push({
      weight: tsvector[i + 1]!,
      lexeme: isEscaped ? written.replaceAll("''", "'").replaceAll('\\\\', '\\') : written,
      start: tsvector[quote + 1] === ':' ? quote + 2 : end,
      end,
    })
    i = space < 0 ? -1 : space + 1
  }
  return entries
}

const COMMA = 44
const ZERO = 48
const NINE = 57

/** The positions of an entry: the numbers of `3A,9A`, in ascending order. @param most how many are read */
export const tsvectorPositions = (
  tsvector: string,
  { start, end }: TsvectorEntry,
  most = Number.POSITIVE_INFINITY,
): number[] => {
  const positions: number[] = []
  let number = 0
  for (let i = start; i <= end && start < end && positions.length < most; i++) {
    const code = i < end ? tsvector.charCodeAt(i) : COMMA
    if (code === COMMA) {
      positions.push(number)
      number = 0
    } else if (code >= ZERO && code <= NINE) number = number * 10 + code - ZERO
  }
  return positions
}

/** How many positions an entry has. */
export const countPositions = (tsvector: string, { start, end }: TsvectorEntry): number => {
  let count = start < end ? 1 : 0
  for (let i = start; i < end; i++) if (tsvector.charCodeAt(i) === COMMA) count++
  return count
}
