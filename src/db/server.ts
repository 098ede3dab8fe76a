import { UsageError } from '@lectern/wiki/errors'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { DatabaseHosts } from './hosts.ts'
import { makePool, type Pool, type PoolCounts, type PoolLimits } from './pool.ts'
import { QUERY_TIMEOUT } from './session.ts'
import { type Heartbeat, type ServerWatch, watchServer } from './watch.ts'

/** Whether guests are served from a server. `behind`: it responds, but lacks a change of the wiki. */
type ServerHealth = 'up' | 'lost' | 'behind'

/** A database server as this process sees it now. */
export interface ServerState {
  /** `primary`, or `replica 1` and so on, in the order of DATABASE_REPLICA_URLS. */
  name: string
  health: ServerHealth
  /** Lag of a replica as far as it is known, seconds; 0 for the primary. */
  lag: number
  connections: PoolCounts
}

/** A server that guests are served from: its pool, and the connection that watches it. */
export interface DatabaseServer {
  readonly name: string
  readonly pool: Pool
  /** Whether the server is anything but `up`. */
  readonly isLost: boolean
  /** Why this process must not read from the server, though it responds: its database is of another version. */
  readonly refusal: UsageError | undefined
  /** The shortest heartbeat of the connection that watches the server, milliseconds; 0 before the first one. */
  roundTripMs(): number
  /** A statement failed on the server: it counts as lost until it responds, and gets a heartbeat now. */
  markSuspect(error: unknown): void
  checkNow(): void
  watch(events: ServerEvents): Promise<void>
  close(): Promise<void>
}

interface ServerEvents {
  listensForChanges: boolean
  sendsHeartbeats: boolean
  onHeartbeat(heartbeat: Heartbeat): void
  shouldPollFast(): boolean
  onLost(): void
  onChange(isInRecovery: boolean): void
}

interface ServerOptions {
  name: string
  hosts: DatabaseHosts
  prepares: boolean
  /** Whether the server ends a statement after the statement's own timeout, which takes a pipelined connection. */
  isPipelined: boolean
  limits: PoolLimits
  /** Whether a loss of the server ends waiting statements at once, since another server can run them. */
  isReplica: boolean
  onConnect(client: pg.Client): Promise<void>
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
type ServerCondition = { state: 'unconfirmed' | 'up' } | { state: 'lost'; refusal: UsageError | undefined }

export const makeDatabaseServer = (options: ServerOptions): DatabaseServer => {
  const { name, hosts, isReplica, limits, logger } = options
  const { roundTripMs, ...roundTrip } = makeRoundTrip()
  const pool = makePool({ ...options, config: hosts.config, queryTimeout: QUERY_TIMEOUT, roundTripMs })
  let condition: ServerCondition = { state: isReplica ? 'unconfirmed' : 'up' }
  let watch: ServerWatch | undefined
  const logFields = () => ({ server: name, ...(hosts.name() === undefined ? {} : { host: hosts.name() }) })
  const refusal = () => (condition.state === 'lost' ? condition.refusal : undefined)

  const lose = (error: unknown, reason: UsageError | undefined): void => {
    if (condition.state !== 'lost') logger?.warn({ err: error, ...logFields() }, 'Lost a database server')
    condition = { state: 'lost', refusal: reason }
  }
  const recover = (): void => {
    if (condition.state === 'lost') logger?.info(logFields(), 'A database server is available again')
    condition = { state: 'up' }
  }
  return {
    name,
    pool,
    get isLost() {
      return condition.state !== 'up'
    },
    get refusal() {
      return refusal()
    },
    roundTripMs,
    markSuspect: (error) => {
      lose(error, refusal())
      watch?.checkNow()
    },
    checkNow: () => watch?.checkNow(),
    watch: async (events) => {
      watch = await watchServer({
        ...events,
        hosts,
        onConnected: roundTrip.begin,
        lifetime: limits.lifetime,
        onFailover: () => {
          logger?.warn(logFields(), 'Switched to another database server')
          pool.disconnectAll()
        },
        onHeartbeat: (heartbeat) => {
          roundTrip.add(heartbeat.durationMs)
          recover()
          events.onHeartbeat(heartbeat)
        },
        onLost: (error) => {
          lose(error, error instanceof UsageError ? error : undefined)
          if (isReplica) pool.disconnectAll()
          events.onLost()
        },
      })
    },
    close: async () => {
      await watch?.stop()
      await pool.close()
    },
  }
}

/** The shortest heartbeat of a connection counts, since longer ones show a busy machine, not a distant server. */
const makeRoundTrip = () => {
  let shortest = 0
  return {
    roundTripMs: () => shortest,
    begin: (ms: number) => {
      shortest = ms
    },
    add: (ms: number) => {
      shortest = Math.min(shortest, ms)
    },
  }
}
