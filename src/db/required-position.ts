/** The position of a server in the write-ahead log, bytes. Null when the server does not report it. */
export interface LogPosition {
  /** What it has written, or, in recovery, replayed. */
  position: number | null
  /** What it has received to replay. The same as `position` on a primary. */
  received: number | null
}

/**
 * The position in the write-ahead log that a replica must have replayed, bytes.
 *
 * ```
 * undecided, assumed, unmeasured --the primary responds---------> committed
 * undecided  --the primary cannot be reached---------------------> assumed
 * any        --a change is committed-----------------------------> requested
 * requested  --the primary responds to a later heartbeat---------> committed
 * any        --the primary responds without a position-----------> unmeasured (some servers compatible with PostgreSQL)
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
  | { state: 'unmeasured' }

interface RequiredPosition {
  onChange(now: number): void
  /**
   * @param position null when the primary does not report it
   * @param sentAt when the heartbeat was sent
   * @returns false when the heartbeat is older than the last change, and so has no effect
   */
  onPrimaryPosition(position: number | null, sentAt: number): boolean
  onPrimaryLost(): void
  /** @param received of a replica, or of a standby in place of the primary, at its first heartbeat */
  onReceived(received: number): void
  isReplayedAt(position: number): boolean
  /** Whether a replica cannot be current before the primary responds. */
  isAwaitingPrimary(): boolean
}

export const makeRequiredPosition = (): RequiredPosition => {
  let requirement: Requirement = { state: 'undecided' }
  /** The highest position that a replica had received at its first heartbeat. */
  let received = 0

  return {
    onChange: (now) => {
      requirement = { state: 'requested', since: now }
    },
    onPrimaryPosition: (position, sentAt) => {
      if (requirement.state === 'requested' && sentAt < requirement.since) return false
      if (position === null) {
        requirement = { state: 'unmeasured' }
        return true
      }
      // A promoted server may continue from a lower position than the lost primary.
      const earlier = requirement.state === 'committed' ? requirement.position : position
      requirement = { state: 'committed', position: Math.min(earlier, position) }
      return true
    },
    onPrimaryLost: () => {
      if (requirement.state === 'undecided') requirement = { state: 'assumed', position: received }
    },
    onReceived: (position) => {
      received = Math.max(received, position)
      if (requirement.state === 'assumed') requirement = { state: 'assumed', position: received }
    },
    isReplayedAt: (position) => {
      switch (requirement.state) {
        case 'unmeasured':
          return true
        case 'assumed':
        case 'committed':
          return position >= requirement.position
        default:
          return false
      }
    },
    isAwaitingPrimary: () => requirement.state === 'requested' || requirement.state === 'undecided',
  }
}
