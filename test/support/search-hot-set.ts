import { statementRunner } from '../../src/db/statements.ts'
import { flushIndex } from '../../src/search/index/index-pages.ts'
import { testDatabase } from './database.ts'

/** Gives the index a hot set. @param bounds as SEARCH_HOT_SET */
export const setHotSet = async (bounds: Parameters<typeof flushIndex>[1]): Promise<void> => {
  const client = await (await testDatabase()).owner.connect()
  try {
    await flushIndex(statementRunner(client), bounds)
  } finally {
    client.release()
  }
}

/** Deletes the hot set, as in a small wiki. */
export const deleteHotSet = (): Promise<void> => setHotSet({ from: 1_000_000, pages: 0, least: 0, most: 0 })
