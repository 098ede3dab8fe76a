/**
 * Rows in their order, so many at a time, or so many bytes of what they stand for; one that has more goes alone.
 * @param most how many rows, under whichever name, and bytes
 */
export function* inBatches<Row extends { bytes: number }>(
  rows: readonly Row[],
  most: { pages: number; bytes: number },
): Generator<Row[]> {
  let some: Row[] = []
  let bytes = 0
  for (const row of rows) {
    if (some.length > 0 && (some.length >= most.pages || bytes + row.bytes > most.bytes)) {
      yield some
      some = []
      bytes = 0
    }
    some.push(row)
    bytes += row.bytes
  }
  if (some.length > 0) yield some
}
