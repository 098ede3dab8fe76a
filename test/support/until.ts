import { setTimeout as wait } from 'node:timers/promises'

/** Pause between two checks, milliseconds. */
const PAUSE = 20

/**
 * Checks a condition again and again until it holds.
 * @param what the condition in words, for the error
 * @param within milliseconds
 * @returns how long it took, milliseconds
 * @throws Error naming the condition, with the error of the last check as its cause
 */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  within = 10_000,
): Promise<number> => {
  const began = performance.now()
  const past = () => performance.now() - began
  let reason: unknown
  for (;;) {
    try {
      if (await holds()) return past()
      reason = undefined
    } catch (error) {
      reason = error
    }
    if (past() > within) throw new Error(`not within ${within} ms: ${what}`, { cause: reason })
    await wait(PAUSE)
  }
}
