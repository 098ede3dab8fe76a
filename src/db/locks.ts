import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'

/**
 * Every advisory lock that Lectern takes. The numbers are shared by all programs that use a database: never give one
 * a second meaning. All other locks are locks of tables: writers `wiki.write_lock`
 * (write-lock.ts), migrations `wiki.migration` (migrate.ts). (D81)
 */
export const ADVISORY_LOCKS = {
  /** The first migration of an empty database, which has no table that it could lock. */
  firstMigration: 7_305_001,
  /** What imports waited for before schema 6. Only migration 0005 takes it, so that it waits for such an import. */
  writersBeforeSchema6: 7_305_002,
} as const

/**
 * Longest wait for one lock, milliseconds. Statements of guests that come meanwhile wait behind it, and each may run
 * for 2.5 s.
 */
const LOCK_TIMEOUT_MS = 500
/** Between two attempts, milliseconds: long enough for the statements that waited. */
const PAUSE_MS = 100
/** They take a minute if each waits for a lock. */
const ATTEMPTS = 100

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'

const isLockError = ({ code }: { code?: string }): boolean =>
  code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED

/**
 * Runs `work`, which changes relations that guests read, within a transaction. If a lock is not granted soon, rolls
 * `work` back and runs it again: while a session waits for a strong lock, all readers wait behind it, and a reader that
 * has locked one relation and waits for another one is a deadlock.
 * @param work may run several times
 * @throws the error of PostgreSQL (55P03, 40P01) if the last attempt gets no lock either
 */
export const withLockRetries = async <Result>(
  client: pg.PoolClient,
  work: () => Promise<Result>,
): Promise<Result> => {
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
      if (!isLockError(error as { code?: string }) || attempt === ATTEMPTS) throw error
      await client.query('rollback to savepoint before_locks; release savepoint before_locks')
    }
    await setTimeout(PAUSE_MS)
  }
}
