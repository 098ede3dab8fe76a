import { Unavailable } from '../errors.ts'
import { isServerLost, isWorthRetrying } from './connection-error.ts'
import { makeReplication } from './replication.ts'
import type { DatabaseServer, ServerState } from './server.ts'
import type { Statement } from './statements.ts'

/** After so many milliseconds a statement is not tried elsewhere any more: its client has waited enough. */
const RETRY_WINDOW_MS = 2_000
/** A replica that lags less, in seconds, is expected to have a change any moment. */
const NEARLY_CURRENT_SECONDS = 2

interface ReplicaOptions {
  primary: DatabaseServer
  replicas: readonly DatabaseServer[]
  /** Seconds. */
  maxLag: number
  /** Whether imports are heard of; else replicas are held to their lag alone. */
  listensForChanges: boolean
  /** Whether servers are asked how they are: not the embedded one, which lives as long as this process. */
  sendsHeartbeats: boolean
}

interface ReadServers {
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** Whether any server can be read from. */
  isReady(): boolean
  states(): ServerState[]
  /** How long the primary takes to answer at its quickest, milliseconds; 0 before it has. */
  roundTripMs(): number
  /** Begins to watch all of them. @param changed the wiki may have changed */
  watch(changed: () => void): Promise<void>
  close(): Promise<void>
}

/**
 * Spreads statements over replicas, and goes to the primary when none can be read from. Which can is told by
 * `replication.ts`: after an import a replica is not read from until it has replayed it, since the primary says that
 * the wiki changed before a replica shows it, and an answer made in between would be kept for its whole time. (D37)
 */
export const makeReadServers = ({
  primary,
  replicas,
  maxLag,
  listensForChanges,
  sendsHeartbeats,
}: ReplicaOptions): ReadServers => {
  const replication = makeReplication<DatabaseServer>(maxLag)
  let turn = 0
  let quickest = Number.POSITIVE_INFINITY

  const isUsable = (replica: DatabaseServer): boolean =>
    !replica.isLost && replication.stateOf(replica) === 'current'

  /**
   * The next replica in turn that can be read from and was not tried, else the primary, lost or not.
   * @throws what stands against reading from any
   */
  const next = (tried: readonly DatabaseServer[]): DatabaseServer => {
    for (let i = 0; i < replicas.length; i += 1) {
      turn = (turn + 1) % replicas.length
      const replica = replicas[turn]!
      if (isUsable(replica) && !tried.includes(replica)) return replica
    }
    if (primary.refusal) throw primary.refusal
    if (!replication.isPrimaryCurrent())
      throw new Unavailable(
        undefined,
        1,
        new Error('The standby lacks a change that is known to be committed'),
      )
    return primary
  }

  const query = async <Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> => {
    const began = performance.now()
    const tried: DatabaseServer[] = []
    for (;;) {
      const server = next(tried)
      try {
        return await server.pool.query<Row>(statement, values)
      } catch (error) {
        if (sendsHeartbeats && isServerLost(error)) server.markSuspect(error)
        if (server === primary || performance.now() - began > RETRY_WINDOW_MS) throw error
        // No connection was to be had: the replica is busy, or about to be found lost. One more try, not all.
        const isBusy = error instanceof Unavailable && tried.length === 0
        if (!(isBusy || server.isLost || isWorthRetrying(error))) throw error
        tried.push(server)
      }
    }
  }

  const watchPrimary = (changed: () => void): Promise<void> =>
    primary.watch({
      listensForChanges,
      sendsHeartbeats,
      shouldPollFast: () => replication.isAwaitingPrimary() || !replication.isPrimaryCurrent(),
      onChange: (isInRecovery) => {
        // A standby that is found instead of the primary brings no news of it.
        if (!isInRecovery) {
          replication.onChange(performance.now())
          primary.checkNow()
        }
        changed()
      },
      onHeartbeat: ({ isInRecovery, askedAt, tookMs, ...place }) => {
        quickest = Math.min(quickest, tookMs)
        if (isInRecovery) replication.onStandbyHeartbeat(place)
        else replication.onPrimaryHeartbeat(place, askedAt)
        for (const replica of replicas) if (replication.stateOf(replica) === 'behind') replica.checkNow()
      },
      onLost: replication.onPrimaryLost,
    })

  const watchReplica = (replica: DatabaseServer): Promise<void> =>
    replica.watch({
      listensForChanges: false,
      sendsHeartbeats: true,
      shouldPollFast: () =>
        !replication.isAwaitingPrimary() &&
        replication.stateOf(replica) === 'behind' &&
        replication.lagOf(replica) < NEARLY_CURRENT_SECONDS,
      onChange: () => {},
      onHeartbeat: (place) => replication.onReplicaHeartbeat(replica, place, performance.now()),
      onLost: () => replication.onReplicaLost(replica),
    })

  const isRead = (server: DatabaseServer): boolean =>
    server === primary ? !primary.isLost && replication.isPrimaryCurrent() : isUsable(server)

  const stateOf = (server: DatabaseServer): ServerState => ({
    name: server.name,
    health: server.isLost ? 'lost' : isRead(server) ? 'up' : 'behind',
    lag: replication.lagOf(server),
    connections: server.pool.counts(),
  })

  return {
    query,
    isReady: () => isRead(primary) || replicas.some(isUsable),
    roundTripMs: () => (Number.isFinite(quickest) ? quickest : 0),
    states: () => [primary, ...replicas].map(stateOf),
    watch: async (changed) => {
      await Promise.all([watchPrimary(changed), ...replicas.map(watchReplica)])
    },
    close: async () => {
      await Promise.all([primary, ...replicas].map((server) => server.close()))
    },
  }
}
