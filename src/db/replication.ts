import { makePositionHistory } from './position-history.ts'

/**
 * Whether guests may be served from a replica.
 *
 * - `unknown`: it has not answered since the start, or since it was lost
 * - `behind`: it lacks a change of the wiki that this process knows to be committed
 * - `lagging`: it has every such change, and lacks something that the primary has had for longer than MAX_REPLICA_LAG
 * - `current`: it may be read from
 *
 * ```
 * unknown --it answers--------------------------------------------> behind, lagging or current
 * current --a change is committed---------------------------------> behind
 * current --the primary has had more for MAX_REPLICA_LAG-----------> lagging
 * lagging --a change is committed---------------------------------> behind
 * lagging --it has replayed what it lacked-------------------------> current
 * behind  --it has replayed the change-----------------------------> current or lagging
 * any     --it is lost---------------------------------------------> unknown
 * ```
 *
 * What happens to the primary is in none of these lines: a replica without its primary stays what it was. (D79)
 */
type ReplicaState = 'unknown' | 'behind' | 'lagging' | 'current'

/**
 * Up to where a replica must have replayed the write-ahead log, bytes.
 *
 * ```
 * undecided  --the primary answers------------------> committed
 * undecided  --the primary cannot be reached--------> assumed
 * assumed    --the primary answers------------------> committed
 * committed  --a change is heard of-----------------> requested
 * requested  --the primary answers what was asked since--> committed
 * any        --the primary answers without a place--> unmeasured (some that are made like PostgreSQL)
 * unmeasured --a change is heard of-----------------> requested
 * ```
 *
 * There is no way back to `undecided`: a lost primary takes no knowledge with it.
 */
type Requirement =
  | { state: 'undecided' }
  /** Of a process that has not reached the primary since its start: what replicas had received when first seen. */
  | { state: 'assumed'; position: number }
  /** A change is committed; where, the primary has not said yet. */
  | { state: 'requested'; since: number }
  | { state: 'committed'; position: number }
  | { state: 'unmeasured' }

/** What a server says of its place in the write-ahead log, bytes. Null where it does not say. */
export interface LogPosition {
  /** Written, or, in recovery, replayed. */
  position: number | null
  /** What it has to replay, or has replayed; the same as `position` on a primary. */
  received: number | null
}

/** What is known of the replication between servers, by the clock of `performance.now`. */
export interface Replication<Replica> {
  /** The wiki changed, or may have: the primary said so, or was not heard of for a while. */
  onChange(now: number): void
  /** @param askedAt when it was asked */
  onPrimaryHeartbeat(place: LogPosition, askedAt: number): void
  /** The server that stands for the primary is itself in recovery: it is told by the same rule as a replica. */
  onStandbyHeartbeat(place: LogPosition): void
  onPrimaryLost(): void
  onReplicaHeartbeat(replica: Replica, place: LogPosition, now: number): void
  onReplicaLost(replica: Replica): void
  stateOf(replica: Replica): ReplicaState
  /** Seconds; 0 of one that is not known. */
  lagOf(replica: Replica): number
  /** Whether the server that stands for the primary may be read from: always, but for a standby that is behind. */
  isPrimaryCurrent(): boolean
  /** Whether only the primary's answer is lacking. */
  isAwaitingPrimary(): boolean
}

/** @param maxLag seconds */
export const makeReplication = <Replica>(maxLag: number): Replication<Replica> => {
  const timeline = makePositionHistory(maxLag + 1)
  const replicas = new Map<Replica, { position: number; lag: number }>()
  let requirement: Requirement = { state: 'undecided' }
  /** Most that a replica had received when it was first seen. */
  let received = 0
  /** Where the standby is that stands for the primary; undefined where a primary does. */
  let standby: { position: number } | undefined

  const hasRequired = (position: number): boolean => {
    switch (requirement.state) {
      case 'unmeasured':
        return true
      case 'assumed':
      case 'committed':
        return position >= requirement.position
      default:
        return false
    }
  }
  const assume = (place: LogPosition): void => {
    received = Math.max(received, place.received ?? 0)
    if (requirement.state === 'assumed') requirement = { state: 'assumed', position: received }
  }

  return {
    onChange: (now) => {
      requirement = { state: 'requested', since: now }
    },
    onPrimaryHeartbeat: ({ position }, askedAt) => {
      standby = undefined
      if (requirement.state === 'requested' && askedAt < requirement.since) return
      if (position === null) {
        requirement = { state: 'unmeasured' }
        return
      }
      timeline.add(position, askedAt)
      // A server that took the primary's place may go on from an earlier one.
      const known = requirement.state === 'committed' ? requirement.position : position
      requirement = { state: 'committed', position: Math.min(known, position) }
    },
    onStandbyHeartbeat: (place) => {
      if (requirement.state === 'undecided') requirement = { state: 'assumed', position: received }
      if (standby === undefined) assume(place)
      standby = { position: place.position ?? 0 }
    },
    onPrimaryLost: () => {
      if (requirement.state === 'undecided') requirement = { state: 'assumed', position: received }
    },
    onReplicaHeartbeat: (replica, place, now) => {
      if (!replicas.has(replica)) assume(place)
      // One that cannot say is used as it is, once the primary has said that it cannot either.
      const position = place.position ?? 0
      replicas.set(replica, {
        position,
        lag: place.position === null ? 0 : timeline.lagOf(position, now),
      })
    },
    onReplicaLost: (replica) => {
      replicas.delete(replica)
    },
    stateOf: (replica) => {
      const known = replicas.get(replica)
      if (known === undefined) return 'unknown'
      if (!hasRequired(known.position)) return 'behind'
      return known.lag > maxLag ? 'lagging' : 'current'
    },
    lagOf: (replica) => replicas.get(replica)?.lag ?? 0,
    isPrimaryCurrent: () => standby === undefined || hasRequired(standby.position),
    isAwaitingPrimary: () => requirement.state === 'requested' || requirement.state === 'undecided',
  }
}
