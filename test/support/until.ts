import { setTimeout as wait } from 'node:timers/promises'

/** Between two looks, milliseconds. */
const PAUSE = 20

/**
 * Looks again and again until something is so.
 * @param within milliseconds
 * @returns how long it took, milliseconds
 * @throws Error naming what was waited for, and why the last look failed
 */
export const until = async (
  what: string,
  isSo: () => boolean | Promise<boolean>,
  within = 10_000,
): Promise<number> => {
  const began = performance.now()
  const past = () => performance.now() - began
  let reason: unknown
  for (;;) {
    try {
      if (await isSo()) return past()
      reason = undefined
    } catch (error) {
      reason = error
    }
    if (past() > within) throw new Error(`not within ${within} ms: ${what}`, { cause: reason })
    await wait(PAUSE)
  }
}
