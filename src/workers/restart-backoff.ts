/** A worker that served at least this long started well, so the delay begins at 0 again, milliseconds. */
const STABLE_MS = 10_000
const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 10_000
/** The same for a worker that has served: connections wait for the next one. */
const SERVED_DELAY_MS = 500

/**
 * The delay before the replacement of a worker starts: at first none; it doubles while replacements end soon after their
 * start.
 * @returns for a worker that served for a time, the delay of the next one, milliseconds
 */
export const restartBackoff = (): ((servedMs: number) => number) => {
  let failures = 0
  return (servedMs) => {
    failures = servedMs >= STABLE_MS ? 0 : failures + 1
    const most = servedMs > 0 ? SERVED_DELAY_MS : MAX_DELAY_MS
    return failures < 2 ? 0 : Math.min(most, FIRST_DELAY_MS * 2 ** (failures - 2))
  }
}
