/** A sleep that somebody else can end early. */
interface WakeableSleep {
  /**
   * Sleeps for at most so many milliseconds; not at all when `wake` was called since the last sleep, or after `end`.
   */
  sleep(ms: number): Promise<void>
  wake(): void
  /** Forgets that `wake` was called. */
  reset(): void
  /** Ends this sleep and every later one. */
  end(): void
}

export const makeWakeableSleep = (): WakeableSleep => {
  let isWoken = false
  let isOver = false
  let endSleep = () => {}
  return {
    sleep: async (ms) => {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        endSleep = () => {
          clearTimeout(timer)
          resolve()
        }
        if (isWoken || isOver) endSleep()
      })
      isWoken = false
    },
    wake: () => {
      isWoken = true
      endSleep()
    },
    reset: () => {
      isWoken = false
    },
    end: () => {
      isOver = true
      endSleep()
    },
  }
}
