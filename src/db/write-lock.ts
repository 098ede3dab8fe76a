import type pg from 'pg'
import type { Database } from './database.ts'

/**
 * Every transaction that writes what guests see takes this lock of a table, so that only one runs at a time. The role
 * that serves guests cannot take it. Before the table exists, nothing can be written either. (D81)
 */
const LOCK = `
  do $$ begin
    if to_regclass('wiki.write_lock') is not null then
      lock table wiki.write_lock in exclusive mode;
    end if;
  end $$`

/** The bridge of the embedded database replies to it (`classify-statement.ts`). */
const ANNOUNCE_LONG_TRANSACTION = 'set lectern.long_transaction = on'

/** Waits until no other transaction writes content, and keeps other writers out until this transaction ends. */
export const takeWriteLock = async (client: pg.PoolClient): Promise<void> => {
  await client.query(LOCK)
}

/** After this time, `onWait` reports that another transaction holds the lock, milliseconds. */
const WAIT_NOTICE_MS = 1_000

/** Runs `work` with a connection. After a failure the pool discards the connection. */
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
 * Runs `work` in a transaction that excludes every other writing one, of all processes: otherwise another process could
 * write a page between this one's read and write. When `work` throws, the transaction is rolled back.
 * @param options.isLong whether the embedded database is to serve readers elsewhere meanwhile, which takes it about a
 * second to prepare (D96)
 * @param options.onWait called once if the lock is not free within a second
 */
export const withWriteLock = async <Result>(
  client: pg.PoolClient,
  work: () => Promise<Result>,
  { isLong = false, onWait = () => {} }: { isLong?: boolean; onWait?: () => void } = {},
): Promise<Result> => {
  // The embedded database has a single session, so the first statement waits already.
  const notice = setTimeout(onWait, WAIT_NOTICE_MS)
  try {
    if (isLong) {
      await client.query(ANNOUNCE_LONG_TRANSACTION)
      clearTimeout(notice)
    }
    await client.query('begin')
    // Statements of batches are short, but are planned as long ones: to compile one took 0.75 s, its run 0.04 s. (D93)
    await client.query('set local jit = off')
    await takeWriteLock(client)
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
