import { runAutocannon } from './autocannon.ts'
import { tools } from './machine.ts'
import { runWrk } from './wrk.ts'

export interface LoadRequest {
  /** Default: GET. */
  method?: 'GET' | 'POST'
  path: string
  /** Title of the requested page, for peers that identify pages by title. */
  title?: string
  headers?: Record<string, string>
  body?: string
}

/** A list of requests, repeated on a number of connections for a number of seconds. */
export interface Load {
  origin: string
  requests: LoadRequest[]
  connections: number
  seconds: number
}

export interface LoadResult {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** Responses with a status of 400 or above. */
  httpErrors: number
  /** Requests that got no response. */
  networkErrors: number
}

export const runLoad = (load: Load): Promise<LoadResult> => (tools.wrk ? runWrk(load) : runAutocannon(load))
