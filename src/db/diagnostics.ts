import { UsageError } from '../errors.ts'
import type { Database } from './database.ts'
import { checkMigrated } from './migrate.ts'
import { migratedIndexes } from './migrations.ts'
import type { StatementRows } from './statement-rows.ts'
import { type Statement, statement } from './statements.ts'

const queryOne = async <Row>(database: Database, one: Statement<Row>): Promise<Row> =>
  (await database.query(one, []))[0]!

/** What `lectern check` reports about a database server. */
export const serverDiagnostics = (database: Database): Promise<StatementRows['check_server']> =>
  queryOne(database, statement('check_server'))

/** The position of a server in the write-ahead log, bytes, and the identifier of its cluster. */
export const replicationPosition = (database: Database): Promise<StatementRows['check_position']> =>
  queryOne(database, statement('check_position'))

/** @returns the error if the schema has another version; undefined if it is current */
export const schemaProblem = (database: Database): Promise<string | undefined> =>
  checkMigrated(database).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof UsageError) return error.message
      throw error
    },
  )

/** Privileges of the reading role beyond its views, and the views that it may not read. */
export const readerPrivileges = async (
  database: Database,
): Promise<{ excess: string[]; missing: string[] }> => {
  const rows = await database.query(statement('check_reader'), [])
  return {
    excess: rows.filter(({ isNeeded }) => !isNeeded).map(({ name, privilege }) => `${privilege} on ${name}`),
    missing: rows.filter(({ isNeeded }) => isNeeded).map(({ name }) => name),
  }
}

export const indexProblems = async (
  database: Database,
): Promise<{ missing: string[]; invalid: string[] }> => {
  const rows = await database.query(statement('check_indexes'), [])
  const existing = new Set(rows.map(({ name }) => name))
  return {
    missing: migratedIndexes().filter((name) => !existing.has(name)),
    invalid: rows.filter(({ isValid }) => !isValid).map(({ name }) => name),
  }
}

/** Large tables without statistics. Only the owner of the database can call this. */
export const tablesWithoutStatistics = async (database: Database): Promise<string[]> =>
  (await database.query(statement('check_statistics'), [])).map(({ name }) => name)

export interface WikiDiagnostics {
  name: string | null
  license: string | null
  locales: string[]
}

export const wikiDiagnostics = async (database: Database): Promise<WikiDiagnostics> => {
  const { name, license, locales } = await queryOne<{
    name: string | null
    license: string | null
    locales: { locale: string }[]
  }>(database, statement('wiki'))
  return { name, license, locales: locales.map(({ locale }) => locale) }
}
