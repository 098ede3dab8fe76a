import pg from 'pg'
import type { TargetSession } from '../database-url.ts'
import { withTimeout } from '../shared/timers.ts'
import { isConnectionError, NoHostFits, UnfitServer } from './connection-error.ts'
import type { ServerReport } from './replication.ts'

/** The longest time that making a connection to PostgreSQL may take, milliseconds. */
export const CONNECT_TIMEOUT_MS = 2_000

/** The servers of one database URL, and which of them is in use. */
export type DatabaseHosts = ReturnType<typeof makeDatabaseHosts>

/** @param hosts at least one server */
export const makeDatabaseHosts = (
  hosts: readonly { name: string; config: pg.PoolConfig }[],
  target: TargetSession,
) => {
  let inUse = 0

  const check = (isInRecovery: boolean, kind = target): void => {
    if (kind === 'primary' && isInRecovery) throw new UnfitServer('The server is a standby, not the primary')
    if (kind === 'standby' && !isInRecovery) throw new UnfitServer('The server is the primary, not a standby')
  }
  /** As libpq does: with `prefer-standby`, a second pass accepts any server. */
  const passes: TargetSession[] = target === 'prefer-standby' ? ['standby', 'any'] : [target]

  return {
    /** How to connect to the server in use. */
    config: (): pg.PoolConfig => hosts[inUse]!.config,
    /** The server in use, for the log; empty for the embedded database. */
    inUse: (): string => hosts[inUse]!.name,
    isOnly: hosts.length === 1,
    /** @throws UnfitServer when a server is a standby where the primary is needed, or the reverse */
    check: (isInRecovery: boolean): void => check(isInRecovery),
    /** @throws UnfitServer when a server is none of the replicas for which these hosts are */
    checkReport: (_report: ServerReport): void => {},
    /**
     * Tries servers in order, and uses the first on which `attempt` succeeds.
     * @param attempt must call `accepts` before it has any effect
     * @returns the result of `attempt`, and whether another server is in use now
     * @throws NoHostFits when no server can be reached or fits; at once, an error that another server would give too
     */
    findUsable: async <Result>(
      attempt: (config: pg.PoolConfig, accepts: (isInRecovery: boolean) => void) => Promise<Result>,
    ): Promise<{ result: Result; isOther: boolean }> => {
      const reasons: { host: string; error: Error }[] = []
      for (const [i, pass] of passes.entries()) {
        for (const [index, { name, config }] of hosts.entries()) {
          try {
            const result = await attempt(config, (isInRecovery) => check(isInRecovery, pass))
            const isOther = index !== inUse
            inUse = index
            return { result, isOther }
          } catch (error) {
            if ((hosts.length === 1 && passes.length === 1) || !isConnectionError(error)) throw error
            if (i === passes.length - 1) reasons.push({ host: name, error: error as Error })
          }
        }
      }
      throw new NoHostFits(reasons)
    },
  }
}

const IN_RECOVERY = 'select pg_catalog.pg_is_in_recovery() as "isInRecovery"'

/** Finds the server that fits, through a separate connection. Does nothing when there is only one server. */
export const findHost = async (hosts: DatabaseHosts): Promise<{ isOther: boolean }> => {
  if (hosts.isOnly) return { isOther: false }
  return hosts.findUsable(async (config, accepts) => {
    const client = new pg.Client(config)
    client.on('error', () => {})
    const probe = async () => {
      await client.connect()
      accepts((await client.query<{ isInRecovery: boolean }>(IN_RECOVERY)).rows[0]!.isInRecovery)
    }
    await withTimeout(probe(), CONNECT_TIMEOUT_MS).finally(() => void client.end().catch(() => {}))
  })
}
