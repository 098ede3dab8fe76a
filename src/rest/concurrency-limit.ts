import { Overloaded } from '../errors.ts'

/** Bounds of the answers that are being made at a time. */
export interface ConcurrencyBounds {
  /** How many are made at a time. */
  running: number
  /** How many wait to be made, and how long at most, milliseconds. */
  waiting: number
  waitMs: number
  /** How long waiting and being made may take by the pace of those before, milliseconds. */
  totalMs: number
}

/** Not one second for all: those who were refused together would come again together. */
const REFUSALS = [1, 2, 3].map((seconds) => new Overloaded(seconds))

/**
 * The pace is measured over so long, since answers that were read in one batch end together; and believed for so
 * long when nothing confirms it, milliseconds.
 */
const PACE = { overMs: 100, keptMs: 1_000 } as const

/** Lets as many answers be made as can be made in time, and refuses the rest at once. (D41) */
export interface ConcurrencyLimit {
  /**
   * @throws Overloaded when more wait already than will be begun in time, or it waited for too long; then
   * `work` was not begun
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether one more would be refused. */
  readonly isFull: boolean
  readonly running: number
  readonly waiting: number
  /** How many were refused since the start. */
  readonly refused: number
  /** Counts one that is refused before anything is done for it. @returns what its client is told */
  refuse(): Overloaded
}

interface Waiting {
  start(): void
  refuse(error: Overloaded): void
  until: number
}

/** @param distanceMs what each answer takes longer because the database is far away, milliseconds */
export const makeConcurrencyLimit = (
  bounds: ConcurrencyBounds,
  now = () => performance.now(),
  random = Math.random,
  distanceMs = () => 0,
): ConcurrencyLimit => {
  /** In the order of their arrival, which is that of their patience. */
  const queue = new Set<Waiting>()
  const counts = { running: 0, refused: 0 }
  /** Milliseconds between two that end while others wait, and when that was measured. */
  let pace = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  /** Since when others wait, and how many ended since. */
  let since: number | undefined
  let ended = 0
  let timer: NodeJS.Timeout | undefined

  const refuse = (): Overloaded => {
    counts.refused += 1
    return REFUSALS[Math.floor(random() * REFUSALS.length)]!
  }
  const refuseLate = () => {
    timer = undefined
    const late = now()
    for (const waiting of queue) {
      if (waiting.until > late) break
      queue.delete(waiting)
      waiting.refuse(refuse())
    }
    watchFirst()
  }
  const watchFirst = () => {
    const [first] = queue
    if (first !== undefined)
      timer ??= setTimeout(refuseLate, Math.max(1, Math.ceil(first.until - now()))).unref()
  }
  const hasRoom = () => {
    if (queue.size >= bounds.waiting) return false
    return (
      (queue.size + bounds.running) * pace < bounds.totalMs + distanceMs() || now() - measuredAt > PACE.keptMs
    )
  }
  const measure = () => {
    if (queue.size === 0) {
      since = undefined
      return
    }
    const at = now()
    ended += 1
    if (since !== undefined && at - since < PACE.overMs) return
    if (since !== undefined) {
      pace = (at - since) / ended
      measuredAt = at
    }
    since = at
    ended = 0
  }
  const release = () => {
    counts.running -= 1
    measure()
    const [first] = queue
    if (first === undefined) return
    queue.delete(first)
    if (queue.size === 0) {
      clearTimeout(timer)
      timer = undefined
    }
    first.start()
  }
  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        counts.running += 1
        resolve()
      }
      queue.add({ start, refuse: reject, until: now() + bounds.waitMs + distanceMs() })
      watchFirst()
    })

  return {
    run: async (work) => {
      if (counts.running < bounds.running) counts.running += 1
      else if (hasRoom()) await turn()
      else throw refuse()
      try {
        return await work()
      } finally {
        release()
      }
    },
    get isFull() {
      return counts.running >= bounds.running && !hasRoom()
    },
    get running() {
      return counts.running
    },
    get waiting() {
      return queue.size
    },
    get refused() {
      return counts.refused
    },
    refuse,
  }
}
