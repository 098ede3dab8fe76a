import type pg from 'pg'
import { UsageError } from '../errors.ts'
import { READER_ROLE } from './session.ts'

/** An error of a statement, with PostgreSQL's code. */
export type DatabaseError = Error & { code?: string; detail?: string }

/**
 * An error that an administrator can correct, as a message that says how; any other error as it is.
 * @param client a connection of the user that migrated, after the rollback
 */
export const explainMigrationError = async (client: pg.PoolClient, error: DatabaseError): Promise<Error> => {
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
  return error
}

interface Rights {
  /** Quoted for SQL. */
  user: string
  database: string
  isSetUp: boolean
  hasReaderRole: boolean
  isReader: boolean
  canCreate: boolean
}

/** Which statements an administrator must run before the first migration. */
const rightsAdvice = async (client: pg.PoolClient): Promise<string> => {
  const { user, database, isSetUp, hasReaderRole, isReader, canCreate } = (
    await client.query<Rights>(RIGHTS, [READER_ROLE])
  ).rows[0]!
  const missing = [
    ...(hasReaderRole ? [] : [`create role ${READER_ROLE} nologin`]),
    ...(isReader ? [] : [`grant ${READER_ROLE} to ${user}`]),
    ...(canCreate ? [] : [`grant create on database ${database} to ${user}`]),
  ]
  if (isSetUp || missing.length === 0) return 'Use the login that ran the first `lectern migrate`.'
  return `As an administrator, run: ${missing.join('; ')}. Then run this again.`
}

const RIGHTS = `
  select quote_ident(current_user) as "user", quote_ident(current_database()) as "database",
         to_regnamespace('wiki') is not null as "isSetUp",
         r.oid is not null as "hasReaderRole",
         coalesce(pg_has_role(r.oid, 'member'), false) as "isReader",
         has_database_privilege(current_database(), 'create') as "canCreate"
    from (select to_regrole($1) as oid) r`
