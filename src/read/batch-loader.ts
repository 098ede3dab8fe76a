import DataLoader from 'dataloader'
import type { Database } from '../db/database.ts'
import type { Statement } from '../db/statements.ts'

/** Keys that one statement answers at most: past some dozens a round trip more costs nothing. */
const BATCH_MAX = 64

/**
 * Rows that one statement of a list answers at most. While an answer comes in, all of its rows are held. Six lists
 * of 50 a statement take PostgreSQL half of what they take one by one, and more than six save little.
 */
const ROWS_MAX = 320

/** A row that says which key it answers, counted from 1. */
type Numbered<Row> = Row & { n: number }

/**
 * A loader whose batch is one statement: each column of the keys becomes an array parameter, and rows come
 * back with `n`, the place of their key.
 *
 * The loader is shared by all requests in flight, which is safe because every guest sees the same, and so
 * it keeps nothing: its cache, which makes equal keys of a batch one, is emptied when the batch is sent. A
 * batch gathers for one turn of the event loop, not for a timer. (D9)
 *
 * @param columns a key's values, in the order of the statement's parameters
 * @param answer what a key is answered with, given its rows in the statement's order
 * @param rowsOfKey how many rows a key's answer has at most, where that is many
 */
export const makeBatchLoader = <Key, Row, Answer>(
  database: Database,
  statement: Statement,
  columns: (key: Key) => readonly unknown[],
  answer: (rows: Row[], key: Key) => Answer,
  rowsOfKey: (key: Key) => number = () => 1,
): DataLoader<Key, Answer, string> => {
  const read = async (keys: readonly Key[]): Promise<Answer[]> => {
    const values = transpose(keys.map(columns))
    const rowsOf: Row[][] = keys.map(() => [])
    for (const row of await database.query<Numbered<Row>>(statement, values)) rowsOf[row.n - 1]!.push(row)
    return keys.map((key, i) => answer(rowsOf[i]!, key))
  }
  const loader = new DataLoader<Key, Answer, string>(
    async (keys) => {
      loader.clearAll()
      const parts = divide(keys, rowsOfKey).map((some) =>
        read(some).catch((error: Error): Error[] => some.map(() => error)),
      )
      return (await Promise.all(parts)).flat(1) as (Answer | Error)[]
    },
    {
      cacheKeyFn: (key) => JSON.stringify(columns(key)),
      maxBatchSize: BATCH_MAX,
      batchScheduleFn: (run) => setImmediate(run),
    },
  )
  return loader
}

const transpose = (rows: (readonly unknown[])[]): unknown[][] =>
  rows[0]!.map((_, column) => rows.map((row) => row[column]))

/** Keys in their order, cut so that the rows of each part are within bounds. */
const divide = <Key>(keys: readonly Key[], rowsOfKey: (key: Key) => number): Key[][] => {
  const parts: Key[][] = []
  let left = 0
  for (const key of keys) {
    const rows = rowsOfKey(key)
    if (parts.length === 0 || rows > left) {
      parts.push([])
      left = ROWS_MAX
    }
    parts.at(-1)!.push(key)
    left -= rows
  }
  return parts
}
