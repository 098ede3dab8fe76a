import { statementRunner } from '../../src/db/statements.ts'
import { flushIndex } from '../../src/search/index/index-pages.ts'
import { testDatabase } from './database.ts'

/** Rebuilds the hot set of the index with these bounds. */
export const chooseTop = async (bounds: Parameters<typeof flushIndex>[1]): Promise<void> => {
  const client = await (await testDatabase()).owner.connect()
  try {
    await flushIndex(statementRunner(client), bounds)
  } finally {
    client.release()
  }
}

/** Rebuilds the index without a hot set. */
export const noTop = (): Promise<void> => chooseTop({ from: 1_000_000, pages: 0, least: 0, most: 0 })
