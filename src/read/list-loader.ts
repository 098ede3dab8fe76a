import type DataLoader from 'dataloader'
import type { Database } from '../db/database.ts'
import type { Statement } from '../db/statements.ts'
import { makeBatchLoader } from './batch-loader.ts'

interface ListLoader<Key, Result> {
  load(key: Key): Promise<Result>
}

/** A list before it is made from its rows. */
interface PendingList<Result> {
  /** Undefined once it was called, so that nothing refers to the rows any longer. */
  make: (() => Result) | undefined
  receivers: { resolve(result: Result): void; reject(error: unknown): void }[]
}

/**
 * A batch loader of lists. It makes the lists of a batch one after the other, each when everything has run that waited
 * for the one before: the response is then complete, and V8 need not copy the items when it collects garbage. The
 * batch itself never refers to them, because DataLoader keeps it until the next one. (D133)
 * @param rowsOfKey the maximum of rows of a key
 */
export const makeListLoader = <Key, Row, Result>(
  database: Database,
  statement: Statement<Row & { n: number }>,
  columns: (key: Key) => readonly unknown[],
  resultOf: (rows: Row[], key: Key) => Result,
  rowsOfKey: (key: Key) => number,
): ListLoader<Key, Result> => {
  const pendingList = (rows: Row[], key: Key): PendingList<Result> => ({
    make: () => resultOf(rows, key),
    receivers: [],
  })
  return inOrder(makeBatchLoader(database, statement, columns, pendingList, rowsOfKey))
}

const inOrder = <Key, Result>(
  loader: DataLoader<Key, PendingList<Result>, string>,
): ListLoader<Key, Result> => {
  const queue: PendingList<Result>[] = []
  const settleNext = (): void => {
    settle(queue.shift()!)
    if (queue.length > 0) afterMicrotasks(settleNext)
  }
  return {
    load: (key) =>
      new Promise((resolve, reject) => {
        loader.load(key).then((list) => {
          if (list.receivers.push({ resolve, reject }) > 1) return
          if (queue.push(list) === 1) afterMicrotasks(settleNext)
        }, reject)
      }),
  }
}

const settle = <Result>(list: PendingList<Result>): void => {
  const { make, receivers } = list
  list.make = undefined
  list.receivers = []
  try {
    const result = make!()
    for (const { resolve } of receivers) resolve(result)
  } catch (error) {
    for (const { reject } of receivers) reject(error)
  }
}

const resolved = Promise.resolve()

/** Runs work in this turn of the event loop, but after everything that promises have caused. */
const afterMicrotasks = (work: () => void): void => void resolved.then(() => process.nextTick(work))
