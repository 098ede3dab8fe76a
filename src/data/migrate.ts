import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { UsageError } from '../errors.ts'
import { packagePath } from '../paths.ts'
import type { Database } from './database.ts'

/** Any number, the same in every process: one migrates or imports at a time. */
const MIGRATE_LOCK = 7_305_001

interface Migration {
  number: number
  name: string
  sql: string
}

const migrations = (): Migration[] => {
  const folder = packagePath('schema', 'migrations')
  return readdirSync(folder)
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 4)),
      name: file,
      sql: readFileSync(`${folder}/${file}`, 'utf8'),
    }))
}

/**
 * Applies what is new of `schema/migrations`, each in its own transaction, under a lock: a second process
 * waits, and finds nothing left to do.
 * @returns names of the files applied, in order
 * @throws UsageError when the database was migrated by a newer Lectern, or the user may not make roles
 */
export const migrate = async (database: Database): Promise<string[]> => {
  const client = await database.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATE_LOCK])
    try {
      return await applyAll(client)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATE_LOCK])
    }
  } finally {
    client.release()
  }
}

const applyAll = async (client: pg.PoolClient): Promise<string[]> => {
  await client.query('create schema if not exists wiki')
  await client.query(
    'create table if not exists wiki.migration (number int primary key, name text not null, applied_at timestamptz not null default now())',
  )
  const done = new Set(
    (await client.query<{ number: number }>('select number from wiki.migration')).rows.map(
      (row) => row.number,
    ),
  )
  const all = migrations()
  const newest = Math.max(0, ...done)
  if (newest > all.length) {
    throw new UsageError(
      `The database was set up by a newer Lectern (migration ${newest}, this one knows ${all.length}): use that one.`,
    )
  }
  const applied: string[] = []
  for (const migration of all.filter(({ number }) => !done.has(number))) {
    await apply(client, migration)
    applied.push(migration.name)
  }
  return applied
}

const apply = async (client: pg.PoolClient, { number, name, sql }: Migration): Promise<void> => {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into wiki.migration (number, name) values ($1, $2)', [number, name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    if ((error as { code?: string }).code === '42501') {
      throw new UsageError(
        `Migration ${name}: ${(error as Error).message}. The user of DATABASE_URL needs CREATE on the database and CREATEROLE ` +
          '(or an administrator runs `create role lectern_reader nologin` and grants it to that user).',
      )
    }
    throw error
  }
}
