/** A sleep that other code can end early. */
interface WakeableSleep {
  /** Sleeps for at most `ms` milliseconds. Returns at once if `wake` was called since the last sleep, or after `end`. */
  sleep(ms: number): Promise<void>
  wake(): void
  /** Ignores earlier calls of `wake`. */
  reset(): void
  /** Ends this sleep and every later sleep at once. */
  end(): void
}

export const makeWakeableSleep = (): WakeableSleep => {
  let isWoken = false
  let isEnded = false
  let endSleep = () => {}
  return {
    sleep: async (ms) => {
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
    wake: () => {
      isWoken = true
      endSleep()
    },
    reset: () => {
      isWoken = false
    },
    end: () => {
      isEnded = true
      endSleep()
    },
  }
}
