/** Operations that end when they take too long. */
interface Deadlines {
  /** @param onTimeout called when `end` does not come in time */
  begin(onTimeout: () => void): Deadline
  end(deadline: Deadline): void
}

interface Deadline {
  readonly expiresAt: number
  readonly onTimeout: () => void
}

/** How often the timer checks all deadlines within their time: a timeout is at most a sixteenth late. */
const CHECKS_PER_DEADLINE = 16

/**
 * One timer for many operations with the same time limit. A timer for each statement would nearly always be created
 * only to be cleared. (D49)
 * @param ms the time limit, milliseconds
 */
export const makeDeadlines = (ms: number): Deadlines => {
  /** In the order in which they expire. */
  const running = new Set<Deadline>()
  let timer: NodeJS.Timeout | undefined

  /** After a stall of this process, the responses that have arrived meanwhile are read first, because they were in time. */
  const scheduleSweep = (): void => void setImmediate(sweep)
  const sweep = (): void => {
    const now = performance.now()
    for (const deadline of running) {
      if (deadline.expiresAt > now) return
      running.delete(deadline)
      deadline.onTimeout()
    }
    clearInterval(timer)
    timer = undefined
  }
  return {
    begin: (onTimeout) => {
      const deadline = { expiresAt: performance.now() + ms, onTimeout }
      running.add(deadline)
      timer ??= setInterval(scheduleSweep, ms / CHECKS_PER_DEADLINE).unref()
      return deadline
    },
    end: (deadline) => running.delete(deadline),
  }
}
