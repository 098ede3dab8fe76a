import { isConnectionError } from './connection-error.ts'
import {
  CONNECT_TIMEOUT_MS,
  type ConnectionSettings,
  type OpenedDatabase,
  testConnection,
  withUnavailable,
} from './connection-settings.ts'
import type { Database } from './database.ts'
import { type DatabaseHosts, findHost } from './hosts.ts'
import { makePool } from './pool.ts'
import { checkSession } from './session.ts'

/** The database for its owner: one pool, which follows the primary after a failover. */
export const openOwnerDatabase = async (
  { kind, prepares, limits }: ConnectionSettings,
  hosts: DatabaseHosts,
): Promise<OpenedDatabase<Database>> => {
  await findHost(hosts, CONNECT_TIMEOUT_MS)
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
      if (!isConnectionError(error) || !(await findHost(hosts, CONNECT_TIMEOUT_MS)).isOther) throw error
      pool.disconnectAll()
      return attempt()
    }
  }
  return {
    query: withUnavailable((statement, values) => withFailover(() => pool.query(statement, values))),
    connect: () => withFailover(pool.connect),
    close: pool.close,
  }
}
