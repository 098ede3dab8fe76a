import { LATENCY_BUCKETS_MS } from '../../limits/service.ts'
import { getOrAdd } from '../../shared/memoize.ts'

/** Counts of the responses of one route. They are plain numbers, so that to count one takes a fraction of a microsecond. */
export type RouteCounts = Readonly<ReturnType<typeof newCounts>>

export type RequestMetrics = ReturnType<typeof makeRequestMetrics>

export const makeRequestMetrics = () => {
  const routes = new Map<string, ReturnType<typeof newCounts>>()
  const countsOf = (route: string) => getOrAdd(routes, route, newCounts)
  return {
    /** Counts a response. @param ms time from the arrival of the request until its response is handed to the connection */
    countResponse: (route: string, status: number, ms: number): void => {
      const counts = countsOf(route)
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
      counts.sumMs += ms
      const bucket = LATENCY_BUCKETS_MS.findIndex((bound) => ms <= bound)
      counts.buckets[bucket < 0 ? LATENCY_BUCKETS_MS.length : bucket]! += 1
    },
    /** Counts a request with a parameter that its route does not have. */
    countUnknownParameters: (route: string): void => {
      countsOf(route).unknownParameters += 1
    },
    routes: (): Iterable<RouteCounts> => routes.values(),
  }
}

/** @param route name of the route, or of another group of requests; never a URL */
const newCounts = (route: string) => ({
  route,
  statuses: new Map<number, number>(),
  /** Responses by duration, in the buckets of `LATENCY_BUCKETS_MS`. The last bucket counts all longer ones. */
  buckets: new Array<number>(LATENCY_BUCKETS_MS.length + 1).fill(0),
  sumMs: 0,
  unknownParameters: 0,
})
