import { type LogPosition, makeRequiredPosition } from './required-position.ts'

/**
 * Whether guests may be served from a replica.
 *
 * - `unknown`: it has not responded since the start, or since it was lost
 * - `behind`: it lacks a change of the wiki that this process knows to be committed
 * - `lagging`: it has every such change, and lacks something that the primary has had for longer than MAX_REPLICA_LAG
 * - `current`: it may be read from
 *
 * ```
 * unknown --it responds-------------------------------------------> behind, lagging or current
 * current --a change is committed---------------------------------> behind
 * current --the primary has had more for MAX_REPLICA_LAG-----------> lagging
 * lagging --a change is committed---------------------------------> behind
 * lagging --it has replayed what it lacked-------------------------> current
 * behind  --it has replayed the change-----------------------------> current or lagging
 * any     --it is lost---------------------------------------------> unknown
 * ```
 *
 * The loss of the primary is in none of these lines: a replica without its primary keeps its state. (D37)
 */
type ReplicaState = 'unknown' | 'behind' | 'lagging' | 'current'

/** What this process knows of the replication between servers. Times are of the clock of `performance.now`. */
export interface Replication<Replica> {
  /** The wiki changed: the primary sent a notice; or it may have changed while the primary could not be reached. */
  onChange(now: number): void
  /** @param sentAt when the heartbeat was sent */
  onPrimaryHeartbeat(reported: LogPosition, sentAt: number): void
  /** The server in place of the primary is in recovery: the rule for replicas decides whether it may be read from. */
  onStandbyHeartbeat(reported: LogPosition): void
  onPrimaryLost(): void
  onReplicaHeartbeat(replica: Replica, reported: LogPosition, now: number): void
  onReplicaLost(replica: Replica): void
  stateOf(replica: Replica): ReplicaState
  /** Seconds; 0 for an unknown replica. */
  lagOf(replica: Replica): number
  /** Whether the server in place of the primary may be read from: always, unless it is a standby that is behind. */
  isPrimaryCurrent(): boolean
  /** Whether replicas cannot be current before the primary responds. */
  isAwaitingPrimary(): boolean
}

/** @param maxLag seconds */
export const makeReplication = <Replica>(maxLag: number): Replication<Replica> => {
  const history = makePositionHistory(maxLag + 1)
  const required = makeRequiredPosition()
  const replicas = new Map<Replica, { position: number; lag: number }>()
  /** The server in place of the primary: a primary, or a standby at a position. */
  let primary: { role: 'primary' } | { role: 'standby'; position: number } = { role: 'primary' }

  return {
    onChange: required.onChange,
    onPrimaryHeartbeat: ({ position }, sentAt) => {
      primary = { role: 'primary' }
      if (required.onPrimaryPosition(position, sentAt) && position !== null) history.add(position, sentAt)
    },
    onStandbyHeartbeat: ({ position, received }) => {
      required.onPrimaryLost()
      if (primary.role !== 'standby') required.onReceived(received ?? 0)
      primary = { role: 'standby', position: position ?? 0 }
    },
    onPrimaryLost: required.onPrimaryLost,
    onReplicaHeartbeat: (replica, reported, now) => {
      if (!replicas.has(replica)) required.onReceived(reported.received ?? 0)
      // When the primary reports no position, replicas need none either.
      const position = reported.position ?? 0
      const lag = reported.position === null ? 0 : history.lagOf(position, now)
      replicas.set(replica, { position, lag })
    },
    onReplicaLost: (replica) => {
      replicas.delete(replica)
    },
    stateOf: (replica) => {
      const known = replicas.get(replica)
      if (known === undefined) return 'unknown'
      if (!required.isReplayedAt(known.position)) return 'behind'
      return known.lag > maxLag ? 'lagging' : 'current'
    },
    lagOf: (replica) => replicas.get(replica)?.lag ?? 0,
    isPrimaryCurrent: () => primary.role === 'primary' || required.isReplayedAt(primary.position),
    isAwaitingPrimary: required.isAwaitingPrimary,
  }
}

/**
 * The positions of the primary in its write-ahead log over time, from which the lag of a replica follows. The history
 * stays when the primary is lost: a replica that lacked something still lacks it.
 */
interface PositionHistory {
  add(position: number, at: number): void
  /** Seconds since the primary first had something that a replica at this position lacks; 0 when it lacks nothing. */
  lagOf(position: number, now: number): number
}

/**
 * A replica cannot report its own lag: `now() - pg_last_xact_replay_timestamp()` grows while nobody writes, and a
 * replica that has lost its primary reports that it has replayed everything.
 * @param seconds how far back the history goes; a longer lag counts as at least this long
 */
const makePositionHistory = (seconds: number): PositionHistory => {
  let entries: { position: number; at: number }[] = []
  return {
    add: (position, at) => {
      const last = entries.at(-1)
      // A promoted server may continue from a lower position than the lost primary.
      if (last && position < last.position) entries = []
      if (last?.position === position) return
      entries.push({ position, at })
      while (entries.length > 1 && at - entries[0]!.at > seconds * 1000) entries.shift()
    },
    lagOf: (position, now) => {
      const firstLacking = entries.find((entry) => entry.position > position)
      return firstLacking ? (now - firstLacking.at) / 1000 : 0
    },
  }
}
