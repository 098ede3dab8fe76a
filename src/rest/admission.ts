import { ADMISSION_LIMITS, ROUND_TRIPS_MAX } from '../limits.ts'
import { type ConcurrencyLimit, makeConcurrencyLimit } from './concurrency-limit.ts'
import { readTarget, routePattern } from './request.ts'
import type { AnyRoute, RequestClass } from './route.ts'

/** What one request class does at this moment, and how many requests it has shed since the start. */
export interface AdmissionCounts {
  requestClass: RequestClass
  running: number
  queued: number
  shed: number
}

/** Bounds how many requests of each class run at a time, and sheds the load beyond that. (D41, D76) */
export interface AdmissionControl {
  limitOf(requestClass: RequestClass): ConcurrencyLimit
  /** The limit that a request meets, found before the request is routed. @param url path and query */
  limitFor(url: string): ConcurrencyLimit
  counts(): AdmissionCounts[]
}

/**
 * @param knowsClients whether the rate limit tells clients apart; where it does not, all share one client's bound,
 * which then is the bound of all
 * @param roundTripMs round trip to the database, milliseconds
 */
export const makeAdmissionControl = (
  routes: readonly AnyRoute[],
  knowsClients: boolean,
  roundTripMs = () => 0,
): AdmissionControl => {
  // A distant database is no overload: its round trips are added to the time that a request may take. (D41)
  const distanceMs = () => ROUND_TRIPS_MAX * roundTripMs()
  const makeLimit = (requestClass: RequestClass): ConcurrencyLimit => {
    const { runningPerClient, ...bounds } = ADMISSION_LIMITS[requestClass]
    const perClient = knowsClients ? runningPerClient : bounds.running
    return makeConcurrencyLimit({ ...bounds, runningPerClient: perClient }, undefined, undefined, distanceMs)
  }
  const limits: Record<RequestClass, ConcurrencyLimit> = {
    page: makeLimit('page'),
    list: makeLimit('list'),
    search: makeLimit('search'),
  }
  const patterns = routes.map((route) => ({
    pattern: routePattern(route, { groups: false }),
    limit: limits[route.requestClass],
  }))
  return {
    limitOf: (requestClass) => limits[requestClass],
    limitFor: (url) => {
      const { path } = readTarget(url)
      return patterns.find(({ pattern }) => pattern.test(path))?.limit ?? limits.page
    },
    counts: () =>
      (Object.keys(limits) as RequestClass[]).map((requestClass) => {
        const { running, queued, shed } = limits[requestClass]
        return { requestClass, running, queued, shed }
      }),
  }
}
