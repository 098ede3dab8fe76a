import { LRUCache } from 'lru-cache'
import { RATE_LIMIT_CLIENTS_MAX } from '../limits.ts'
import type { Consume, Consumption } from './fixed-window.ts'

/** Requests of a client that the store counts in one step. */
export interface Lease {
  client: string
  requests: number
}

interface QuotaLeaseOptions {
  /** Requests per window. */
  limit: number
  /** Has the store count; one result for each lease. Called once per turn of the event loop. Never rejects. */
  lease: (leases: Lease[]) => Promise<Consumption>[]
  now?: () => number
}

interface QuotaLeases {
  consume: Consume
  /** Drops all windows: the next request of each client queries the store. */
  clear(): void
}

/** A lease takes this part of what a client has left: with a limit of 600, the first lease takes 10. (D47) */
const LEASE_DIVISOR = 60

/** Two ends that are closer than this belong to one window: windows of a store are a minute apart, milliseconds. */
const SAME_WINDOW_MS = 1_000

/** What this process knows about a client's window in the store. */
interface LeasedWindow {
  client: string
  /** Requests that the store has counted already, and that the client has not made yet. */
  leased: number
  /** Requests that the store had left when it last replied. */
  remaining: number
  /**
   * The window ends between these two times, by this process's clock: when the query was sent, and when the reply
   * arrived, each plus what was left of the window. A lease and a refusal are valid until the first, so that neither
   * outlives the window. The response contains the second, so that no other process refuses the client after the wait.
   */
  end: number
  announcedEnd: number
  /** Queries without a reply. Only one of them takes a lease. The others are for the requests that wait. */
  pendingLeases: number
  /** Requests of this turn of the event loop. The next query is for them. */
  waiting: ((consumption: Consumption) => void)[]
}

/**
 * - `unknown`: the store has not been queried, or the window has ended. A request queries the store.
 * - `leased`: requests are leased. A request takes one of them.
 * - `spent`: nothing is leased, and the store has requests left. A request queries the store.
 * - `exhausted`: the store has none left. A request is refused.
 *
 * A reply of the store leads from `unknown` and `spent` to `leased`, `spent` or `exhausted`; the last leased request
 * leads from `leased` to `spent` or `exhausted`; the end of the window leads from every state to `unknown`.
 */
type WindowState = 'unknown' | 'leased' | 'spent' | 'exhausted'

const stateOf = ({ end, leased, remaining }: LeasedWindow, at: number): WindowState => {
  if (end <= at) return 'unknown'
  if (leased > 0) return 'leased'
  return remaining > 0 ? 'spent' : 'exhausted'
}

/**
 * Counts in a store that several processes share. A process leases several requests at a time, and counts most
 * requests by itself, by subtraction. It never grants more than the store has. Other processes can hold leases that
 * the client needs here: with p processes, up to (p - 1) leases of a limit can stay unused. Limits up to 60 are exact.
 *
 * No request waits for more than one reply of the store. A client over its limit is refused here until its window
 * ends.
 */
export const makeQuotaLeases = ({
  limit,
  lease,
  now = () => performance.now(),
}: QuotaLeaseOptions): QuotaLeases => {
  const windows = new LRUCache<string, LeasedWindow>({ max: RATE_LIMIT_CLIENTS_MAX })
  /** Windows that have waiting requests. The next queries are for them. */
  let pendingWindows: LeasedWindow[] = []

  const windowOf = (client: string): LeasedWindow => {
    const known = windows.get(client)
    if (known) return known
    const window = newWindow(client, limit)
    windows.set(client, window)
    return window
  }
  const flush = (): void => {
    const queriedAt = now()
    const queries = pendingWindows.map(takeQuery)
    pendingWindows = []
    const replies = lease(queries.map(({ window, requests }) => ({ client: window.client, requests })))
    queries.forEach((query, i) => {
      void replies[i]!.then((reply) => {
        query.window.pendingLeases -= 1
        settle(query, reply, { limit, queriedAt, repliedAt: now() })
      })
    })
  }
  const queryStore = (window: LeasedWindow): Promise<Consumption> =>
    new Promise((resolve) => {
      if (window.waiting.push(resolve) > 1) return
      if (pendingWindows.push(window) === 1) setImmediate(flush)
    })

  return {
    consume: (client) => {
      const at = now()
      const window = windowOf(client)
      switch (stateOf(window, at)) {
        case 'leased':
          window.leased -= 1
          return { requests: limit - window.remaining - window.leased, msLeft: window.announcedEnd - at }
        case 'exhausted':
          return { requests: limit + 1, msLeft: window.announcedEnd - at }
        default:
          return queryStore(window)
      }
    },
    clear: () => windows.clear(),
  }
}

const newWindow = (client: string, limit: number): LeasedWindow => ({
  client,
  leased: 0,
  remaining: limit,
  end: Number.NEGATIVE_INFINITY,
  announcedEnd: 0,
  pendingLeases: 0,
  waiting: [],
})

/** One query to the store: for the requests that wait, and for a lease. */
interface StoreQuery {
  window: LeasedWindow
  waiting: LeasedWindow['waiting']
  requests: number
}

const takeQuery = (window: LeasedWindow): StoreQuery => {
  const { remaining, waiting } = window
  const size = window.pendingLeases === 0 ? Math.max(1, Math.ceil(remaining / LEASE_DIVISOR)) : 1
  window.waiting = []
  window.pendingLeases += 1
  return { window, waiting, requests: waiting.length - 1 + size }
}

/** Grants the requests of a reply to those that wait, and stores the surplus as a lease. */
const settle = (
  { window, waiting, requests }: StoreQuery,
  reply: Consumption,
  times: { limit: number; queriedAt: number; repliedAt: number },
): void => {
  const { limit } = times
  const granted = Math.max(0, Math.min(requests, limit - (reply.requests - requests)))
  const surplus = Math.max(0, granted - waiting.length)
  updateWindow(window, reply, surplus, times)
  const rest = Math.max(0, limit - reply.requests) + surplus
  const admitted = Math.min(waiting.length, granted)
  waiting.forEach((resolve, i) => {
    const counted = i < admitted ? limit - rest - (admitted - 1 - i) : limit + 1
    resolve({ requests: counted, msLeft: reply.msLeft })
  })
}

/** A late reply about an earlier window makes this window `unknown`, so that the next request queries the store. */
const updateWindow = (
  window: LeasedWindow,
  { requests, msLeft }: Consumption,
  surplus: number,
  { limit, queriedAt, repliedAt }: { limit: number; queriedAt: number; repliedAt: number },
): void => {
  const remaining = Math.max(0, limit - requests)
  const end = queriedAt + msLeft
  const announcedEnd = repliedAt + msLeft
  if (end > window.end + SAME_WINDOW_MS) {
    window.leased = surplus
    window.remaining = remaining
    window.end = end
    window.announcedEnd = announcedEnd
  } else {
    window.leased += surplus
    window.remaining = Math.min(window.remaining, remaining)
    window.end = Math.min(window.end, end)
    window.announcedEnd = Math.max(window.announcedEnd, announcedEnd)
  }
}
