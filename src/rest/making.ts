import { MAKING } from '../limits.ts'
import { API_PATH } from './base.ts'
import { type ConcurrencyLimit, makeConcurrencyLimit } from './concurrency-limit.ts'
import type { AnyRoute, Kind } from './route.ts'

/** How many answers of each kind are made at a time. */
export interface Making {
  limits: Readonly<Record<Kind, ConcurrencyLimit>>
  /** The limit that a request will meet, as far as its address shows before it is routed. */
  at(url: string): ConcurrencyLimit
}

export const makeMaking = (routes: readonly AnyRoute[], bounds = MAKING): Making => {
  const limits = { page: makeConcurrencyLimit(bounds.page), search: makeConcurrencyLimit(bounds.search) }
  const searches = routes.filter(({ kind }) => kind === 'search').map(({ path }) => API_PATH + path)
  return {
    limits,
    at: (url) => limits[searches.some((path) => url.startsWith(path)) ? 'search' : 'page'],
  }
}
