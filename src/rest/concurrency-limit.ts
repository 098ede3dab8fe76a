import { Overloaded } from '../errors.ts'

/** Bounds of the answers that are being made at a time. */
interface ConcurrencyBounds {
  /** How many are made at a time, and how many of them for one client. */
  running: number
  runningPerClient: number
  /** How many wait to be made, and how long at most, milliseconds. */
  queued: number
  queueTimeoutMs: number
  /** How long waiting and being made may take by the pace of those before, milliseconds. */
  latencyMs: number
}

/** Not one second for all: those who were refused together would come again together. */
const OVERLOAD_ERRORS = [1, 2, 3].map((seconds) => new Overloaded(seconds))

/**
 * The pace is measured over so long, since answers that were read in one batch end together; and believed for so
 * long when nothing confirms it, milliseconds.
 */
const DRAIN_RATE = { overMs: 100, keptMs: 1_000 } as const

/** Lets as many answers be made as can be made in time, and refuses the rest at once. (D41, D76) */
export interface ConcurrencyLimit {
  /**
   * @param client who asks; those who wait are served client by client, whoever asks for most
   * @throws Overloaded when more wait already than will be begun in time, or it waited for too long; then
   * `work` was not begun
   */
  run<Result>(client: string, work: () => Promise<Result>): Promise<Result>
  /** Whether one more of a client would be refused. */
  isSaturated(client: string): boolean
  readonly running: number
  readonly queued: number
  /** Those who wait or have answers made. */
  readonly clients: number
  /** How many were refused since the start. */
  readonly shed: number
  /** Counts one that is refused before anything is done for it. @returns what its client is told */
  recordShed(): Overloaded
}

interface QueuedRequest {
  start(): void
  reject(error: Overloaded): void
  queueDeadline: number
  client: Client
}

/** One who has answers made, or waits for them. */
interface Client {
  key: string
  running: number
  /** In the order of their arrival. */
  queue: QueuedRequest[]
}

/** @param distanceMs what each answer takes longer because the database is far away, milliseconds */
export const makeConcurrencyLimit = (
  bounds: ConcurrencyBounds,
  now = () => performance.now(),
  random = Math.random,
  distanceMs = () => 0,
): ConcurrencyLimit => {
  const clients = new Map<string, Client>()
  /** Of all clients in the order of their arrival, which is that of their patience. */
  const queue = new Set<QueuedRequest>()
  /** Clients of whom one that waits may run, the next first: each is put last when it had its turn. */
  const ready = new Set<Client>()
  /** How many clients have more than so many waiting: at 0 all who wait, at 1 those with two and more. */
  const queuedAbove: number[] = []
  const counts = { running: 0, refused: 0 }
  /** Milliseconds between two that end while others wait, and when that was measured. */
  let drainMs = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  /** Since when others wait, and how many ended since. */
  let measuringSince: number | undefined
  let drained = 0
  let timer: NodeJS.Timeout | undefined

  const clientOf = (key: string): Client => {
    const known = clients.get(key)
    if (known) return known
    const client = { key, running: 0, queue: [] }
    clients.set(key, client)
    return client
  }
  const dropIdleClient = (client: Client): void => {
    if (client.running === 0 && client.queue.length === 0) clients.delete(client.key)
  }
  const enqueue = (waiting: QueuedRequest): void => {
    const { client } = waiting
    queuedAbove[client.queue.length] = (queuedAbove[client.queue.length] ?? 0) + 1
    client.queue.push(waiting)
    queue.add(waiting)
    if (client.running < bounds.runningPerClient) ready.add(client)
  }
  /** The first of a client's own queue. */
  const dequeue = (client: Client): QueuedRequest => {
    const waiting = client.queue.shift()!
    queuedAbove[client.queue.length]! -= 1
    queue.delete(waiting)
    if (client.queue.length === 0) ready.delete(client)
    return waiting
  }

  const recordShed = (): Overloaded => {
    counts.refused += 1
    return OVERLOAD_ERRORS[Math.floor(random() * OVERLOAD_ERRORS.length)]!
  }
  const shedExpired = () => {
    timer = undefined
    const late = now()
    for (const { queueDeadline, client } of queue) {
      if (queueDeadline > late) break
      dequeue(client).reject(recordShed())
      dropIdleClient(client)
    }
    armTimer()
  }
  const armTimer = () => {
    const [first] = queue
    if (first !== undefined)
      timer ??= setTimeout(shedExpired, Math.max(1, Math.ceil(first.queueDeadline - now()))).unref()
  }
  /** Whether one more of a client would be made in time: before it come at most as many of each other one, and one. */
  const hasRoom = (client: Client | undefined): boolean => {
    if (queue.size >= bounds.queued) return false
    if (now() - measuredAt > DRAIN_RATE.keptMs) return true
    const totalMs = bounds.latencyMs + distanceMs()
    let before = counts.running
    for (let n = 0; n <= (client?.queue.length ?? 0) && before * drainMs < totalMs; n++)
      before += queuedAbove[n] ?? 0
    return before * drainMs < totalMs
  }
  const canRun = (client: Client | undefined): boolean =>
    counts.running < bounds.running && (client?.running ?? 0) < bounds.runningPerClient
  const measureDrainRate = () => {
    if (queue.size === 0) {
      measuringSince = undefined
      return
    }
    const at = now()
    drained += 1
    if (measuringSince !== undefined && at - measuringSince < DRAIN_RATE.overMs) return
    if (measuringSince !== undefined) {
      drainMs = (at - measuringSince) / drained
      measuredAt = at
    }
    measuringSince = at
    drained = 0
  }
  const start = (client: Client): void => {
    counts.running += 1
    client.running += 1
    ready.delete(client)
    if (client.queue.length > 0 && client.running < bounds.runningPerClient) ready.add(client)
  }
  const release = (client: Client): void => {
    counts.running -= 1
    client.running -= 1
    measureDrainRate()
    if (client.queue.length > 0) ready.add(client)
    else dropIdleClient(client)
    const [next] = ready
    if (next === undefined) return
    const waiting = dequeue(next)
    if (queue.size === 0) {
      clearTimeout(timer)
      timer = undefined
    }
    start(next)
    waiting.start()
  }
  const waitInQueue = (client: Client) =>
    new Promise<void>((resolve, reject) => {
      enqueue({
        start: resolve,
        reject: reject,
        queueDeadline: now() + bounds.queueTimeoutMs + distanceMs(),
        client,
      })
      armTimer()
    })

  return {
    run: async (key, work) => {
      const known = clients.get(key)
      if (!canRun(known) && !hasRoom(known)) throw recordShed()
      const client = clientOf(key)
      if (canRun(known)) start(client)
      else await waitInQueue(client)
      try {
        return await work()
      } finally {
        release(client)
      }
    },
    isSaturated: (key) => {
      const client = clients.get(key)
      return !canRun(client) && !hasRoom(client)
    },
    get running() {
      return counts.running
    },
    get queued() {
      return queue.size
    },
    get clients() {
      return clients.size
    },
    get shed() {
      return counts.refused
    },
    recordShed,
  }
}
