import { runAutocannon } from './autocannon.ts'
import { tools } from './machine.ts'
import { runWrk } from './wrk.ts'

export interface LoadRequest {
  /** GET unless said. */
  method?: 'GET' | 'POST'
  path: string
  /** Of the page that is asked for, for peers that know pages by their titles. */
  title?: string
  headers?: Record<string, string>
  body?: string
}

/** Requests in turn, over and over, on so many connections for so long. */
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
  /** Answers of 400 and above. */
  refused: number
  /** Requests without an answer. */
  failed: number
}

export const runLoad = (load: Load): Promise<LoadResult> => (tools.wrk ? runWrk(load) : runAutocannon(load))
