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
export const makePositionHistory = (seconds: number): PositionHistory => {
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
