import { Overloaded } from '../errors.ts'

/** Bounds of the answers that are being made at a time. */
export interface ConcurrencyBounds {
  /** How many are made at a time, and how many of them for one client. */
  running: number
  runningOfClient: number
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

/** Lets as many answers be made as can be made in time, and refuses the rest at once. (D41, D76) */
export interface ConcurrencyLimit {
  /**
   * @param client who asks; those who wait are served client by client, whoever asks for most
   * @throws Overloaded when more wait already than will be begun in time, or it waited for too long; then
   * `work` was not begun
   */
  run<Result>(client: string, work: () => Promise<Result>): Promise<Result>
  /** Whether one more of a client would be refused. */
  isFull(client: string): boolean
  readonly running: number
  readonly waiting: number
  /** Those who wait or have answers made. */
  readonly clients: number
  /** How many were refused since the start. */
  readonly refused: number
  /** Counts one that is refused before anything is done for it. @returns what its client is told */
  refuse(): Overloaded
}

interface Waiting {
  start(): void
  refuse(error: Overloaded): void
  until: number
  client: Client
}

/** One who has answers made, or waits for them. */
interface Client {
  key: string
  running: number
  /** In the order of their arrival. */
  queue: Waiting[]
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
  const queue = new Set<Waiting>()
  /** Clients of whom one that waits may run, the next first: each is put last when it had its turn. */
  const ready = new Set<Client>()
  /** How many clients have more than so many waiting: at 0 all who wait, at 1 those with two and more. */
  const having: number[] = []
  const counts = { running: 0, refused: 0 }
  /** Milliseconds between two that end while others wait, and when that was measured. */
  let pace = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  /** Since when others wait, and how many ended since. */
  let since: number | undefined
  let ended = 0
  let timer: NodeJS.Timeout | undefined

  const clientOf = (key: string): Client => {
    const known = clients.get(key)
    if (known) return known
    const client = { key, running: 0, queue: [] }
    clients.set(key, client)
    return client
  }
  const forgetIdle = (client: Client): void => {
    if (client.running === 0 && client.queue.length === 0) clients.delete(client.key)
  }
  const enqueue = (waiting: Waiting): void => {
    const { client } = waiting
    having[client.queue.length] = (having[client.queue.length] ?? 0) + 1
    client.queue.push(waiting)
    queue.add(waiting)
    if (client.running < bounds.runningOfClient) ready.add(client)
  }
  /** The first of a client's own queue. */
  const dequeue = (client: Client): Waiting => {
    const waiting = client.queue.shift()!
    having[client.queue.length]! -= 1
    queue.delete(waiting)
    if (client.queue.length === 0) ready.delete(client)
    return waiting
  }

  const refuse = (): Overloaded => {
    counts.refused += 1
    return REFUSALS[Math.floor(random() * REFUSALS.length)]!
  }
  const refuseLate = () => {
    timer = undefined
    const late = now()
    for (const { until, client } of queue) {
      if (until > late) break
      dequeue(client).refuse(refuse())
      forgetIdle(client)
    }
    watchFirst()
  }
  const watchFirst = () => {
    const [first] = queue
    if (first !== undefined)
      timer ??= setTimeout(refuseLate, Math.max(1, Math.ceil(first.until - now()))).unref()
  }
  /** Whether one more of a client would be made in time: before it come at most as many of each other one, and one. */
  const hasRoom = (client: Client | undefined): boolean => {
    if (queue.size >= bounds.waiting) return false
    if (now() - measuredAt > PACE.keptMs) return true
    const totalMs = bounds.totalMs + distanceMs()
    let before = counts.running
    for (let n = 0; n <= (client?.queue.length ?? 0) && before * pace < totalMs; n++) before += having[n] ?? 0
    return before * pace < totalMs
  }
  const mayRun = (client: Client | undefined): boolean =>
    counts.running < bounds.running && (client?.running ?? 0) < bounds.runningOfClient
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
  const begin = (client: Client): void => {
    counts.running += 1
    client.running += 1
    ready.delete(client)
    if (client.queue.length > 0 && client.running < bounds.runningOfClient) ready.add(client)
  }
  const release = (client: Client): void => {
    counts.running -= 1
    client.running -= 1
    measure()
    if (client.queue.length > 0) ready.add(client)
    else forgetIdle(client)
    const [next] = ready
    if (next === undefined) return
    const waiting = dequeue(next)
    if (queue.size === 0) {
      clearTimeout(timer)
      timer = undefined
    }
    begin(next)
    waiting.start()
  }
  const turn = (client: Client) =>
    new Promise<void>((resolve, reject) => {
      enqueue({ start: resolve, refuse: reject, until: now() + bounds.waitMs + distanceMs(), client })
      watchFirst()
    })

  return {
    run: async (key, work) => {
      const known = clients.get(key)
      if (!mayRun(known) && !hasRoom(known)) throw refuse()
      const client = clientOf(key)
      if (mayRun(known)) begin(client)
      else await turn(client)
      try {
        return await work()
      } finally {
        release(client)
      }
    },
    isFull: (key) => {
      const client = clients.get(key)
      return !mayRun(client) && !hasRoom(client)
    },
    get running() {
      return counts.running
    },
    get waiting() {
      return queue.size
    },
    get clients() {
      return clients.size
    },
    get refused() {
      return counts.refused
    },
    refuse,
  }
}
