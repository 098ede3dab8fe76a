/** What runs, and is ended when it takes too long. */
export interface Deadlines {
  /** @returns what `end` takes when it is done in time */
  begin(late: () => void): Deadline
  end(deadline: Deadline): void
}

/** One of them. */
export interface Deadline {
  readonly until: number
  readonly late: () => void
}

/** The timer looks at all that run so often in their time: who is late is found a sixteenth later at most. */
const LOOKS = 16

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
      if (deadline.until > now) return
      running.delete(deadline)
      deadline.late()
    }
    clearInterval(timer)
    timer = undefined
  }
  return {
    begin: (late) => {
      const deadline = { until: performance.now() + ms, late }
      running.add(deadline)
      timer ??= setInterval(look, ms / LOOKS).unref()
      return deadline
    },
    end: (deadline) => running.delete(deadline),
  }
}
