import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The result of a promise, or an error if the promise takes too long. If the timer fires late, for example because
 * the process stalled, data that arrived in the meantime is processed first.
 * @param ms timeout, milliseconds
 * @throws the error of `timedOut`
 */
export const withTimeout = <Value>(
  promise: Promise<Value>,
  ms: number,
  timedOut = () => new Error(`No reply within ${ms} ms`),
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(timedOut())), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** Repeats work that fails for some time. @param mayPass whether an error passes by itself */
export const retryFor = async <Result>(
  { ms, pauseMs }: { ms: number; pauseMs: number },
  work: () => Promise<Result>,
  mayPass: (error: unknown) => boolean,
): Promise<Result> => {
  for (const end = performance.now() + ms; ; await sleep(pauseMs))
    try {
      return await work()
    } catch (error) {
      if (!mayPass(error) || performance.now() > end) throw error
    }
}

/** A sleep that other code can end early. */
export const makeWakeableSleep = () => {
  let isWoken = false
  let isEnded = false
  let endSleep = () => {}
  return {
    /** Sleeps for at most `ms` milliseconds. Returns at once if `wake` was called since the last sleep, or after `end`. */
    sleep: async (ms: number): Promise<void> => {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        endSleep = () => {
          clearTimeout(timer)
          resolve()
        }
        if (isWoken || isEnded) endSleep()
      })
      isWoken = false
    },
    wake: (): void => {
      isWoken = true
      endSleep()
    },
    /** Ignores earlier calls of `wake`. */
    reset: (): void => {
      isWoken = false
    },
    /** Ends this sleep and every later sleep at once. */
    end: (): void => {
      isEnded = true
      endSleep()
    },
  }
}

/** A worker that served at least this long started well, so the delay begins at 0 again, milliseconds. */
const STABLE_MS = 10_000
const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 10_000
/** The same for a worker that has served: connections wait for the next one. */
const SERVED_DELAY_MS = 500

/**
 * The delay before the replacement of a worker starts: at first none; it doubles while replacements end soon after their start.
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
