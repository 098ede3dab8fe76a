import { LATENCY_BUCKETS_MS } from '../limits.ts'

/** What was answered to the requests of one route, in plain numbers: counting one takes a fraction of a microsecond. */
export interface RouteCounts {
  /** Name of the route, or what else the requests have in common; never an address. */
  readonly route: string
  /** How many, by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** How many took up to so long, by `LATENCY_BUCKETS_MS`; the last counts those that took longer than any. */
  readonly buckets: readonly number[]
  readonly sumMs: number
}

/** Counts an answer. @param ms from the request's arrival until its answer was handed to the connection */
type CountResponse = (status: number, ms: number) => void

export interface RequestMetrics {
  /** The same for the same name. */
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
