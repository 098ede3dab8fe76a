import { readFileSync } from 'node:fs'
import type { Database } from '../../src/db/database.ts'
import { migrations } from '../../src/db/migrations.ts'
import { packagePath } from '../../src/paths.ts'

/** Runs SQL as the owner, on a connection of its own. */
export const runAsOwner = async (owner: Database, sql: string): Promise<Record<string, unknown>[]> => {
  const client = await owner.connect()
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.release())
}

/** Migrates an empty database as a version did that shipped only the first migrations. */
export const migrateTo = async (owner: Database, last: number): Promise<void> => {
  await runAsOwner(
    owner,
    'create schema wiki; create table wiki.migration (number int primary key, name text not null, applied_at timestamptz not null default now())',
  )
  for (const { number, name, sql } of migrations().filter(({ number }) => number <= last)) {
    await runAsOwner(owner, sql)
    await runAsOwner(owner, `insert into wiki.migration (number, name) values (${number}, '${name}')`)
  }
}

/** What Lectern with schema 6 ran to attach a Wiki.js in schema `public`. */
export const ATTACHMENT_OF_SCHEMA_6 = readFileSync(
  packagePath('test', 'support', 'wikijs-attachment-6.sql'),
  'utf8',
)
