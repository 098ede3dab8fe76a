/**
 * The rate is measured over this time, because responses that were read in one batch end together. It is valid for
 * `validMs` without a new measurement. Milliseconds.
 */
const DRAIN_RATE = { windowMs: 100, validMs: 1_000 } as const

interface DrainRate {
  /** Milliseconds between two requests that end while others wait; undefined without a recent measurement. */
  msPerRequest(): number | undefined
  /** A request has ended. */
  recordEnd(hasQueue: boolean): void
}

/**
 * How fast a limit works through its queue.
 *
 * States: idle → measuring, at the first end of a request while others wait; measuring → measuring, with a result
 * every `windowMs`; measuring → idle, when the queue is empty.
 */
export const makeDrainRate = (now: () => number): DrainRate => {
  let latest = { msPerRequest: 0, at: Number.NEGATIVE_INFINITY }
  let state: 'idle' | { measuringSince: number; ended: number } = 'idle'
  return {
    msPerRequest: () => (now() - latest.at > DRAIN_RATE.validMs ? undefined : latest.msPerRequest),
    recordEnd: (hasQueue) => {
      if (!hasQueue) {
        state = 'idle'
        return
      }
      const at = now()
      if (state === 'idle') {
        state = { measuringSince: at, ended: 0 }
        return
      }
      state.ended += 1
      const elapsedMs = at - state.measuringSince
      if (elapsedMs < DRAIN_RATE.windowMs) return
      latest = { msPerRequest: elapsedMs / state.ended, at }
      state = { measuringSince: at, ended: 0 }
    },
  }
}
