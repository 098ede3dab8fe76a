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
