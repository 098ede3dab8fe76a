/**
 * Divides items into batches, one per request.
 * @param max items of a batch, and their size in all. A larger item is a batch of its own
 */
export function* requestBatches<Item>(
  items: Iterable<Item>,
  max: { items: number; size: number },
  sizeOf: (item: Item) => number,
): Generator<Item[]> {
  let batch: Item[] = []
  let total = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (batch.length > 0 && (batch.length === max.items || total + size > max.size)) {
      yield batch
      batch = []
      total = 0
    }
    batch.push(item)
    total += size
  }
  if (batch.length > 0) yield batch
}
