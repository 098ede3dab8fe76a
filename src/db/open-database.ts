import { existsSync } from 'node:fs'
import { databaseFolder } from '@lectern/embedded/data-directory'
import type { EmbeddedDatabase } from '@lectern/embedded/embedded'
import { makeFileStore } from '@lectern/files-s3/file-store'
import { UsageError } from '@lectern/wiki/errors'
import type { Logger } from 'pino'
import { parseDatabaseUrl } from '../database-url.ts'
import { isConnectionError } from './connection-error.ts'
import {
  type ConnectionSettings,
  clientConfig,
  connectionSettings,
  targetOf,
  testConnection,
  withUnavailable,
} from './connection-settings.ts'
import type { Database, DatabaseOptions, ServingDatabase } from './database.ts'
import { connectionError } from './diagnostics.ts'
import { type DatabaseHosts, findHost, makeDatabaseHosts } from './hosts.ts'
import { makePool } from './pool.ts'
import { openReaderDatabase } from './reader-database.ts'
import { CHANGED_CHANNEL, checkSession, type DatabaseRole, READER_ROLE } from './session.ts'

/** The longest time that a connection to the embedded database may take, milliseconds: it accepts no connection while an import uses its single session. */
const EMBEDDED_CONNECT_TIMEOUT_MS = 30_000

export { foreignContent, leaveNote, readNote } from '@lectern/embedded/data-directory'

/** Whether there is a database to open: opening an embedded one would create it. */
export const hasDatabase = ({ databaseUrl, dataDir }: DatabaseOptions): boolean =>
  databaseUrl !== undefined || existsSync(databaseFolder(dataDir))

/** Where a database is, for people: its servers without user and password, or the folder of an embedded one. */
export const placeOf = ({ databaseUrl, dataDir }: DatabaseOptions): string =>
  databaseUrl === undefined ? dataDir : String(parseDatabaseUrl(databaseUrl).hosts.map(({ name }) => name))

/** @throws UsageError for a command that needs content, if there is no database, and opening it would create one */
export const checkDatabaseExists = (options: DatabaseOptions): void => {
  if (hasDatabase(options)) return
  throw new UsageError(
    `DATA_DIR: there is no database in ${options.dataDir}. An import or \`lectern serve\` creates one there. ` +
      'If the wiki is in PostgreSQL, set DATABASE_URL.',
  )
}

/**
 * Opens PostgreSQL or the embedded database behind one interface: pools of ordinary PostgreSQL connections.
 * @param logger gets a line when a server is lost, and when it is available again
 * @throws UsageError when the database cannot be reached or must not be served from; its message says what to check
 */
export const openDatabase = async <Role extends DatabaseRole>(
  options: DatabaseOptions,
  role: Role,
  logger?: Logger,
): Promise<Role extends 'reader' ? ServingDatabase : Database> => {
  const embedded = options.databaseUrl === undefined ? await openEmbedded(options.dataDir, logger) : undefined
  const kind = embedded ? 'embedded' : 'postgresql'
  const settings = connectionSettings(kind, options, role)
  const hosts = embedded
    ? embeddedHost(embedded, role)
    : settings.hostsOf(options.databaseUrl!, targetOf(options.databaseUrl!, role))
  try {
    const opened = await (role === 'reader'
      ? openReaderDatabase(settings, hosts, options, logger)
      : openOwnerDatabase(settings, hosts))
    const close = async () => {
      await opened.close()
      await embedded?.close()
    }
    const database: Database = {
      ...opened,
      kind,
      isOwner: embedded?.isOwner,
      failed: embedded?.failed,
      fileStore: options.filesUrl === undefined ? undefined : makeFileStore(options.filesUrl),
      close,
    }
    return database as Role extends 'reader' ? ServingDatabase : Database
  } catch (error) {
    await embedded?.close()
    throw connectionError(options, error as Error & { code?: string }, role)
  }
}

/** Loads the embedded database only when it is used: a service on PostgreSQL needs no WASM in its memory. */
const openEmbedded = async (dataDir: string, logger?: Logger): Promise<EmbeddedDatabase> => {
  const { openEmbeddedDatabase } = await import('@lectern/embedded/embedded')
  return openEmbeddedDatabase(dataDir, {
    channels: [CHANGED_CHANNEL],
    onWarning: (message) => logger?.warn(message),
    onFullDisk: (err) =>
      logger?.error(
        { err },
        'The embedded database is out of disk space. Lectern retries until it has some.',
      ),
  })
}

const embeddedHost = ({ host, port }: EmbeddedDatabase, role: DatabaseRole): DatabaseHosts => {
  const config = {
    ...clientConfig(role),
    host,
    port,
    database: 'postgres',
    user: role === 'reader' ? READER_ROLE : 'postgres',
    connectionTimeoutMillis: EMBEDDED_CONNECT_TIMEOUT_MS,
  }
  return makeDatabaseHosts([{ name: '', config }], 'any')
}

/** The database for its owner: one pool, which follows the primary after a failover. */
const openOwnerDatabase = async ({ kind, prepares, limits }: ConnectionSettings, hosts: DatabaseHosts) => {
  await findHost(hosts)
  const pool = makePool({
    config: hosts.config,
    prepares,
    limits,
    onConnect: async (client) => {
      if (kind === 'postgresql') hosts.check((await checkSession(client, 'owner')).isInRecovery)
    },
  })
  await testConnection(pool).catch(async (error: unknown) => {
    await pool.close()
    throw error
  })
  /** Tries once more if another server is the primary now. */
  const withFailover = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
    try {
      return await attempt()
    } catch (error) {
      if (!isConnectionError(error) || !(await findHost(hosts)).isOther) throw error
      pool.disconnectAll()
      return attempt()
    }
  }
  return {
    query: withUnavailable((statement, values) => withFailover(() => pool.query(statement, values)), 'owner'),
    connect: () => withFailover(pool.connect),
    close: pool.close,
  }
}
