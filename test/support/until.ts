import { setTimeout as wait } from 'node:timers/promises'

/** Pauses between two checks, milliseconds. They grow, since many checks ask a process that has other work to do. */
const PAUSE_MIN = 5
const PAUSE_MAX = 100
/** When a test has stopped waiting, milliseconds. It ends what hangs, and is no promise: a busy machine takes long. */
const HANGS_AFTER = 120_000

/**
 * Checks a condition again and again until it holds.
 * @param what the condition in words, for the error
 * @returns how long it took, milliseconds
 * @throws Error naming the condition, with the error of the last check as its cause
 */
export const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<number> => {
  const began = performance.now()
  const past = () => performance.now() - began
  let reason: unknown
  for (let pause = PAUSE_MIN; ; pause = Math.min(pause * 1.5, PAUSE_MAX)) {
    try {
      if (await holds()) return past()
      reason = undefined
    } catch (error) {
      reason = error
    }
    if (past() > HANGS_AFTER) {
      const last = reason instanceof Error ? `: ${reason.message}` : ''
      throw new Error(`not within ${HANGS_AFTER} ms: ${what}${last}`, { cause: reason })
    }
    await wait(pause)
  }
}
