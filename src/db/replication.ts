import { UnfitServer } from './connection-error.ts'

/** What a server says of itself. Positions are of the write-ahead log, bytes. */
export interface ServerReport {
  /** What it has written, or, in recovery, replayed. */
  position: number
  /** What it has received to replay. The same as `position` on a primary. */
  received: number
  /** True of a standby. */
  isInRecovery: boolean
  /** When it was started, which tells it from other servers. */
  instance: string
  /** Its system identifier, which only physical copies share, and its database: `7412…/wiki`. Empty: it does not say. */
  data: string
}

/**
 * Whether guests may be served from a replica.
 *
 * - `unknown`: it has not responded since the start, or since it was lost; or it is no replica
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
 * The loss of the primary is in none of these lines: a replica without its primary keeps its state. A primary that
 * answers is believed, even if its log is earlier: then a failover has lost the change.
 */
type ReplicaState = 'unknown' | 'behind' | 'lagging' | 'current'

/**
 * The position in the write-ahead log that a replica must have replayed, bytes.
 *
 * ```
 * undecided, assumed --the primary responds----------------------> committed
 * undecided  --the primary cannot be reached---------------------> assumed
 * any        --a change is committed-----------------------------> requested
 * requested  --the primary responds to a later heartbeat---------> committed
 * ```
 *
 * Nothing leads back to `undecided`: what this process knows stays valid when the primary is lost.
 */
type Requirement =
  | { state: 'undecided' }
  /** This process has not reached the primary since its start: what replicas had received at their first heartbeat. */
  | { state: 'assumed'; position: number }
  /** A change is committed, and the primary has not reported its position yet. */
  | { state: 'requested'; since: number }
  | { state: 'committed'; position: number }

export type Replication<Replica> = ReturnType<typeof makeReplication<Replica>>

/**
 * What this process knows of the replication between servers. Times are of the clock of `performance.now`.
 * @param maxLag seconds
 * @param databasePath `/` and the name of the database that a replica must have before the primary has responded; empty: any
 */
export const makeReplication = <Replica>(maxLag: number, databasePath: string) => {
  const history = makePositionHistory(maxLag + 1)
  const replicas = new Map<Replica, ServerReport & { lag: number }>()
  const origin = makeOrigin(databasePath)
  const required = makeRequiredPosition()
  /** Where a standby in place of the primary is; null: it is a primary. */
  let standbyPosition: number | null = null

  return {
    /** The wiki changed: the primary sent a notice; or it may have changed while the primary could not be reached. */
    onChange: required.onChange,
    /** @param sentAt when the heartbeat was sent: one that is older than the last change has no effect */
    onPrimaryHeartbeat: (reported: ServerReport, sentAt: number): void => {
      standbyPosition = null
      origin.onPrimary(reported)
      const { position } = reported
      if (required.onPrimaryPosition(position, sentAt)) history.add(position, sentAt)
    },
    /** The server in place of the primary is in recovery: the rule for replicas decides whether it may be read from. */
    onStandbyHeartbeat: (reported: ServerReport): void => {
      required.onPrimaryLost()
      origin.onPrimary(reported)
      if (standbyPosition === null) required.onReceived(reported.received)
      standbyPosition = reported.position
    },
    onPrimaryLost: (): void => {
      required.onPrimaryLost()
      origin.onPrimaryLost()
    },
    onReplicaHeartbeat: (replica: Replica, reported: ServerReport, now: number): void => {
      origin.onReplica(reported)
      if (!replicas.has(replica)) required.onReceived(reported.received)
      replicas.set(replica, { ...reported, lag: history.lagOf(reported.position, now) })
    },
    onReplicaLost: (replica: Replica): void => {
      replicas.delete(replica)
    },
    stateOf: (replica: Replica): ReplicaState => {
      const known = replicas.get(replica)
      if (known === undefined || origin.refusalOf(known) !== undefined) return 'unknown'
      if (!required.isReplayedAt(known.position)) return 'behind'
      return known.lag > maxLag ? 'lagging' : 'current'
    },
    /** @throws UnfitServer when guests must not be served from the server as a replica */
    checkReplica: (reported: ServerReport): void => {
      const refusal = origin.refusalOf(reported)
      if (refusal !== undefined) throw new UnfitServer(refusal)
    },
    /** Seconds; 0 for an unknown replica. */
    lagOf: (replica: Replica): number => replicas.get(replica)?.lag ?? 0,
    /** Whether the server in place of the primary may be read from: always, unless it is a standby that is behind. */
    isPrimaryCurrent: (): boolean => standbyPosition === null || required.isReplayedAt(standbyPosition),
    /** Whether replicas cannot be current before the primary responds. */
    isAwaitingPrimary: required.isAwaitingPrimary,
  }
}

/** Whose data replicas must have. A server that accepts writes has it only by a promotion that this process saw. */
const makeOrigin = (databasePath: string) => {
  let origin = databasePath
  /** The instance of the primary; undefined while it is away. */
  let primary: string | undefined
  const standbys = new Set<string>()
  return {
    onPrimary: ({ data, instance, isInRecovery }: ServerReport): void => {
      origin = data || 'unknown'
      primary = isInRecovery ? undefined : instance
    },
    onPrimaryLost: (): void => {
      primary = undefined
    },
    onReplica: ({ instance, isInRecovery }: ServerReport): void => {
      if (isInRecovery) standbys.add(instance)
    },
    /** Why guests must not be served from a server as a replica; undefined if they may. */
    refusalOf: ({ data, instance, isInRecovery }: ServerReport): string | undefined => {
      if (data === '' || !data.endsWith(origin))
        return `It is no replica: it is database ${data || 'unknown'}, not ${origin}`
      if (isInRecovery || (primary === undefined ? standbys.has(instance) : instance === primary))
        return undefined
      return 'It is no replica: it accepts writes, and is not the server of DATABASE_URL'
    },
  }
}

const makeRequiredPosition = () => {
  let requirement: Requirement = { state: 'undecided' }
  /** The highest position that a replica had received at its first heartbeat. */
  let received = 0
  return {
    onChange: (now: number): void => {
      requirement = { state: 'requested', since: now }
    },
    /** @returns false when the heartbeat is older than the last change, and so has no effect */
    onPrimaryPosition: (position: number, sentAt: number): boolean => {
      if (requirement.state === 'requested' && sentAt < requirement.since) return false
      // A promoted server may continue from a lower position than the lost primary.
      const earlier = requirement.state === 'committed' ? requirement.position : Infinity
      requirement = { state: 'committed', position: Math.min(earlier, position) }
      return true
    },
    onPrimaryLost: (): void => {
      if (requirement.state === 'undecided') requirement = { state: 'assumed', position: received }
    },
    /** @param position what a replica, or a standby in place of the primary, had received at its first heartbeat */
    onReceived: (position: number): void => {
      received = Math.max(received, position)
      if (requirement.state === 'assumed') requirement = { state: 'assumed', position: received }
    },
    isReplayedAt: (position: number): boolean =>
      'position' in requirement && position >= requirement.position,
    isAwaitingPrimary: (): boolean => requirement.state === 'requested' || requirement.state === 'undecided',
  }
}

/**
 * The positions of the primary in its write-ahead log over time, from which the lag of a replica follows. The history
 * stays when the primary is lost: a replica that lacked something still lacks it.
 * A replica cannot report its own lag: `now() - pg_last_xact_replay_timestamp()` grows while nobody writes, and a
 * replica that has lost its primary reports that it has replayed everything.
 * @param seconds how far back the history goes; a longer lag counts as at least this long
 */
const makePositionHistory = (seconds: number) => {
  let entries: { position: number; at: number }[] = []
  return {
    add: (position: number, at: number): void => {
      const last = entries.at(-1)
      // A promoted server may continue from a lower position than the lost primary.
      if (last && position < last.position) entries = []
      if (last?.position === position) return
      entries.push({ position, at })
      while (entries.length > 1 && at - entries[0]!.at > seconds * 1000) entries.shift()
    },
    /** Seconds since the primary first had something that a replica at this position lacks; 0 when it lacks nothing. */
    lagOf: (position: number, now: number): number => {
      const firstLacking = entries.find((entry) => entry.position > position)
      return firstLacking ? (now - firstLacking.at) / 1000 : 0
    },
  }
}
