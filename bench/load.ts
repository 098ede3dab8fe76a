import { runAutocannon } from './autocannon.ts'
import { tools } from './machine.ts'
import { runWrk } from './wrk.ts'

export interface LoadRequest {
  /** Default: GET. */
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
  /** The part of a response body that all servers must share. Absent: the whole body. */
  comparableBody?: (body: unknown) => unknown
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

/** Runs a load that begins at a random place of its list: in a short load, a slow server would only meet the beginning. */
export const runLoad = (load: Load): Promise<LoadResult> => {
  const start = Math.floor(Math.random() * load.requests.length)
  const requests = [...load.requests.slice(start), ...load.requests.slice(0, start)]
  return tools.wrk ? runWrk({ ...load, requests }) : runAutocannon({ ...load, requests })
}
