import { UsageError } from '../errors.ts'
import type { Database } from './database.ts'
import { checkMigrated } from './migrate.ts'
import { migratedIndexes } from './migrations.ts'
import { statement } from './statements.ts'

/** What `lectern check` reports about a database server. */
interface ServerDiagnostics {
  /** `server_version_num` of PostgreSQL, such as 150004. */
  version: number
  versionName: string
  encoding: string
  login: string
  isReplica: boolean
  isSetUp: boolean
  /** Whether the login has the privileges of the wiki's owner. */
  isOwner: boolean
}

const queryOne = async <Row>(database: Database, name: ReturnType<typeof statement>): Promise<Row> =>
  (await database.query<Row>(name, []))[0]!

export const serverDiagnostics = (database: Database): Promise<ServerDiagnostics> =>
  queryOne(database, statement('check_server'))

/** The position of a server in the write-ahead log, bytes, and the identifier of its cluster. */
export const replicationPosition = (database: Database): Promise<{ position: number; cluster: string }> =>
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
  const rows = await database.query<{ name: string; privilege: string; isNeeded: boolean }>(
    statement('check_reader'),
    [],
  )
  return {
    excess: rows.filter(({ isNeeded }) => !isNeeded).map(({ name, privilege }) => `${privilege} on ${name}`),
    missing: rows.filter(({ isNeeded }) => isNeeded).map(({ name }) => name),
  }
}

export const indexProblems = async (
  database: Database,
): Promise<{ missing: string[]; invalid: string[] }> => {
  const rows = await database.query<{ name: string; isValid: boolean }>(statement('check_indexes'), [])
  const existing = new Set(rows.map(({ name }) => name))
  return {
    missing: migratedIndexes().filter((name) => !existing.has(name)),
    invalid: rows.filter(({ isValid }) => !isValid).map(({ name }) => name),
  }
}

/** Large tables without statistics. Only the owner of the database can call this. */
export const tablesWithoutStatistics = async (database: Database): Promise<string[]> =>
  (await database.query<{ name: string }>(statement('check_statistics'), [])).map(({ name }) => name)

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
