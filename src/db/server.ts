import { UsageError } from '@lectern/wiki/errors'
import type { Logger } from 'pino'
import { type errorReason, isConnectionError } from './connection-error.ts'
import type { DatabaseHosts } from './hosts.ts'
import { makePool, type Pool, type PoolOptions } from './pool.ts'
import { QUERY_TIMEOUT } from './session.ts'
import { Watcher, type WatchOptions } from './watch.ts'

/** A database server as this process sees it now. */
export interface ServerState {
  /** `primary`, or `replica 1` and so on, in the order of DATABASE_REPLICA_URLS. */
  name: string
  /** Whether guests are served from it. `behind`: it responds, but lacks a change of the wiki. */
  health: 'up' | 'lost' | 'behind'
  loss?: string
  /** Lag of a replica as far as it is known, seconds; 0 for the primary. */
  lag: number
  connections: ReturnType<Pool['counts']>
  errors: Record<ReturnType<typeof errorReason>, number>
}

interface ServerOptions extends Pick<PoolOptions, 'prepares' | 'isPipelined' | 'limits' | 'onConnect'> {
  name: string
  hosts: DatabaseHosts
  /** Whether a loss of the server ends waiting statements at once, since another server can run them. */
  isReplica: boolean
  logger?: Logger
}

/**
 * Whether a server responds.
 *
 * ```
 * unconfirmed --a heartbeat-----------------------------------> up
 * unconfirmed, up --a statement fails, or the connection ends-> lost
 * lost --a heartbeat------------------------------------------> up
 * ```
 *
 * A replica begins `unconfirmed`, because its position is unknown before its first heartbeat; the primary begins `up`.
 */
type ServerCondition =
  | { state: 'unconfirmed' | 'up'; missingRights: readonly string[] }
  | { state: 'lost'; loss: string; refusal: UsageError | undefined; isRefused?: boolean }

/** A server that guests are served from: its pool, and the connection that watches it. */
export type DatabaseServer = ReturnType<typeof makeDatabaseServer>

export const makeDatabaseServer = (options: ServerOptions) => {
  const { name, hosts, isReplica, limits, logger } = options
  /** Of the connection that watches the server, milliseconds: longer heartbeats show a busy machine, not a distant server. */
  let shortestMs = 0
  const roundTripMs = (): number => shortestMs
  const pool = makePool({ ...options, config: hosts.config, queryTimeout: QUERY_TIMEOUT, roundTripMs })
  let watch: Watcher | undefined
  const setting = isReplica ? 'DATABASE_REPLICA_URLS' : 'DATABASE_URL'
  const logFields = () => ({ server: name, ...(hosts.inUse() && { setting, host: hosts.inUse() }) })
  const condition = makeCondition(isReplica ? 'unconfirmed' : 'up', logFields, logger)
  const errors: ServerState['errors'] = { timeout: 0, connection: 0, pool: 0, statement: 0 }
  return {
    name,
    pool,
    errors,
    isLost: condition.isLost,
    /** Why this process must not read from the server, though it responds: its database is of another version. */
    refusal: condition.refusal,
    loss: condition.loss,
    missingRights: condition.missingRights,
    roundTripMs,
    /** A statement failed on the server: it counts as lost until it responds, and gets a heartbeat now. */
    markSuspect: (error: unknown): void => {
      condition.suspect(error)
      watch?.checkNow()
    },
    checkNow: (): void => watch?.checkNow(),
    watch: async (events: Omit<WatchOptions, 'hosts' | 'lifetime' | 'onFailover' | 'onConnected'>) => {
      const watcher = new Watcher({
        ...events,
        hosts,
        onConnected: (ms) => {
          shortestMs = ms
        },
        lifetime: limits.lifetime,
        onFailover: () => {
          logger?.warn(logFields(), 'Switched to another database server')
          pool.disconnectAll()
        },
        onHeartbeat: (heartbeat) => {
          shortestMs = Math.min(shortestMs, heartbeat.durationMs)
          condition.recover(heartbeat.missingRights)
          events.onHeartbeat(heartbeat)
        },
        onLost: (error) => {
          condition.lose(error, error instanceof UsageError ? error : undefined)
          if (isReplica) pool.disconnectAll()
          events.onLost(error)
        },
      })
      await watcher.firstAttempt
      watch = watcher
    },
    close: async (): Promise<void> => {
      condition.end()
      await watch?.stop()
      await pool.close()
    },
  }
}

/** How often the log tells that connections are refused, milliseconds. */
const REFUSAL_LOG_MS = 60_000

const makeCondition = (begin: 'unconfirmed' | 'up', logFields: () => object, logger: Logger | undefined) => {
  let condition: ServerCondition = { state: begin, missingRights: [] }
  let refusedAt = Number.NEGATIVE_INFINITY
  let isEnded = false
  const lose = (err: unknown, refusal: UsageError | undefined): void => {
    const { message, code = '', name } = err as NodeJS.ErrnoException
    if (condition.state !== 'lost' || condition.isRefused) {
      // Without a stack: the place where a connection ends tells nothing.
      const reason = isConnectionError(err) ? { type: name, message: message || code, code } : err
      logger?.warn({ err: reason, ...logFields() }, 'Lost a database server')
    }
    condition = { state: 'lost', loss: message || code, refusal }
  }
  /** This process refuses new connections, such as for too many rights. A heartbeat has none, and tells nothing of them. */
  const refuse = (err: UsageError): void => {
    if (condition.state === 'lost') return
    condition = { state: 'lost', loss: err.message, refusal: undefined, isRefused: true }
    if (performance.now() - refusedAt < REFUSAL_LOG_MS) return
    refusedAt = performance.now()
    logger?.warn({ err, ...logFields() }, 'Lost a database server')
  }
  return {
    isLost: () => condition.state !== 'up',
    refusal: () => (condition.state === 'lost' ? condition.refusal : undefined),
    loss: () => (condition.state === 'lost' ? condition.loss : undefined),
    /** Rights that the reading role lacked at the last heartbeat. */
    missingRights: () => (condition.state === 'lost' ? [] : condition.missingRights),
    lose,
    /** A statement failed. */
    suspect: (error: unknown): void => {
      if (isEnded) return
      if (error instanceof UsageError) refuse(error)
      else lose(error, condition.state === 'lost' ? condition.refusal : undefined)
    },
    /** From now on, no statement can succeed. */
    end: (): void => {
      isEnded = true
    },
    recover: (missingRights: readonly string[]): void => {
      if (condition.state === 'lost' && !condition.isRefused)
        logger?.info(logFields(), 'A database server is available again')
      condition = { state: 'up', missingRights }
    },
  }
}
