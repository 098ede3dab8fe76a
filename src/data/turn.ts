import type pg from 'pg'
import type { Database } from './database.ts'

/**
 * All that writes what guests see stands in line by a table's lock, which the role that serves guests cannot take.
 * Where that table is not there yet, nothing can be written either. (D81)
 */
const LOCK = `
  do $$ begin
    if to_regclass('wiki.write_lock') is not null then
      lock table wiki.write_lock in exclusive mode;
    end if;
  end $$`

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
    await client.query(LOCK)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
