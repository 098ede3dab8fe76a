import { Overloaded } from '@lectern/wiki/errors'
import { ADMISSION_LIMITS, FAR_DATABASE_MS, ROUND_TRIPS_MAX } from '../../limits/service.ts'
import { getOrAdd } from '../../shared/memoize.ts'
import type { RequestClass } from '../route.ts'

/** With different delays, because clients that are refused together would otherwise return together. */
const OVERLOAD_ERRORS = [1, 2, 3].map((seconds) => new Overloaded(seconds))

export type ConcurrencyLimit = ReturnType<typeof makeConcurrencyLimit>

/**
 * Runs as many requests as it can finish in time, and sheds the rest at once. (D41)
 * States of a request: queued → running, when its client's turn comes; queued → shed, at its deadline. A new request
 * runs at once where the bounds allow it, is queued where it would finish in time, and is shed otherwise.
 *
 * Long: its functions share the counts and the one timer of the queue.
 * @param bounds of a class, as `ADMISSION_LIMITS` describes them
 * @param roundTripMs round trip to the database, milliseconds. A distant database is not an overload, so the round trips of a
 * request are added to the time limits (D41)
 */
export const makeConcurrencyLimit = (
  bounds: Readonly<Record<keyof (typeof ADMISSION_LIMITS)['list'], number>> & { far?: number },
  now = () => performance.now(),
  roundTripMs = () => 0,
) => {
  const distanceMs = () => ROUND_TRIPS_MAX * roundTripMs()
  const times = () => (bounds.far !== undefined && roundTripMs() >= FAR_DATABASE_MS ? bounds.far : 1)
  const runningMax = () => times() * bounds.running
  const runningPerClient = () => times() * bounds.runningPerClient
  const queue = new FairQueue(runningPerClient)
  const drainRate = makeDrainRate(now)
  let running = 0
  let shed = 0
  /** Runs while requests wait. */
  let timer: NodeJS.Timeout | undefined

  /** Counts a request that the caller sheds itself. @returns the error for its client */
  const recordShed = (): Overloaded => {
    shed += 1
    return OVERLOAD_ERRORS[Math.floor(Math.random() * OVERLOAD_ERRORS.length)]!
  }
  const shedExpired = () => {
    timer = undefined
    const at = now()
    for (let expired = queue.takeExpired(at); expired; expired = queue.takeExpired(at))
      expired.reject(recordShed())
    armTimer()
  }
  const armTimer = () => {
    const [first] = queue.requests
    if (first) timer ??= setTimeout(shedExpired, Math.max(1, Math.ceil(first.deadline - now()))).unref()
  }
  const canRun = (client: QueueClient | undefined): boolean =>
    running < runningMax() && (client?.running ?? 0) < runningPerClient()
  /**
   * Whether one more request of a client would finish in time. The running requests come before it, and from each
   * client as many queued requests as this client has in the queue, plus one.
   */
  const hasRoom = (client: QueueClient | undefined): boolean => {
    if (queue.requests.size >= bounds.queued) return false
    const msPerRequest = drainRate.msPerRequest()
    if (msPerRequest === undefined) return true
    const latencyMs = bounds.latencyMs + distanceMs()
    const own = client?.queued.length ?? 0
    let before = running
    for (let n = 0; n <= own && before * msPerRequest < latencyMs; n++) before += queue.clientsAbove(n)
    return before * msPerRequest < latencyMs
  }
  const isSaturated = (key: string): boolean => {
    const client = queue.clients.get(key)
    return !canRun(client) && !hasRoom(client)
  }
  const start = (client: QueueClient): void => {
    running += 1
    queue.start(client)
  }
  const end = (client: QueueClient): void => {
    running -= 1
    drainRate.recordEnd(queue.requests.size > 0)
    queue.end(client)
    // Usually one. More or none if the distance of the database has changed.
    while (running < runningMax()) {
      const next = queue.takeNext()
      if (next === undefined) return
      if (queue.requests.size === 0) {
        clearTimeout(timer)
        timer = undefined
      }
      start(next.client)
      next.start()
    }
  }
  const waitInQueue = (client: QueueClient) =>
    new Promise<void>((resolve, reject) => {
      const deadline = now() + bounds.queueTimeoutMs + distanceMs()
      queue.add({ client, deadline, start: resolve, reject })
      armTimer()
    })

  return {
    /**
     * @param key of the client; waiting clients take turns, however many requests each of them has
     * @throws Overloaded when the request is shed; then `work` has not started
     */
    run: async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
      if (isSaturated(key)) throw recordShed()
      const client = getOrAdd(queue.clients, key, () => ({ key, running: 0, queued: [] }))
      if (canRun(client)) start(client)
      else await waitInQueue(client)
      try {
        return await work()
      } finally {
        end(client)
      }
    },
    /** Whether one more request of the client would be shed. */
    isSaturated,
    /** How many requests run and wait now, and how many were shed since the start. */
    counts: () => ({ running, queued: queue.requests.size, shed }),
    recordShed,
  }
}

/** A client that has running or queued requests. */
interface QueueClient {
  readonly key: string
  running: number
  /** In the order of arrival. */
  readonly queued: QueuedRequest[]
}

interface QueuedRequest {
  readonly client: QueueClient
  /** When the request is shed if it has not started, by the clock of the caller. */
  readonly deadline: number
  start(): void
  reject(error: Overloaded): void
}

/** A queue from which clients take turns, so that a client with a long queue delays nobody else. (D41) */
class FairQueue {
  readonly clients = new Map<string, QueueClient>()
  /** Requests of all clients, in the order of arrival and of deadlines. */
  readonly requests = new Set<QueuedRequest>()
  /** Clients with a queued request that may run. The next is first; a client whose request starts goes to the end. */
  readonly #ready = new Set<QueueClient>()
  /** How many clients have more queued requests than the index. */
  readonly #clientsAbove: number[] = []
  readonly #runningPerClient: () => number

  /** @param runningPerClient how many requests of one client run at a time, now */
  constructor(runningPerClient: () => number) {
    this.#runningPerClient = runningPerClient
  }

  /** @param request its deadline must not be earlier than that of the request before */
  add(request: QueuedRequest): void {
    const { client } = request
    this.#clientsAbove[client.queued.length] = this.clientsAbove(client.queued.length) + 1
    client.queued.push(request)
    this.requests.add(request)
    if (client.running < this.#runningPerClient()) this.#ready.add(client)
  }

  /** Counts one more running request of a client. */
  start(client: QueueClient): void {
    client.running += 1
    this.#ready.delete(client)
    if (client.queued.length > 0 && client.running < this.#runningPerClient()) this.#ready.add(client)
  }

  /** Counts one running request of a client less. */
  end(client: QueueClient): void {
    client.running -= 1
    if (client.queued.length === 0) this.#dropIdle(client)
    else if (client.running < this.#runningPerClient()) this.#ready.add(client)
  }

  /** Removes and returns the first request of the next client. */
  takeNext(): QueuedRequest | undefined {
    const [client] = this.#ready
    return client && this.#take(client)
  }

  /** Removes and returns the first request if its deadline is not later than `at`. */
  takeExpired(at: number): QueuedRequest | undefined {
    const [first] = this.requests
    if (first === undefined || first.deadline > at) return undefined
    this.#take(first.client)
    this.#dropIdle(first.client)
    return first
  }

  /** How many clients have more than `count` queued requests. */
  clientsAbove(count: number): number {
    return this.#clientsAbove[count] ?? 0
  }

  #take(client: QueueClient): QueuedRequest {
    const request = client.queued.shift()!
    this.#clientsAbove[client.queued.length]! -= 1
    this.requests.delete(request)
    if (client.queued.length === 0) this.#ready.delete(client)
    return request
  }

  #dropIdle(client: QueueClient): void {
    if (client.running === 0 && client.queued.length === 0) this.clients.delete(client.key)
  }
}

/**
 * The rate is measured over this time, because responses that were read in one batch end together. It is valid for
 * `validMs` without a new measurement. Milliseconds.
 */
const DRAIN_RATE = { windowMs: 100, validMs: 1_000 } as const

/**
 * How fast a limit works through its queue.
 * States: idle → measuring, at the first end of a request while others wait; measuring → measuring, with a result
 * every `windowMs`; measuring → idle, when the queue is empty.
 */
const makeDrainRate = (now: () => number) => {
  let latest = { msPerRequest: 0, at: Number.NEGATIVE_INFINITY }
  let state: 'idle' | { measuringSince: number; ended: number } = 'idle'
  return {
    /** Milliseconds between two requests that end while others wait; undefined without a recent measurement. */
    msPerRequest: () => (now() - latest.at > DRAIN_RATE.validMs ? undefined : latest.msPerRequest),
    recordEnd: (hasQueue: boolean) => {
      if (!hasQueue) {
        state = 'idle'
        return
      }
      const at = now()
      if (state === 'idle') {
        state = { measuringSince: at, ended: 0 }
        return
      }
      state.ended += 1
      const elapsedMs = at - state.measuringSince
      if (elapsedMs < DRAIN_RATE.windowMs) return
      latest = { msPerRequest: elapsedMs / state.ended, at }
      state = { measuringSince: at, ended: 0 }
    },
  }
}

/** Those of a `ConcurrencyLimit`, and its class. */
export type AdmissionCounts = ReturnType<AdmissionControl['counts']>[number]

export type AdmissionControl = ReturnType<typeof makeAdmissionControl>

/**
 * Bounds how many requests of each class run at a time, and sheds the load beyond that. (D41)
 * @param knowsClients whether the rate limit distinguishes clients; without that, all requests count as those of one
 * client, whose bound then is the bound of the class
 * @param roundTripMs round trip to the database, milliseconds
 */
export const makeAdmissionControl = (knowsClients: boolean, roundTripMs = () => 0) => {
  const limits = new Map<RequestClass, ConcurrencyLimit>()
  for (const [requestClass, bounds] of Object.entries(ADMISSION_LIMITS)) {
    const runningPerClient = knowsClients ? bounds.runningPerClient : bounds.running
    const limit = makeConcurrencyLimit({ ...bounds, runningPerClient }, undefined, roundTripMs)
    limits.set(requestClass as RequestClass, limit)
  }
  return {
    limitOf: (requestClass: RequestClass): ConcurrencyLimit => limits.get(requestClass)!,
    counts: () => [...limits].map(([requestClass, limit]) => ({ requestClass, ...limit.counts() })),
  }
}
