import { Overloaded } from '../errors.ts'

/** Bounds of the answers that are being made at a time. */
export interface ConcurrencyBounds {
  /** How many are made at a time. */
  running: number
  /** How many wait to be made, and how long at most, milliseconds. */
  waiting: number
  waitMs: number
}

/** Not one second for all: those who were refused together would come again together. */
const REFUSALS = [1, 2, 3].map((seconds) => new Overloaded(seconds))

/** Of the time between two that end, how much the newest counts: the pace is that of the last twenty or so. */
const NEWEST = 0.05

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

export const makeConcurrencyLimit = (
  bounds: ConcurrencyBounds,
  now = () => performance.now(),
  random = Math.random,
): ConcurrencyLimit => {
  /** In the order of their arrival, which is that of their patience. */
  const queue = new Set<Waiting>()
  const counts = { running: 0, refused: 0 }
  /** Milliseconds between two that end while others wait, and when the last one did. */
  let pace = 0
  let lastEnd: number | undefined
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
    if (first !== undefined) timer ??= setTimeout(refuseLate, Math.max(1, Math.ceil(first.until - now())))
  }
  const hasRoom = () => queue.size < bounds.waiting && queue.size * pace < bounds.waitMs
  const release = () => {
    counts.running -= 1
    const [first] = queue
    const end = now()
    if (lastEnd !== undefined) pace += (end - lastEnd - pace) * NEWEST
    lastEnd = first && end
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
      queue.add({ start, refuse: reject, until: now() + bounds.waitMs })
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
