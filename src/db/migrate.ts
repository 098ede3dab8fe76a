import type pg from 'pg'
import { UsageError } from '../errors.ts'
import type { Database } from './database.ts'
import { createGuestViews, hasCurrentViews } from './guest-views.ts'
import { ADVISORY_LOCKS, withLockRetries } from './locks.ts'
import { type DatabaseError, explainMigrationError } from './migration-error.ts'
import { type Migration, migrations } from './migrations.ts'
import { takeWriteLock } from './write-lock.ts'

/**
 * Applies the migrations that the database lacks, then creates the views of guests again, all in one transaction. A
 * second process waits, and then has nothing to do: both lock the table `wiki.migration`, which a session that
 * serves guests cannot lock (D81). Only the first migration of an empty database takes an advisory lock, because the
 * table does not exist yet. (Both are locks of the transaction. Locks of the session have no effect in the embedded
 * database, where all connections share one session.)
 * @param all the migrations to apply; tests add some to those of `schema/migrations`
 * @returns names of the migrations applied, in order
 * @throws UsageError when the database was migrated by a newer Lectern, when the user lacks a right, when another
 * session holds a lock for long, or when objects of others use the views of guests
 */
export const migrate = async (database: Database, all: Migration[] = migrations()): Promise<string[]> => {
  const client = await database.connect()
  try {
    await client.query('begin')
    if (!(await isSetUp(client)))
      await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.firstMigration])
    const applied = await applyAll(client, all)
    await client.query('commit')
    return applied
  } catch (error) {
    await client.query('rollback')
    throw await explainMigrationError(client, error as DatabaseError)
  } finally {
    client.release()
  }
}

/**
 * @throws UsageError when the database lacks migrations, or was migrated by a newer Lectern
 */
export const checkMigrated = async (database: Database): Promise<void> => {
  const client = await database.connect()
  try {
    const all = migrations()
    const missing = (await isSetUp(client)) ? await missingMigrations(client, all) : all
    if (missing.length > 0 || !(await isNoted(client, all)) || !(await hasCurrentViews(client))) {
      throw new UsageError('The database is not set up for this Lectern: run `lectern migrate` first.')
    }
  } finally {
    client.release()
  }
}

const isSetUp = async (client: pg.PoolClient): Promise<boolean> => {
  const { rows } = await client.query<{ known: boolean }>(
    "select to_regclass('wiki.migration') is not null as known",
  )
  return rows[0]!.known
}

const newestOf = (all: readonly Migration[]): number => Math.max(...all.map(({ number }) => number))

const versionNote = (all: readonly Migration[]): string => `Lectern, schema ${newestOf(all)}`

/** Whether the database has the note of its version: a service treats a database without it as older. */
const isNoted = async (client: pg.PoolClient, all: readonly Migration[]): Promise<boolean> => {
  const { rows } = await client.query<{ note: string | null }>(
    "select obj_description(to_regnamespace('guest')::oid, 'pg_namespace') as note",
  )
  return rows[0]!.note === versionNote(all)
}

/** Migrations not applied yet, in order. @throws UsageError when the database has one that `all` lacks */
const missingMigrations = async (client: pg.PoolClient, all: readonly Migration[]): Promise<Migration[]> => {
  const { rows } = await client.query<{ number: number }>('select number from wiki.migration')
  const applied = new Set(rows.map(({ number }) => number))
  const last = Math.max(0, ...applied)
  if (last > newestOf(all)) {
    throw new UsageError(
      `A newer Lectern set up this database (migration ${last}; this version knows ${newestOf(all)}). Use that version.`,
    )
  }
  return all.filter(({ number }) => !applied.has(number))
}

const applyAll = async (client: pg.PoolClient, all: readonly Migration[]): Promise<string[]> => {
  await client.query('create schema if not exists wiki')
  await client.query(
    'create table if not exists wiki.migration (number int primary key, name text not null, applied_at timestamptz not null default now())',
  )
  await client.query('lock table wiki.migration in share row exclusive mode')
  const missing = await missingMigrations(client, all)
  // Before locks on relations that guests read, so that guests do not wait while an import runs.
  if (missing.length > 0) await takeWriteLock(client)
  for (const { number, name, sql } of missing) {
    await withLockRetries(client, () => client.query(sql))
    await client.query('insert into wiki.migration (number, name) values ($1, $2)', [number, name])
  }
  if (missing.length > 0 || !(await hasCurrentViews(client))) await createGuestViews(client)
  await noteVersion(client, all)
  return missing.map(({ name }) => name)
}

/** The serving role can read this comment, in the statement that checks a new connection. (D80) */
const noteVersion = async (client: pg.PoolClient, all: readonly Migration[]): Promise<void> => {
  if (!(await isNoted(client, all))) await client.query(`comment on schema guest is '${versionNote(all)}'`)
}
