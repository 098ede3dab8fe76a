/** A worker that served for so long has started well; its end says nothing of the next one's start, milliseconds. */
const STABLE_MS = 10_000
const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 10_000

/**
 * When a worker's successors start: at once, and with pauses that double while they end soon after their start.
 * @returns tells, of a worker that ended, how many milliseconds to wait before the next one
 */
export const restartBackoff = (): ((servedMs: number) => number) => {
  let failures = 0
  return (servedMs) => {
    failures = servedMs >= STABLE_MS ? 0 : failures + 1
    return failures < 2 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 2))
  }
}
