import { UsageError } from '../errors.ts'
import type { Database } from './database.ts'
import { checkMigrated } from './migrate.ts'
import { migratedIndexes } from './migrations.ts'
import { statement } from './statements.ts'

/** Facts of a database, for `lectern check`. */
interface ServerDiagnostics {
  /** As PostgreSQL numbers it: 150004. */
  version: number
  versionName: string
  encoding: string
  login: string
  isReplica: boolean
  isSetUp: boolean
  /** Whether the login may do what the owner of the wiki may. */
  isOwner: boolean
}

const one = async <Row>(database: Database, name: ReturnType<typeof statement>): Promise<Row> =>
  (await database.query<Row>(name, []))[0]!

export const serverDiagnostics = (database: Database): Promise<ServerDiagnostics> =>
  one(database, statement('check_server'))

/** How far a server is, in bytes, and which cluster it belongs to. */
export const replicationPosition = (database: Database): Promise<{ position: number; cluster: string }> =>
  one(database, statement('check_position'))

/** @returns what is wrong with the schema's version, undefined where nothing is */
export const schemaProblem = (database: Database): Promise<string | undefined> =>
  checkMigrated(database).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof UsageError) return error.message
      throw error
    },
  )

/** What the reading role may do beyond its views, and which of these it may not read. */
export const readerPrivileges = async (
  database: Database,
): Promise<{ tooMany: string[]; lacking: string[] }> => {
  const rows = await database.query<{ name: string; privilege: string; isNeeded: boolean }>(
    statement('check_reader'),
    [],
  )
  return {
    tooMany: rows.filter(({ isNeeded }) => !isNeeded).map(({ name, privilege }) => `${privilege} on ${name}`),
    lacking: rows.filter(({ isNeeded }) => isNeeded).map(({ name }) => name),
  }
}

export const indexProblems = async (
  database: Database,
): Promise<{ missing: string[]; invalid: string[] }> => {
  const rows = await database.query<{ name: string; isValid: boolean }>(statement('check_indexes'), [])
  const there = new Set(rows.map(({ name }) => name))
  return {
    missing: migratedIndexes().filter((name) => !there.has(name)),
    invalid: rows.filter(({ isValid }) => !isValid).map(({ name }) => name),
  }
}

/** Tables that hold much and of which PostgreSQL knows nothing. For the owner alone. */
export const tablesWithoutStatistics = async (database: Database): Promise<string[]> =>
  (await database.query<{ name: string }>(statement('check_statistics'), [])).map(({ name }) => name)

export interface WikiDiagnostics {
  name: string | null
  license: string | null
  locales: string[]
}

export const wikiDiagnostics = async (database: Database): Promise<WikiDiagnostics> => {
  const { name, license, locales } = await one<{
    name: string | null
    license: string | null
    locales: { locale: string }[]
  }>(database, statement('wiki'))
  return { name, license, locales: locales.map(({ locale }) => locale) }
}
