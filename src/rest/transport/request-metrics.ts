import { LATENCY_BUCKETS_MS } from '../../limits/service.ts'

/** Counts of the responses of one route. They are plain numbers, so that to count one takes a fraction of a microsecond. */
export interface RouteCounts {
  /** Name of the route, or of another group of requests. Never a URL. */
  readonly route: string
  /** Responses by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Responses by duration, in the buckets of `LATENCY_BUCKETS_MS`. The last bucket counts all longer ones. */
  readonly buckets: readonly number[]
  readonly sumMs: number
  /** Requests with a parameter that the route does not have. */
  readonly unknownParameters: number
}

/** Counts a response. @param ms time from the arrival of the request until its response is handed to the connection */
type CountResponse = (status: number, ms: number) => void

export interface RequestMetrics {
  /** Returns the same function for the same name. */
  counterOf(route: string): CountResponse
  /** Counts a request with a parameter that its route does not have. */
  countUnknownParameters(route: string): void
  routes(): Iterable<RouteCounts>
}

export const makeRequestMetrics = (): RequestMetrics => {
  const counters = new Map<string, ReturnType<typeof makeCounter>>()
  const counter = (route: string) => {
    const known = counters.get(route)
    if (known) return known
    const added = makeCounter(route)
    counters.set(route, added)
    return added
  }
  return {
    counterOf: (route) => counter(route).count,
    countUnknownParameters: (route) => {
      counter(route).counts.unknownParameters += 1
    },
    routes: () => [...counters.values()].map(({ counts }) => counts),
  }
}

const makeCounter = (route: string) => {
  const statuses = new Map<number, number>()
  const buckets: number[] = new Array(LATENCY_BUCKETS_MS.length + 1).fill(0)
  const counts = { route, statuses, buckets, sumMs: 0, unknownParameters: 0 }
  const count: CountResponse = (status, ms) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    counts.sumMs += ms
    let bucket = 0
    while (bucket < LATENCY_BUCKETS_MS.length && ms > LATENCY_BUCKETS_MS[bucket]!) bucket += 1
    buckets[bucket]! += 1
  }
  return { counts, count }
}
