import { Unavailable } from '../errors.ts'
import { isServerLost, isWorthRetrying } from './connection-error.ts'
import { makeTimeline } from './lag.ts'
import type { Server, ServerState } from './server.ts'
import type { Statement } from './statements.ts'

/** After so many milliseconds a statement is not tried elsewhere any more: its client has waited enough. */
const RETRY_WITHIN = 2_000
/** A replica that lags less, in seconds, is expected to have a change any moment. */
const NEARLY_THERE = 2

export interface ReplicaOptions {
  primary: Server
  replicas: readonly Server[]
  /** Seconds. */
  maxLag: number
  /** Whether imports are heard of; else replicas are held to their lag alone. */
  listens: boolean
  /** Whether servers are asked how they are: not the embedded one, which lives as long as this process. */
  beats: boolean
}

export interface ReadServers {
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** Whether any server can be read from. */
  isReady(): boolean
  states(): ServerState[]
  /** Begins to watch all of them. @param changed the wiki may have changed */
  watch(changed: () => void): Promise<void>
  close(): Promise<void>
}

/** How far a replica is. */
interface Progress {
  position: number
  lag: number
}

/**
 * Spreads statements over replicas, and goes to the primary when none can be read from.
 *
 * After an import a replica is not read from until it has replayed it: the primary says that the wiki changed
 * before a replica shows it, and an answer made in between would be kept for its whole time. (D37)
 */
export const spreadReads = ({ primary, replicas, maxLag, listens, beats }: ReplicaOptions): ReadServers => {
  const timeline = makeTimeline(maxLag + 1)
  const progress = new Map<Server, Progress>()
  /** What a replica must have replayed. Infinite until the primary has said where the newest change is. */
  let barrier = Number.POSITIVE_INFINITY
  let changedAt = performance.now()
  let turn = 0

  const hasChange = (replica: Server): boolean => (progress.get(replica)?.position ?? -1) >= barrier
  const isUsable = (replica: Server): boolean =>
    !replica.isLost && hasChange(replica) && (progress.get(replica)?.lag ?? 0) <= maxLag

  /** The next replica in turn that can be read from and was not tried, else the primary. */
  const next = (tried: readonly Server[]): Server => {
    for (let i = 0; i < replicas.length; i += 1) {
      turn = (turn + 1) % replicas.length
      const replica = replicas[turn]!
      if (isUsable(replica) && !tried.includes(replica)) return replica
    }
    return primary
  }

  const query = async <Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> => {
    const began = performance.now()
    const tried: Server[] = []
    for (;;) {
      const server = next(tried)
      try {
        return await server.pool.query<Row>(statement, values)
      } catch (error) {
        if (beats && isServerLost(error)) server.suspect(error)
        if (server === primary || performance.now() - began > RETRY_WITHIN) throw error
        // No connection was to be had: the replica is busy, or about to be found lost. One more try, not all.
        const isBusy = error instanceof Unavailable && tried.length === 0
        if (!(isBusy || server.isLost || isWorthRetrying(error))) throw error
        tried.push(server)
      }
    }
  }

  const setBarrier = (position: number): void => {
    barrier = position
    for (const replica of replicas) if (!hasChange(replica)) replica.hurry()
  }

  const watchPrimary = (changed: () => void): Promise<void> =>
    primary.watch({
      listens,
      beats,
      isWaitedFor: () => barrier === Number.POSITIVE_INFINITY,
      changed: () => {
        if (replicas.length > 0) {
          barrier = Number.POSITIVE_INFINITY
          changedAt = performance.now()
          primary.hurry()
        }
        changed()
      },
      heard: ({ position, askedAt }) => {
        // A server that does not say (some that are made like PostgreSQL) cannot have its replicas measured.
        if (position === null) return setBarrier(0)
        timeline.add(position, askedAt)
        if (askedAt >= changedAt) setBarrier(Math.min(barrier, position))
      },
      lost: () => {
        // Without it there is no change to wait for, and replicas are all that is left.
        timeline.clear()
        setBarrier(0)
      },
    })

  const watchReplica = (replica: Server): Promise<void> =>
    replica.watch({
      listens: false,
      beats: true,
      isWaitedFor: () =>
        barrier < Number.POSITIVE_INFINITY &&
        !hasChange(replica) &&
        (progress.get(replica)?.lag ?? 0) < NEARLY_THERE,
      changed: () => {},
      heard: ({ position }) => {
        // Where nobody can say, replicas are used as they are, once the primary has said that it cannot.
        if (position === null) progress.set(replica, { position: 0, lag: 0 })
        else progress.set(replica, { position, lag: timeline.lagOf(position, performance.now()) })
      },
      lost: () => progress.delete(replica),
    })

  const stateOf = (server: Server): ServerState => ({
    name: server.name,
    health: server.isLost ? 'lost' : server === primary || isUsable(server) ? 'up' : 'behind',
    lag: progress.get(server)?.lag ?? 0,
    connections: server.pool.counts(),
  })

  return {
    query,
    isReady: () => !primary.isLost || replicas.some(isUsable),
    states: () => [primary, ...replicas].map(stateOf),
    watch: async (changed) => {
      await Promise.all([watchPrimary(changed), ...replicas.map(watchReplica)])
    },
    close: async () => {
      await Promise.all([primary, ...replicas].map((server) => server.close()))
    },
  }
}
