import pg from 'pg'
import type { DatabaseAddress, TargetSession } from '../database-url.ts'
import { withTimeout } from '../timeout.ts'
import { isConnectionError, NoHostFits, UnfitServer } from './connection-error.ts'

/** The servers of one address, and the one of them that is used. */
export interface DatabaseHosts {
  /** How to connect to the one that is used. */
  config(): pg.PoolConfig
  /** Its name, for messages; undefined where there is only one. */
  name(): string | undefined
  /** @throws UnfitServer when a server is not of the kind that is wanted */
  check(isInRecovery: boolean): void
  /**
   * Tries servers in order, and uses the first where `attempt` succeeds.
   * @param attempt what it takes; it must call `accepts` before it has any effect
   * @returns what it gave, and whether another server is used now
   * @throws NoHostFits when none can be reached or fits; at once, what will not pass on another server
   */
  findUsable<Result>(attempt: ConnectionAttempt<Result>): Promise<{ result: Result; isOther: boolean }>
}

type ConnectionAttempt<Result> = (
  config: pg.PoolConfig,
  accepts: (isInRecovery: boolean) => void,
) => Promise<Result>

/**
 * @param wanted which of them
 * @param common what connections to each have in common
 */
export const makeDatabaseHosts = (
  { hosts }: DatabaseAddress,
  wanted: TargetSession,
  common: pg.PoolConfig,
): DatabaseHosts => {
  const configs = hosts.map(({ url }) => ({ ...common, connectionString: url }))
  let used = 0

  const reject = (isInRecovery: boolean, kind = wanted): void => {
    if (kind === 'primary' && isInRecovery) throw new UnfitServer('it is a standby, not the primary')
    if (kind === 'standby' && !isInRecovery) throw new UnfitServer('it is the primary, not a standby')
  }
  /** In libpq's order: with `prefer-standby` a second time, then whatever it is. */
  const passes: TargetSession[] = wanted === 'prefer-standby' ? ['standby', 'any'] : [wanted]

  return {
    config: () => configs[used]!,
    name: () => (hosts.length > 1 ? hosts[used]!.name : undefined),
    check: (isInRecovery) => reject(isInRecovery),
    findUsable: async (attempt) => {
      const reasons: { host: string; error: Error }[] = []
      for (const [i, pass] of passes.entries()) {
        for (const [index, { name }] of hosts.entries()) {
          try {
            const result = await attempt(configs[index]!, (isInRecovery) => reject(isInRecovery, pass))
            const isOther = index !== used
            used = index
            return { result, isOther }
          } catch (error) {
            if (hosts.length === 1 && passes.length === 1) throw error
            if (!isConnectionError(error)) throw error
            if (i === passes.length - 1) reasons.push({ host: name, error: error as Error })
          }
        }
      }
      throw new NoHostFits(reasons)
    },
  }
}

const IN_RECOVERY = 'select pg_catalog.pg_is_in_recovery() as "isInRecovery"'

/**
 * Looks which server fits, on a connection of its own; where there is only one, at nothing.
 * @param ms how long a server may take, milliseconds
 */
export const findHost = async (hosts: DatabaseHosts, ms: number): Promise<{ isOther: boolean }> => {
  if (hosts.name() === undefined) return { isOther: false }
  return hosts.findUsable(async (config, accepts) => {
    const client = new pg.Client(config)
    client.on('error', () => {})
    const look = async () => {
      await client.connect()
      accepts((await client.query<{ isInRecovery: boolean }>(IN_RECOVERY)).rows[0]!.isInRecovery)
    }
    try {
      await withTimeout(look(), ms, () => new UnfitServer(`it does not answer within ${ms} ms`))
    } finally {
      client.end().catch(() => {})
    }
  })
}

/** The one server that there is, which is taken as it is. */
export const singleHost = (config: pg.PoolConfig): DatabaseHosts => ({
  config: () => config,
  name: () => undefined,
  check: () => {},
  findUsable: async (attempt) => ({ result: await attempt(config, () => {}), isOther: false }),
})
