import { ADMISSION_LIMITS } from '../../limits/service.ts'
import type { RequestClass } from '../route.ts'
import { type ConcurrencyLimit, makeConcurrencyLimit } from './concurrency-limit.ts'

/** The requests of one class: how many run and wait now, and how many were shed since the start. */
export type AdmissionCounts = ReturnType<AdmissionControl['counts']>[number]

export type AdmissionControl = ReturnType<typeof makeAdmissionControl>

/**
 * Bounds how many requests of each class run at a time, and sheds the load beyond that. (D41)
 * @param knowsClients whether the rate limit distinguishes clients; without that, all requests count as those of one
 * client, whose bound then is the bound of the class
 * @param roundTripMs round trip to the database, milliseconds
 */
export const makeAdmissionControl = (knowsClients: boolean, roundTripMs = () => 0) => {
  const makeLimit = (requestClass: RequestClass): ConcurrencyLimit => {
    const { runningPerClient, ...bounds } = ADMISSION_LIMITS[requestClass]
    const perClient = knowsClients ? runningPerClient : bounds.running
    return makeConcurrencyLimit({ ...bounds, runningPerClient: perClient }, undefined, undefined, roundTripMs)
  }
  const classes = Object.keys(ADMISSION_LIMITS) as RequestClass[]
  const limits = new Map(classes.map((requestClass) => [requestClass, makeLimit(requestClass)]))
  return {
    limitOf: (requestClass: RequestClass): ConcurrencyLimit => limits.get(requestClass)!,
    counts: () =>
      [...limits].map(([requestClass, { running, queued, shed }]) => {
        return { requestClass, running, queued, shed }
      }),
  }
}
