/**
 * The primary's places in its write-ahead log at moments past, by which a replica's lag is told. They are kept when
 * the primary is lost: what a replica lacked of them it still lacks.
 */
interface PositionHistory {
  add(position: number, at: number): void
  /** Seconds since the primary first had something that a replica at this place lacks; 0 when it lacks nothing. */
  lagOf(position: number, now: number): number
}

/**
 * A replica's own clock cannot tell its lag: `now() - pg_last_xact_replay_timestamp()` grows while nobody writes,
 * and a replica that has lost its primary thinks that it has replayed everything.
 * @param seconds how far back is remembered; a longer lag is told as at least that
 */
export const makePositionHistory = (seconds: number): PositionHistory => {
  let known: { position: number; at: number }[] = []
  return {
    add: (position, at) => {
      const last = known.at(-1)
      // A server that took the primary's place may have begun from an earlier one.
      if (last && position < last.position) known = []
      if (last?.position === position) return
      known.push({ position, at })
      while (known.length > 1 && at - known[0]!.at > seconds * 1000) known.shift()
    },
    lagOf: (position, now) => {
      const lacking = known.find((one) => one.position > position)
      return lacking ? (now - lacking.at) / 1000 : 0
    },
  }
}
