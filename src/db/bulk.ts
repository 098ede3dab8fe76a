/**
 * Rows in order, in batches with at most a number of rows and of bytes. A row with more bytes is a batch of its own.
 * @param max rows (whatever `pages` counts) and bytes of a batch
 */
export function* inBatches<Row extends { bytes: number }>(
  rows: readonly Row[],
  max: { pages: number; bytes: number },
): Generator<Row[]> {
  let batch: Row[] = []
  let bytes = 0
  for (const row of rows) {
    if (batch.length > 0 && (batch.length >= max.pages || bytes + row.bytes > max.bytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(row)
    bytes += row.bytes
  }
  if (batch.length > 0) yield batch
}

const FIRST_COUNT = 1000

/**
 * Says when to analyze tables that one transaction fills. Without statistics, PostgreSQL reads a whole table where an
 * index would do, and the time of an import grows with the square of its pages.
 * @returns whether a count, never smaller than before, is at least `FIRST_COUNT`, and twice the last one that was
 */
export const makeDoublings = () => {
  let next = FIRST_COUNT
  return (count: number): boolean => {
    if (count < next) return false
    next = 2 * count
    return true
  }
}

/** One value of each row, as an array parameter of a statement. */
export const column = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Row[Key][] =>
  rows.map((row) => row[key])

/** The same for several values: one array for each of the keys. */
export const columns = <Row>(rows: readonly Row[], keys: readonly (keyof Row)[]): unknown[][] =>
  keys.map((key) => column(rows, key))

const TYPES = { bytea: 17, text: 25 } as const

/** Length of the header, bytes: dimensions, whether there are nulls, type, length, first index. */
const HEADER_BYTES = 20

/** An array in PostgreSQL's binary format. @param allocate returns the memory that it has */
const binaryArray = (
  type: number,
  elements: readonly (string | Buffer)[],
  allocate: (size: number) => Buffer = Buffer.allocUnsafe,
): Buffer => {
  let size = HEADER_BYTES
  for (const element of elements) size += 4 + Buffer.byteLength(element)
  const bytes = allocate(size)
  let at = 0
  for (const number of [1, 0, type, elements.length, 1]) at = bytes.writeInt32BE(number, at)
  for (const element of elements) {
    const start = at + 4
    const length = typeof element === 'string' ? bytes.write(element, start) : element.copy(bytes, start)
    bytes.writeInt32BE(length, at)
    at = start + length
  }
  return bytes
}

/**
 * Texts as a parameter of type `text[]`, in PostgreSQL's binary format. `pg` would quote, join and copy every text, and
 * PostgreSQL would parse the result: for long texts, this takes most of the time of sending them.
 */
export const binaryTextArray = (texts: readonly string[]): Buffer => binaryArray(TYPES.text, texts)

/** The same for a parameter of type `bytea[]`. @param allocate returns the memory that the result has */
export const binaryBytesArray = (values: readonly Buffer[], allocate?: (size: number) => Buffer): Buffer =>
  binaryArray(TYPES.bytea, values, allocate)
