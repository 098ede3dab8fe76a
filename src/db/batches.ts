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
