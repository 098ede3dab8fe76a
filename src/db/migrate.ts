import type pg from 'pg'
import { UsageError } from '../errors.ts'
import type { Database } from './database.ts'
import { type Migration, migrations, newestMigration } from './migrations.ts'

/** Any number, the same in every process: one sets an empty database up at a time. */
const SET_UP_LOCK = 7_305_001

/**
 * Applies what is new of `schema/migrations`, in one transaction and under a lock: a second process waits, and
 * finds nothing left to do. The lock is that of a table, which who serves guests cannot take (D81), but for the
 * first time, when there is none. (Both are the transaction's: on the embedded database all connections share one
 * session, whose own locks would keep nobody out.)
 * @returns names of the files applied, in order
 * @throws UsageError when the database was migrated by a newer Lectern, or the user may not make roles
 */
export const migrate = async (database: Database): Promise<string[]> => {
  const client = await database.connect()
  try {
    await client.query('begin')
    if (!(await isSetUp(client))) await client.query('select pg_advisory_xact_lock($1)', [SET_UP_LOCK])
    const applied = await applyAll(client)
    await client.query('commit')
    return applied
  } catch (error) {
    await client.query('rollback')
    throw forbidden(error as Error & { code?: string })
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
    const lacking = (await isSetUp(client)) ? await lackingMigrations(client) : migrations()
    if (lacking.length > 0 || !(await isNoted(client))) {
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

const versionNote = (): string => `Lectern, schema ${newestMigration()}`

/** Services take a database without the note of its version for one of an older Lectern. */
const isNoted = async (client: pg.PoolClient): Promise<boolean> => {
  const { rows } = await client.query<{ note: string | null }>(
    "select obj_description(to_regnamespace('guest')::oid, 'pg_namespace') as note",
  )
  return rows[0]!.note === versionNote()
}

/** Migrations not applied yet, in order. @throws UsageError when one was applied that is not known here */
const lackingMigrations = async (client: pg.PoolClient): Promise<Migration[]> => {
  const { rows } = await client.query<{ number: number }>('select number from wiki.migration')
  const done = new Set(rows.map(({ number }) => number))
  const all = migrations()
  const last = Math.max(0, ...done)
  if (last > newestMigration()) {
    throw new UsageError(
      `The database was set up by a newer Lectern (migration ${last}, this one knows ${newestMigration()}): use that one.`,
    )
  }
  return all.filter(({ number }) => !done.has(number))
}

const applyAll = async (client: pg.PoolClient): Promise<string[]> => {
  await client.query('create schema if not exists wiki')
  await client.query(
    'create table if not exists wiki.migration (number int primary key, name text not null, applied_at timestamptz not null default now())',
  )
  await client.query('lock table wiki.migration in share row exclusive mode')
  const lacking = await lackingMigrations(client)
  for (const { number, name, sql } of lacking) {
    await client.query(sql)
    await client.query('insert into wiki.migration (number, name) values ($1, $2)', [number, name])
  }
  await noteVersion(client)
  return lacking.map(({ name }) => name)
}

/** Where who serves can read it, in the same look as everything else about a connection. (D80) */
const noteVersion = async (client: pg.PoolClient): Promise<void> => {
  if (!(await isNoted(client))) await client.query(`comment on schema guest is '${versionNote()}'`)
}

/** What an administrator can mend; other errors are left as they are. */
const forbidden = (error: Error & { code?: string }): Error =>
  error.code === '42501'
    ? new UsageError(
        `The database cannot be set up: ${error.message}. The user of DATABASE_URL needs CREATE on the database and CREATEROLE ` +
          '(or an administrator runs `create role lectern_reader nologin` and grants it to that user).',
      )
    : error
