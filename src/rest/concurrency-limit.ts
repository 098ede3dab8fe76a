import { Overloaded } from '../errors.ts'
import { makeDrainRate } from './drain-rate.ts'
import { FairQueue, type QueueClient } from './fair-queue.ts'

/** Bounds of the requests of one class. */
interface ConcurrencyBounds {
  /** How many run at a time, and how many of them for one client. */
  running: number
  runningPerClient: number
  /** How many wait, and how long at most, milliseconds. */
  queued: number
  queueTimeoutMs: number
  /** How long waiting and running may take together at the measured drain rate, milliseconds. */
  latencyMs: number
}

/** With different delays, because clients that are refused together would otherwise return together. */
const OVERLOAD_ERRORS = [1, 2, 3].map((seconds) => new Overloaded(seconds))

/**
 * Runs as many requests as it can finish in time, and sheds the rest at once. (D41, D76)
 *
 * States of a request: queued → running, when its client's turn comes; queued → shed, at its deadline. A new request
 * runs at once where the bounds allow it, is queued where it would finish in time, and is shed otherwise.
 */
export interface ConcurrencyLimit {
  /**
   * @param client key of the client; waiting clients take turns, however many requests each of them has
   * @throws Overloaded when the request is shed; then `work` has not started
   */
  run<Result>(client: string, work: () => Promise<Result>): Promise<Result>
  /** Whether one more request of the client would be shed. */
  isSaturated(client: string): boolean
  readonly running: number
  readonly queued: number
  /** How many clients have running or queued requests. */
  readonly clients: number
  /** How many requests were shed since the start. */
  readonly shed: number
  /** Counts a request that the caller sheds itself. @returns the error for its client */
  recordShed(): Overloaded
}

/**
 * Long: its functions share the counts and the one timer of the queue.
 * @param distanceMs how much longer each request takes because the database is far away, milliseconds
 */
export const makeConcurrencyLimit = (
  bounds: ConcurrencyBounds,
  now = () => performance.now(),
  random = Math.random,
  distanceMs = () => 0,
): ConcurrencyLimit => {
  const queue = new FairQueue(bounds.runningPerClient)
  const drainRate = makeDrainRate(now)
  let running = 0
  let shed = 0
  /** Runs while requests wait. */
  let timer: NodeJS.Timeout | undefined

  const recordShed = (): Overloaded => {
    shed += 1
    return OVERLOAD_ERRORS[Math.floor(random() * OVERLOAD_ERRORS.length)]!
  }
  const shedExpired = () => {
    timer = undefined
    const at = now()
    for (let expired = queue.takeExpired(at); expired; expired = queue.takeExpired(at))
      expired.reject(recordShed())
    armTimer()
  }
  const armTimer = () => {
    const { deadline } = queue
    if (deadline === undefined) return
    timer ??= setTimeout(shedExpired, Math.max(1, Math.ceil(deadline - now()))).unref()
  }
  const canRun = (client: QueueClient | undefined): boolean =>
    running < bounds.running && (client?.running ?? 0) < bounds.runningPerClient
  /**
   * Whether one more request of a client would finish in time. The running requests come before it, and from each
   * client as many queued requests as this client has in the queue, plus one.
   */
  const hasRoom = (client: QueueClient | undefined): boolean => {
    if (queue.size >= bounds.queued) return false
    const msPerRequest = drainRate.msPerRequest()
    if (msPerRequest === undefined) return true
    const latencyMs = bounds.latencyMs + distanceMs()
    const own = client?.queued.length ?? 0
    let before = running
    for (let n = 0; n <= own && before * msPerRequest < latencyMs; n++) before += queue.clientsAbove(n)
    return before * msPerRequest < latencyMs
  }
  const start = (client: QueueClient): void => {
    running += 1
    queue.start(client)
  }
  const end = (client: QueueClient): void => {
    running -= 1
    drainRate.recordEnd(queue.size > 0)
    queue.end(client)
    const next = queue.takeNext()
    if (next === undefined) return
    if (queue.size === 0) {
      clearTimeout(timer)
      timer = undefined
    }
    start(next.client)
    next.start()
  }
  const waitInQueue = (client: QueueClient) =>
    new Promise<void>((resolve, reject) => {
      queue.add({
        client,
        deadline: now() + bounds.queueTimeoutMs + distanceMs(),
        start: resolve,
        reject,
      })
      armTimer()
    })

  return {
    run: async (key, work) => {
      const known = queue.find(key)
      if (!canRun(known) && !hasRoom(known)) throw recordShed()
      const client = queue.findOrAdd(key)
      if (canRun(known)) start(client)
      else await waitInQueue(client)
      try {
        return await work()
      } finally {
        end(client)
      }
    },
    isSaturated: (key) => {
      const client = queue.find(key)
      return !canRun(client) && !hasRoom(client)
    },
    get running() {
      return running
    },
    get queued() {
      return queue.size
    },
    get clients() {
      return queue.clients
    },
    get shed() {
      return shed
    },
    recordShed,
  }
}
