import { Unavailable } from '@lectern/wiki/errors'
import type pg from 'pg'
import { type DatabaseHost, parseDatabaseUrl, type TargetSession } from '../database-url.ts'
import { CONNECTION_LIFETIME, POOL_SIZE } from '../limits/service.ts'
import { isTemporary } from './connection-error.ts'
import type { Database, DatabaseOptions } from './database.ts'
import { CONNECT_TIMEOUT_MS, type DatabaseHosts, makeDatabaseHosts } from './hosts.ts'
import type { Pool } from './pool.ts'
import { type DatabaseRole, explainSchemaMismatch, sessionOptions, typeParsers } from './session.ts'

export type ConnectionSettings = ReturnType<typeof connectionSettings>

export const connectionSettings = (
  kind: Database['kind'],
  {
    preparedStatements = true,
    databasePoolSize = POOL_SIZE.default,
    databaseConnectionLifetime = CONNECTION_LIFETIME.default,
    lockTimeout,
  }: DatabaseOptions,
  role: DatabaseRole,
) => ({
  kind,
  prepares: preparedStatements,
  limits: {
    size: databasePoolSize,
    // Shorter by up to a tenth: otherwise connections that were made together would end together.
    lifetime: () => databaseConnectionLifetime * (1000 - 100 * Math.random()),
  },
  hostsOf: (url: string, target: TargetSession): DatabaseHosts => {
    const common = { ...clientConfig(role), connectionTimeoutMillis: CONNECT_TIMEOUT_MS }
    if (lockTimeout !== undefined) common.options += ` -c lock_timeout=${lockTimeout}`
    const config = ({ url }: DatabaseHost) => ({ ...common, connectionString: url })
    const hosts = parseDatabaseUrl(url).hosts.map((host) => ({ name: host.name, config: config(host) }))
    return makeDatabaseHosts(hosts, target)
  },
})

export const clientConfig = (role: DatabaseRole): pg.PoolConfig => ({
  options: sessionOptions(role),
  application_name: `lectern ${role}`,
  types: typeParsers,
})

/**
 * Which server to use if DATABASE_URL does not say. Of several servers, it is the primary, which alone accepts writes and
 * reports what is committed; libpq would use any. A single server is used, of whatever kind. An owner needs the primary.
 */
export const targetOf = (url: string, role: DatabaseRole): TargetSession => {
  const { hosts, target } = parseDatabaseUrl(url)
  if (hosts.length === 1) return target ?? 'any'
  return role === 'reader' || target === 'standby' ? (target ?? 'primary') : 'primary'
}

/** Opens a connection. @throws the error if it cannot be used */
export const testConnection = async (pool: Pool): Promise<void> => (await pool.connect()).release()

/** A query that reports a failure of the database, rather than of the statement, as Unavailable. */
export const withUnavailable =
  (query: Database['query'], role: DatabaseRole): Database['query'] =>
  async (statement, values) => {
    try {
      return await query(statement, values)
    } catch (thrown) {
      const error = explainSchemaMismatch(thrown, role)
      const logged = (error instanceof Unavailable && error.cause) || error
      Object.assign(logged as object, { statement: statement.name })
      throw isTemporary(error) ? new Unavailable(undefined, 1, error) : error
    }
  }
