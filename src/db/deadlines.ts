/** What runs, and is ended when it takes too long. */
interface Deadlines {
  /** @returns what `end` takes when it is done in time */
  begin(late: () => void): Deadline
  end(deadline: Deadline): void
}

/** One of them. */
interface Deadline {
  readonly expiresAt: number
  readonly timedOut: () => void
}

/** The timer looks at all that run so often in their time: who is late is found a sixteenth later at most. */
const CHECKS_PER_DEADLINE = 16

/**
 * One timer for all that may take equally long, since a timer for each statement is cleared nearly always.
 * @param ms milliseconds
 */
export const makeDeadlines = (ms: number): Deadlines => {
  /** In the order in which they end. */
  const running = new Set<Deadline>()
  let timer: NodeJS.Timeout | undefined

  /** After a stall of this process: what has arrived meanwhile is read first, and was in time. */
  const look = (): void => void setImmediate(sweep)
  const sweep = (): void => {
    const now = performance.now()
    for (const deadline of running) {
      if (deadline.expiresAt > now) return
      running.delete(deadline)
      deadline.timedOut()
    }
    clearInterval(timer)
    timer = undefined
  }
  return {
    begin: (timedOut) => {
      const deadline = { expiresAt: performance.now() + ms, timedOut }
      running.add(deadline)
      timer ??= setInterval(look, ms / CHECKS_PER_DEADLINE).unref()
      return deadline
    },
    end: (deadline) => running.delete(deadline),
  }
}
