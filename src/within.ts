/**
 * What a promise gives, unless it takes too long. A timer that fires late, as after a stall of this process,
 * first lets what has arrived meanwhile be read.
 * @param ms milliseconds
 * @throws what `late` makes
 */
export const within = <Value>(promise: Promise<Value>, ms: number, late: () => Error): Promise<Value> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(late())), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** Waits that can be cut short. */
export interface Pause {
  /** Waits so long at most, milliseconds; not at all when it was hurried since the wait before, or is over. */
  for(ms: number): Promise<void>
  hurry(): void
  /** Forgets that it was hurried. */
  calm(): void
  /** Nothing waits any more. */
  end(): void
}

export const makePause = (): Pause => {
  let isHurried = false
  let isOver = false
  let wake = () => {}
  return {
    for: async (ms) => {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        if (isHurried || isOver) wake()
      })
      isHurried = false
    },
    hurry: () => {
      isHurried = true
      wake()
    },
    calm: () => {
      isHurried = false
    },
    end: () => {
      isOver = true
      wake()
    },
  }
}
