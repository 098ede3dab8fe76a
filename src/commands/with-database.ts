import { Unavailable, UsageError } from '@lectern/wiki/errors'
import { withDiskFullAdvice } from '@lectern/wiki/full-disk'
import { type Config, readConfig } from '../config.ts'
import { isConnectionError } from '../db/connection-error.ts'
import type { Database, DatabaseOptions } from '../db/database.ts'
import { checkMigrated, rightsAdvice } from '../db/migrate.ts'
import { checkDatabaseExists, openDatabase } from '../db/open-database.ts'
import { withConnection } from '../db/write-lock.ts'
import { migrateAndReindex } from '../upgrade.ts'

type OwnerOptions = { creates?: boolean; connections?: number; advice?: string }
type DatabaseTask<Result> = (database: Database, config: Config) => Promise<Result>

/**
 * Runs a task with a connection as the owner of the database. Migrates an embedded database first.
 * @param creates whether the task fills a database, so that an embedded one is created if there is none
 * @param connections that the task needs at least, whatever the pool's configured size
 * @param advice what else to do if the user is not the owner
 * @throws UsageError if the database cannot be reached or is lost, with that error as its cause; if its schema has another version
 */
export const withOwner = async <Result>(
  task: DatabaseTask<Result>,
  { creates = false, connections = 1, advice = ADVICE }: OwnerOptions = {},
): Promise<Result> => {
  const config = readConfig()
  if (!creates) checkDatabaseExists(config)
  const databasePoolSize = Math.max(connections, config.databasePoolSize)
  const work = async (database: Database) => {
    await (database.kind === 'embedded' ? migrateAndReindex(database) : checkMigrated(database))
    return task(database, config)
  }
  const adviceFor = async (user: Database) => `${await withConnection(user, rightsAdvice)} ${advice}`
  return withOpenDatabase({ ...config, databasePoolSize }, work, adviceFor)
}

const ADVICE = 'The login of the service can only serve, and export with --public.'

/**
 * Runs work with a connection as the owner of the database, whatever its schema is.
 * @param advice what to do if the user lacks a privilege
 */
export const withOpenDatabase = async <Result>(
  options: DatabaseOptions,
  work: (owner: Database) => Promise<Result>,
  advice: (owner: Database) => Promise<string>,
): Promise<Result> => {
  const owner = await openDatabase(options, 'owner')
  try {
    return await work(owner)
  } catch (thrown) {
    const cause = thrown instanceof Unavailable ? (thrown.cause ?? thrown) : thrown
    const error = cause as NodeJS.ErrnoException
    if (isConnectionError(error))
      throw new UsageError(`The connection to the database was lost: ${error.message}.`, { cause: error })
    if (error.code !== '42501') throw withDiskFullAdvice(error)
    throw new UsageError(
      `The user of DATABASE_URL lacks a privilege (${error.message}). ${await advice(owner)}`,
    )
  } finally {
    await owner.close()
  }
}

/** Runs a task with a connection of the reader role, which cannot see hidden content. The login of the service is enough. */
export const withReader = async <Result>(task: DatabaseTask<Result>): Promise<Result> => {
  const config = readConfig()
  const asReader = async () => {
    const reader = await openDatabase(config, 'reader')
    return task(reader, config).finally(() => reader.close())
  }
  return config.databaseUrl === undefined ? withOwner(asReader) : asReader()
}
