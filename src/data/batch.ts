import DataLoader from 'dataloader'
import type { Database } from './database.ts'
import type { Statement } from './statements.ts'

/** Keys that one statement answers at most: past some dozens a round trip more costs nothing. */
const BATCH_MAX = 64

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
 */
export const batchLoader = <Key, Row, Answer>(
  database: Database,
  statement: Statement,
  columns: (key: Key) => readonly unknown[],
  answer: (rows: Row[], key: Key) => Answer,
): DataLoader<Key, Answer, string> => {
  const loader = new DataLoader<Key, Answer, string>(
    async (keys) => {
      loader.clearAll()
      const values = transpose(keys.map(columns))
      const rowsOf: Row[][] = keys.map(() => [])
      for (const row of await database.query<Numbered<Row>>(statement, values)) rowsOf[row.n - 1]!.push(row)
      return keys.map((key, i) => answer(rowsOf[i]!, key))
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
