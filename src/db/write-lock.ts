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

/** After so long a wait it is said, milliseconds. */
const WAIT_NOTICE_MS = 1_000

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
 * @param onWait called once when another one takes its time
 */
export const withWriteLock = async <Result>(
  client: pg.PoolClient,
  work: () => Promise<Result>,
  onWait: () => void = () => {},
): Promise<Result> => {
  // The embedded database, which has one session, waits with `begin` already.
  const notice = setTimeout(onWait, WAIT_NOTICE_MS)
  try {
    await client.query('begin')
    await client.query(LOCK)
    clearTimeout(notice)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    clearTimeout(notice)
    await client.query('rollback').catch(() => {})
    throw error
  }
}
