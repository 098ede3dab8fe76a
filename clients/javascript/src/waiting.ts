/** The longest time of a timer, milliseconds: a longer one would end at once. */
export const LONGEST_TIMER = 2_147_483_647

/**
 * Waits until a time of `performance.now()`, or a part of the way if it is more than 24 days away.
 * @throws the reason of the signal when it is aborted
 */
export const pauseUntil = (time: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(Math.max(time - performance.now(), 0), LONGEST_TIMER),
    )
    signal?.addEventListener('abort', stop, { once: true })
  })

/** Runs at most so many tasks at a time. The others wait in the order in which they came. */
export const makeLimit = (max: number): (<Result>(task: () => Promise<Result>) => Promise<Result>) => {
  let running = 0
  const queue: (() => void)[] = []
  return async (task) => {
    if (running < max) running += 1
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await task()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
