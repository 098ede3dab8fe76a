import { type Config, readConfig } from '../config.ts'
import { isConnectionError } from '../db/connection-error.ts'
import type { Database } from '../db/database.ts'
import { withDiskFullAdvice } from '../db/full-disk.ts'
import { checkMigrated } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { UsageError } from '../errors.ts'
import { migrateAndReindex } from '../upgrade.ts'

type Work<Result> = (database: Database, config: Config) => Promise<Result>

/**
 * Opens the database as its owner; the embedded one is set up as it goes.
 * @throws UsageError when it cannot be reached, goes away, or is not what this Lectern needs
 */
export const withOwner = async <Result>(work: Work<Result>): Promise<Result> => {
  const config = readConfig()
  const database = await openDatabase(config, 'owner')
  try {
    await (database.kind === 'embedded' ? migrateAndReindex(database) : checkMigrated(database))
    return await work(database, config)
  } catch (error) {
    throw explainError(error as Error & { code?: string })
  } finally {
    await database.close()
  }
}

const explainError = (error: Error & { code?: string }): Error => {
  if (isConnectionError(error)) return new UsageError(`The database went away: ${error.message}.`)
  if (error.code !== '42501') return withDiskFullAdvice(error) as Error
  return new UsageError(
    `The user of DATABASE_URL may not do this (${error.message}): use the login that ran \`lectern migrate\`. ` +
      'A login that serves guests can make public exports (`lectern export --public`).',
  )
}

/** Opens it as the service does, for whom nothing hidden is there; on PostgreSQL no owner's login is needed. */
export const withReader = async <Result>(work: Work<Result>): Promise<Result> => {
  const config = readConfig()
  const asReader = async () => {
    const reader = await openDatabase(config, 'reader')
    return work(reader, config).finally(() => reader.close())
  }
  return config.databaseUrl === undefined ? withOwner(asReader) : asReader()
}
