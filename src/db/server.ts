import type pg from 'pg'
import type { Logger } from 'pino'
import { UsageError } from '../errors.ts'
import type { DatabaseHosts } from './hosts.ts'
import { makePool, type Pool, type PoolCounts, type PoolLimits } from './pool.ts'
import { QUERY_TIMEOUT } from './session.ts'
import { type Heartbeat, type ServerWatch, watchServer } from './watch.ts'

/** Whether guests are served from a server: `behind` lacks what the wiki already is elsewhere. */
type ServerHealth = 'up' | 'lost' | 'behind'

/** A database server as this process sees it at one moment. */
export interface ServerState {
  /** `primary`, or `replica 1` and so on, in the order of DATABASE_REPLICA_URLS. */
  name: string
  health: ServerHealth
  /** Seconds that a replica is known to lag; of the primary 0. */
  lag: number
  connections: PoolCounts
}

/** A server that guests are served from: its pool, and the connection by which it is watched. */
export interface DatabaseServer {
  readonly name: string
  readonly pool: Pool
  readonly isLost: boolean
  /** Why nothing may be read from it, though it answers: its database is set up for another version. */
  readonly refusal: UsageError | undefined
  /** A statement could not be run on it: it is looked at now, and counts as lost until it answers. */
  markSuspect(error: unknown): void
  checkNow(): void
  watch(on: ServerEvents): Promise<void>
  close(): Promise<void>
}

interface ServerEvents {
  listensForChanges: boolean
  sendsHeartbeats: boolean
  onHeartbeat(beat: Heartbeat): void
  shouldPollFast(): boolean
  onLost(): void
  onChange(isInRecovery: boolean): void
}

interface ServerOptions {
  name: string
  hosts: DatabaseHosts
  prepares: boolean
  /** Whether it ends a statement after the statement's own timeout. */
  isLimited: boolean
  limits: PoolLimits
  /** Whether statements that wait for it are given up as soon as it is lost, since another can answer them. */
  isReplica: boolean
  onConnect(client: pg.Client): Promise<void>
  logger?: Logger
}

export const makeDatabaseServer = (options: ServerOptions): DatabaseServer => {
  const { name, hosts, isReplica, limits, logger } = options
  const pool = makePool({ ...options, config: hosts.config, limits, queryTimeout: QUERY_TIMEOUT })
  // A replica is not read from before it has said how far it is.
  let health: 'new' | 'up' | 'lost' = isReplica ? 'new' : 'up'
  let refusal: UsageError | undefined
  let watch: ServerWatch | undefined
  const about = () => ({ server: name, ...(hosts.name() === undefined ? {} : { host: hosts.name() }) })

  const lose = (error: unknown): void => {
    if (health !== 'lost') logger?.warn({ err: error, ...about() }, 'A database server is lost')
    health = 'lost'
  }
  const find = (): void => {
    if (health === 'lost') logger?.info(about(), 'A database server is back')
    health = 'up'
    refusal = undefined
  }
  return {
    name,
    pool,
    get isLost() {
      return health !== 'up'
    },
    get refusal() {
      return refusal
    },
    markSuspect: (error) => {
      lose(error)
      watch?.checkNow()
    },
    checkNow: () => watch?.checkNow(),
    watch: async (on) => {
      watch = await watchServer({
        ...on,
        hosts,
        lifetime: limits.lifetime,
        onFailover: () => {
          logger?.warn(about(), 'Another database server is used from now on')
          pool.disconnectAll()
        },
        onHeartbeat: (beat) => {
          find()
          on.onHeartbeat(beat)
        },
        onLost: (error) => {
          lose(error)
          refusal = error instanceof UsageError ? error : undefined
          if (isReplica) pool.disconnectAll()
          on.onLost()
        },
      })
    },
    close: async () => {
      await watch?.stop()
      await pool.close()
    },
  }
}
