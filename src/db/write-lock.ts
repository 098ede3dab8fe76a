import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './database.ts'

/**
 * Every transaction that writes what guests see takes this lock of a table, so that only one runs at a time. The role
 * that serves guests cannot take it. Before the table exists, nothing can be written either. (D8)
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
export const takeWriteLock = (client: pg.PoolClient) => client.query(LOCK)

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
    // Statements of batches are short, but are planned as long ones: to compile one took 0.75 s, its run 0.04 s.
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

/**
 * The advisory lock of the first migration, which has no table that it could lock. All other locks are locks of tables:
 * writers `wiki.write_lock` (above), migrations `wiki.migration` (migrate.ts). (D8)
 */
export const FIRST_MIGRATION_LOCK = 7_305_001

/** Longest wait for one lock, milliseconds. Statements of guests wait behind it, and each may run for 2.5 s. */
const LOCK_TIMEOUT_MS = 500
/** Between two attempts, milliseconds: long enough for the statements that waited. */
const PAUSE_MS = 100
/** They take a minute if each waits for a lock. */
const ATTEMPTS = 100

/** SQLSTATEs of a lock that is not granted in time, and of a deadlock. */
const LOCK_ERRORS = ['55P03', '40P01']

/**
 * Runs `work`, which changes relations that guests read, within a transaction. If a lock is not granted soon, rolls
 * `work` back and runs it again: while a session waits for a strong lock, all readers wait behind it, and a reader that
 * has locked one relation and waits for another one is a deadlock.
 * @param work may run several times
 * @throws the error of PostgreSQL (55P03, 40P01) if the last attempt gets no lock either
 */
export const withLockRetries = async <Result>(client: pg.PoolClient, work: () => Promise<Result>) => {
  const { rows } = await client.query<{ lock_timeout: string }>('show lock_timeout')
  for (let attempt = 1; ; attempt++) {
    await client.query('savepoint before_locks')
    try {
      await client.query(`set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`)
      const result = await work()
      await client.query("select set_config('lock_timeout', $1, true)", [rows[0]!.lock_timeout])
      await client.query('release savepoint before_locks')
      return result
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (!LOCK_ERRORS.includes(code) || attempt === ATTEMPTS) throw error
      await client.query('rollback to savepoint before_locks; release savepoint before_locks')
    }
    await sleep(PAUSE_MS)
  }
}
