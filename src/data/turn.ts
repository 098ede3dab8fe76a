import type pg from 'pg'
import type { Database } from './database.ts'

/** Any number, the same in every process: all that writes what guests see stands in line by it. */
const LOCK = 7_305_002

/** Lends a connection; one on which something failed is not used again. */
export const withConnection = async <Result>(
  database: Database,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const client = await database.connect()
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    client.release(true)
    throw error
  }
}

/**
 * One transaction, in turn with imports of every process: what one has read of a page, another must not write
 * before. When `work` throws, nothing of it is kept.
 */
export const inTurn = async <Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> => {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
