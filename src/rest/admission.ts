import { ADMISSION_LIMITS, ROUND_TRIPS_MAX } from '../limits.ts'
import { type ConcurrencyLimit, makeConcurrencyLimit } from './concurrency-limit.ts'
import type { RequestClass } from './route.ts'

/** The requests of one class: how many run and wait now, and how many were shed since the start. */
export interface AdmissionCounts {
  requestClass: RequestClass
  running: number
  queued: number
  shed: number
}

/** Bounds how many requests of each class run at a time, and sheds the load beyond that. (D41, D76) */
export interface AdmissionControl {
  limitOf(requestClass: RequestClass): ConcurrencyLimit
  counts(): AdmissionCounts[]
}

/**
 * @param knowsClients whether the rate limit distinguishes clients; without that, all requests count as those of one
 * client, whose bound then is the bound of the class
 * @param roundTripMs round trip to the database, milliseconds
 */
export const makeAdmissionControl = (knowsClients: boolean, roundTripMs = () => 0): AdmissionControl => {
  // A distant database is not an overload, so its round trips are added to the time limits of requests. (D41)
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
    diff: makeLimit('diff'),
    bulk: makeLimit('bulk'),
    agent: makeLimit('agent'),
  }
  return {
    limitOf: (requestClass) => limits[requestClass],
    counts: () =>
      (Object.keys(limits) as RequestClass[]).map((requestClass) => {
        const { running, queued, shed } = limits[requestClass]
        return { requestClass, running, queued, shed }
      }),
  }
}
