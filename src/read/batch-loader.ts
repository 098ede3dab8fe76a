import DataLoader from 'dataloader'
import type { Database } from '../db/database.ts'
import { type Statement, statement } from '../db/statements.ts'
import type { StatementRows } from '../generated/statement-rows.ts'

/** The maximum of keys in one statement. With some dozens of keys, another round trip costs nearly nothing. */
const BATCH_MAX = 64

/**
 * The maximum of rows that one statement of lists returns: all of them are in memory until the result is complete. Three
 * lists of 200 rows in one statement take PostgreSQL and this process two thirds of the time of three statements.
 */
const ROWS_MAX = 640

/** For `batchLoaders`: the maximum of rows in a list. */
export const rowsOfList = ({ first }: { first: number }): number => first

/** The same for a list that reads one more row, which shows whether it continues. */
export const rowsAndNext = ({ first }: { first: number }): number => first + 1

/** The result of a key that has at most one row. */
export const firstRow = <Row>(rows: Row[]): Row | null => rows[0] ?? null

/** Statements whose rows have `n`, the number of their key, from 1. */
type NumberedStatement = {
  [Name in keyof StatementRows]: StatementRows[Name] extends { n: number } ? Name : never
}[keyof StatementRows]

export type BatchLoaders = ReturnType<typeof batchLoaders>

/**
 * A function that makes loaders. A loader reads a batch of keys with one statement. Each column of the keys becomes an array parameter, and each
 * row has `n`, the number of its key.
 * All concurrent requests share the loader, which is safe because every guest sees the same. So it caches nothing: the
 * cache that merges equal keys is emptied when the batch is sent. A batch collects the keys of one iteration of the
 * event loop, and waits for no timer. (D9)
 * @param name of a statement of `schema/sql`
 * @param columns the values of a key, in the order of the statement's parameters
 * @param resultOf the result of a key, from its rows in the statement's order
 * @param rowsOfKey the maximum of rows of a key, if a key can have many
 * @param keysMax the maximum of keys in one statement
 */
export const batchLoaders =
  (database: Database) =>
  <Name extends NumberedStatement, Key, Result>(
    name: Name,
    columns: (key: Key) => readonly unknown[],
    resultOf: (rows: Omit<StatementRows[Name], 'n'>[], key: Key) => Result,
    rowsOfKey: (key: Key) => number = () => 1,
    keysMax = BATCH_MAX,
  ): DataLoader<Key, Result, string> => {
    type Row = Omit<StatementRows[Name], 'n'>
    const named = statement(name) as Statement<Row & { n: number }>
    const read = async (keys: readonly Key[]): Promise<Result[]> => {
      const values = transpose(keys.map(columns))
      const rowsOf: Row[][] = keys.map(() => [])
      for (const row of await database.query(named, values)) rowsOf[row.n - 1]!.push(row)
      return keys.map((key, i) => resultOf(rowsOf[i]!, key))
    }
    const loader = new DataLoader<Key, Result, string>(
      async (keys) => {
        loader.clearAll()
        // A promise for each key, which DataLoader resolves with: no list waits, with its rows, for those of another statement.
        return splitByRows(keys, rowsOfKey).flatMap((part) => {
          const results = read(part)
          return part.map((_, i) => results.then((all) => all[i]))
        }) as Result[]
      },
      {
        cacheKeyFn: (key) => JSON.stringify(columns(key)),
        cacheMap: makeCacheMap(),
        maxBatchSize: keysMax,
        batchScheduleFn: (run) => setImmediate(run),
      },
    )
    return loader
  }

/**
 * The keys of one batch. `clear` of a `Map` links its old table to the new one, and V8 keeps what an old table links to until
 * the next full garbage collection: the rows of all batches. With a new `Map` for each batch, the next scavenge takes them.
 * (D101)
 */
const makeCacheMap = <Key, Value>() => {
  let map = new Map<Key, Value>()
  return {
    get: (key: Key) => map.get(key),
    set: (key: Key, value: Value) => void map.set(key, value),
    delete: (key: Key) => map.delete(key),
    clear: () => {
      map = new Map()
    },
  }
}

const transpose = (rows: (readonly unknown[])[]): unknown[][] =>
  rows[0]!.map((_, column) => rows.map((row) => row[column]))

/** Splits keys, in order, into parts of at most ROWS_MAX rows. */
const splitByRows = <Key>(keys: readonly Key[], rowsOfKey: (key: Key) => number): Key[][] => {
  const parts: Key[][] = []
  let remaining = 0
  for (const key of keys) {
    const rows = rowsOfKey(key)
    if (parts.length === 0 || rows > remaining) {
      parts.push([])
      remaining = ROWS_MAX
    }
    parts.at(-1)!.push(key)
    remaining -= rows
  }
  return parts
}
