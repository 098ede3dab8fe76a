import { LRUCache } from 'lru-cache'
import { RATE_LIMIT_CLIENTS_MAX, RATE_WINDOW_MS } from '../limits/service.ts'

/** The state of a client's window, including the request that was just counted. */
export interface Consumption {
  requests: number
  /** Milliseconds until the window ends; above 0. */
  msLeft: number
}

/**
 * Counts a request of a client. Returns no promise if this process counts: a promise would add a tenth to the time of a
 * cached response. Never rejects.
 */
export type Consume = (client: string) => Consumption | Promise<Consumption>

/**
 * Fixed windows of a minute, one for each client. A window begins with the first request of its client. The windows of the `maxClients` most recent clients are stored. To make the service forget a window, somebody must
 * send requests from that many other IP addresses within a minute. The limiters of rate-limiter-flexible in memory keep
 * a timer for each window, have no bound, and read the time of day.
 * @param now a clock that never goes back, milliseconds
 */
export const makeFixedWindow = (
  maxClients: number = RATE_LIMIT_CLIENTS_MAX,
  now = () => performance.now(),
) => {
  /** By client. They end by the clock of `now`. */
  const windows = new LRUCache<string, { requests: number; end: number }>({ max: maxClients })
  return (client: string): Consumption => {
    const at = now()
    const window = windows.get(client)
    if (window === undefined || window.end <= at) {
      windows.set(client, { requests: 1, end: at + RATE_WINDOW_MS })
      return { requests: 1, msLeft: RATE_WINDOW_MS }
    }
    window.requests += 1
    return { requests: window.requests, msLeft: window.end - at }
  }
}
