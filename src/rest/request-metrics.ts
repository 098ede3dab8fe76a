import { LATENCY_BUCKETS_MS } from '../limits.ts'

/** Counts of the responses of one route. They are plain numbers, so that to count one takes a fraction of a microsecond. */
export interface RouteCounts {
  /** Name of the route, or of another group of requests. Never a URL. */
  readonly route: string
  /** Responses by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Responses by duration, in the buckets of `LATENCY_BUCKETS_MS`. The last bucket counts all longer ones. */
  readonly buckets: readonly number[]
  readonly sumMs: number
}

/** Counts a response. @param ms time from the arrival of the request until its response is handed to the connection */
type CountResponse = (status: number, ms: number) => void

export interface RequestMetrics {
  /** Returns the same function for the same name. */
  counterOf(route: string): CountResponse
  routes(): Iterable<RouteCounts>
}

export const makeRequestMetrics = (): RequestMetrics => {
  const counters = new Map<string, { counts: RouteCounts; count: CountResponse }>()
  return {
    counterOf: (route) => {
      const known = counters.get(route)
      if (known) return known.count
      const counter = makeCounter(route)
      counters.set(route, counter)
      return counter.count
    },
    routes: () => [...counters.values()].map(({ counts }) => counts),
  }
}

const makeCounter = (route: string) => {
  const statuses = new Map<number, number>()
  const buckets: number[] = new Array(LATENCY_BUCKETS_MS.length + 1).fill(0)
  const counts = { route, statuses, buckets, sumMs: 0 }
  const count: CountResponse = (status, ms) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    counts.sumMs += ms
    let bucket = 0
    while (bucket < LATENCY_BUCKETS_MS.length && ms > LATENCY_BUCKETS_MS[bucket]!) bucket += 1
    buckets[bucket]! += 1
  }
  return { counts, count }
}
