import { MAKING, ROUND_TRIPS } from '../limits.ts'
import { type ConcurrencyLimit, makeConcurrencyLimit } from './concurrency-limit.ts'
import { readTarget, routePattern } from './request.ts'
import type { AnyRoute, Kind } from './route.ts'

/** How many answers of each kind are made at a time. */
export interface Making {
  of(kind: Kind): ConcurrencyLimit
  /** The limit that a request will meet, found before it is routed. @param url path and query */
  at(url: string): ConcurrencyLimit
  kinds(): { kind: string; running: number; waiting: number; refused: number }[]
}

/**
 * @param knowsClients whether clients are told apart: where they are not, all of them are one that has no bound of its own
 * @param roundTripMs how far away the database is, milliseconds
 */
export const makeMaking = (
  routes: readonly AnyRoute[],
  knowsClients: boolean,
  roundTripMs = () => 0,
): Making => {
  // Distance is no overload: it is waited for on top of what answers may wait. (D41)
  const distance = () => ROUND_TRIPS * roundTripMs()
  const limitOf = (kind: Kind): ConcurrencyLimit => {
    const { runningOfClient, ...bounds } = MAKING[kind]
    const ofClient = knowsClients ? runningOfClient : bounds.running
    return makeConcurrencyLimit({ ...bounds, runningOfClient: ofClient }, undefined, undefined, distance)
  }
  const limits: Record<Kind, ConcurrencyLimit> = {
    page: limitOf('page'),
    list: limitOf('list'),
    search: limitOf('search'),
  }
  const patterns = routes.map((route) => ({
    pattern: routePattern(route, { groups: false }),
    limit: limits[kindOf(route)],
  }))
  return {
    of: (kind) => limits[kind],
    at: (url) => {
      const { path } = readTarget(url)
      return patterns.find(({ pattern }) => pattern.test(path))?.limit ?? limits.page
    },
    kinds: () =>
      Object.entries(limits).map(([kind, { running, waiting, refused }]) => ({
        kind,
        running,
        waiting,
        refused,
      })),
  }
}

/** What an answer competes with for being made. */
export const kindOf = ({ name, pagedBy }: AnyRoute): Kind => {
  if (name === 'search') return 'search'
  return pagedBy ? 'list' : 'page'
}
