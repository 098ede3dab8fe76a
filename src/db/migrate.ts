import { hash } from 'node:crypto'
import { UsageError } from '@lectern/wiki/errors'
import type pg from 'pg'
import type { StatementRows } from '../generated/statement-rows.ts'
import type { Database } from './database.ts'
import { createGuestViews, hasCurrentViews } from './guest-views.ts'
import { type Migration, migrations } from './migrations.ts'
import { notSetUp, olderSchema, READER_ROLE, schemaMismatch } from './session.ts'
import { readValue, statement } from './statements.ts'
import { FIRST_MIGRATION_LOCK, takeWriteLock, withConnection, withLockRetries } from './write-lock.ts'

/**
 * Applies the migrations that the database lacks, creates the views of guests again, and withdraws rights that guests do
 * not need, all in one transaction. A second process waits, and then has nothing to do: both lock the table
 * `wiki.migration`, which a session that serves guests cannot lock (D8), or an advisory lock while the table does not exist.
 * @param all the migrations to apply; tests add some to those of `schema/migrations`
 * @returns names of the migrations applied, in order
 * @throws UsageError when the database was migrated by a newer Lectern, when the user lacks a right, when another
 * session holds a lock for long, or when objects of others use the views of guests or have names that Lectern needs
 */
export const migrate = (database: Database, all: Migration[] = migrations()): Promise<string[]> =>
  withConnection(database, async (client) => {
    try {
      await client.query('begin')
      if (!(await isSetUp(client)))
        await client.query('select pg_advisory_xact_lock($1)', [FIRST_MIGRATION_LOCK])
      const applied = await applyAll(client, all)
      await client.query('commit')
      return applied
    } catch (error) {
      await client.query('rollback')
      throw await explainMigrationError(client, error as DatabaseError)
    }
  })

/** On PostgreSQL, this version can serve the database, but not write it. */
export class NewerSchema extends UsageError {}

/** @throws UsageError when the database lacks migrations, NewerSchema when it was migrated by a newer Lectern */
export const checkMigrated = (database: Database): Promise<void> =>
  withConnection(database, async (client) => {
    if (!(await isSetUp(client))) throw notSetUp(await readValue(client, 'select current_database()'))
    const [missing] = await missingMigrations(client, migrations())
    if (missing) throw olderSchema(missing.number - 1)
    if (!(await isNoted(client)) || !(await hasCurrentViews(client)))
      throw schemaMismatch('its views are those of another version')
  })

const isSetUp = (client: pg.PoolClient): Promise<boolean> =>
  readValue(client, "select to_regclass('wiki.migration') is not null")

/** Whether the database, which lacks no migration, has the note of them: a service treats it as older without the note. */
const isNoted = (client: pg.PoolClient): Promise<boolean> =>
  readValue(
    client,
    "select obj_description(to_regnamespace('guest')::oid, 'pg_namespace') is not distinct from wiki.migration_note()",
  )

/**
 * Migrations not applied yet, in order.
 * @throws UsageError when the database has one that `all` lacks: a later one, or one with the same number and another text,
 * which was not released
 */
const missingMigrations = async (client: pg.PoolClient, all: readonly Migration[]): Promise<Migration[]> => {
  // Before the first release, the table had no digests.
  const text = "select number::int, to_jsonb(m) ->> 'digest' as digest from wiki.migration m"
  const { rows } = await client
    .query<{ number: number; digest: string | null }>(text)
    .catch((error: DatabaseError) => {
      throw explainForeignObject(error)
    })
  const applied = new Map(rows.map(({ number, digest }) => [number, digest]))
  const isChanged = ({ number, sql }: Migration) =>
    applied.has(number) && applied.get(number) !== digestOf(sql)
  const changed = all.find(isChanged)
  if (changed !== undefined)
    throw new UsageError(
      `The database cannot be migrated, and nothing was changed: wiki.migration has another migration ${changed.number} than this Lectern. An unreleased version set it up, or somebody changed this table. Create a new database, and import the wiki into it. For a Wiki.js, run \`lectern detach wikijs\`, then \`lectern attach wikijs\`.`,
    )
  const last = Math.max(0, ...applied.keys())
  const newest = Math.max(...all.map(({ number }) => number))
  if (last > newest)
    throw new NewerSchema(
      `A newer Lectern set up this database (migration ${last}; this version knows ${newest}). Use that version.`,
    )
  return all.filter(({ number }) => !applied.has(number))
}

/** Tells versions of a migration apart. A migration that was released never changes. */
const digestOf = (sql: string): string => hash('sha256', sql)

export const UTF8_ADVICE = 'Create a new database: createdb --encoding=UTF8 --template=template0'

const applyAll = async (client: pg.PoolClient, all: readonly Migration[]): Promise<string[]> => {
  const encoding = await readValue<string>(client, 'show server_encoding')
  if (encoding !== 'UTF8')
    throw new UsageError(`The encoding of the database is ${encoding}, not UTF8. ${UTF8_ADVICE}`)
  await client.query('create schema if not exists wiki')
  await client.query(
    'create table if not exists wiki.migration (number int primary key, name text not null, digest text not null, applied_at timestamptz not null default now())',
  )
  await client.query('lock table wiki.migration in share row exclusive mode')
  const missing = await missingMigrations(client, all)
  // Before locks on relations that guests read, so that guests do not wait while an import runs.
  if (missing.length > 0) await takeWriteLock(client)
  for (const { number, name, sql } of missing) {
    await withLockRetries(client, () => client.query(sql))
    const values = [number, name, digestOf(sql)]
    await client.query('insert into wiki.migration (number, name, digest) values ($1, $2, $3)', values)
  }
  if (missing.length > 0 || !(await hasCurrentViews(client)) || !(await canReaderRead(client)))
    await createGuestViews(client)
  await client.query(statement('withdraw_rights').text)
  await noteMigrations(client)
  return missing.map(({ name }) => name)
}

const canReaderRead = async (client: pg.PoolClient): Promise<boolean> =>
  (await readValue<boolean>(client, 'select to_regrole($1) is not null', [READER_ROLE])) &&
  (await client.query(statement('check_missing_rights'))).rows.length === 0

/** The serving role can read this comment, in the statement that checks a new connection. A restore may lose it. (D4) */
const noteMigrations = async (client: pg.PoolClient): Promise<void> => {
  if (await isNoted(client)) return
  const note = await readValue<string>(client, 'select quote_literal(wiki.migration_note())')
  await client.query(`comment on schema guest is ${note}`)
}

type DatabaseError = Error & { code?: string; detail?: string }

/**
 * An error that an administrator can correct, as a message that says how; any other error as it is.
 * @param client a connection of the user that migrated, after the rollback
 */
const explainMigrationError = async (client: pg.PoolClient, error: DatabaseError): Promise<Error> => {
  if (error.code === '42501')
    return new UsageError(`The database cannot be set up: ${error.message}. ${await rightsAdvice(client)}`)
  if (error.code === '2BP01')
    return new UsageError(
      `The views of schema guest cannot be created again, because objects that are not Lectern's use them: ${(error.detail ?? error.message).replaceAll('\n', '; ')}. Drop these objects, run this again, and create them again.`,
    )
  if (error.code === '55P03')
    return new UsageError(
      'Nothing was changed: other sessions have held locks on the tables of the wiki for a minute (pg_stat_activity shows them). Run this again when they have ended.',
    )
  return explainForeignObject(error)
}

/** SQLSTATEs of a migration whose objects exist already, or lack what an earlier one created. */
const FOREIGN_OBJECT = /^42(P01|P06|P07|703|710|723|804|809|846|883)$/

const explainForeignObject = (error: DatabaseError): Error =>
  FOREIGN_OBJECT.test(error.code ?? '')
    ? new UsageError(
        `The schemas wiki and guest are not as Lectern left them, and nothing was changed (${error.message}). If another program uses them, give Lectern a database of its own. If a restore was incomplete, or somebody changed them, restore a complete backup.`,
      )
    : error

/** Which login owns the wiki, or else what to do before the first migration. @param otherwise if nothing */
export const rightsAdvice = async (client: pg.PoolClient, otherwise?: string): Promise<string> => {
  const { rows } = await client.query<StatementRows['check_migrator']>(statement('check_migrator'))
  const { user, database, owner, isSetUp, hasReaderRole, isReader, canCreate, canCreateRole } = rows[0]!
  const missing = [
    ...(hasReaderRole || canCreateRole ? [] : [`create role ${READER_ROLE} nologin`]),
    ...(isReader || canCreateRole ? [] : [`grant ${READER_ROLE} to ${user}`]),
    ...(canCreate ? [] : [`grant create on database ${database} to ${user}`]),
  ]
  if (isSetUp || missing.length === 0) return otherwise ?? `Use the login of the owner, ${owner}.`
  const statements = `As an administrator, run: ${missing.join('; ')}. Then run this again.`
  return canCreate
    ? statements
    : `${user} does not own the database: it looks like the login of the service. Use the login of the owner, ${owner}. Or, if ${user} must own the wiki: ${statements}`
}
