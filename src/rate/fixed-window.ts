import { LRUCache } from 'lru-cache'
import { RATE_LIMIT_CLIENTS_MAX, RATE_WINDOW_MS } from '../limits.ts'

/** Where a client stands in its window, what was just counted included. */
export interface Consumption {
  requests: number
  /** Milliseconds until the window ends; above 0. */
  msLeft: number
}

/**
 * Counts a request of a client. What this process knows is answered at once: a promise and its turn of the event
 * loop would cost a kept answer a tenth of its time. Never rejects.
 */
export type Consume = (client: string) => Consumption | Promise<Consumption>

/** Counts requests of a client, at once. */
export type ConsumeNow = (client: string, requests?: number) => Consumption

interface Window {
  requests: number
  /** On the clock of `now`. */
  end: number
}

/**
 * Fixed windows of a minute, one a client, each beginning with its client's first request.
 *
 * The clients that came last are kept: whoever wants a window forgotten must send a request from each of
 * `RATE_CLIENTS_KEPT` other addresses meanwhile. (D14)
 * @param now milliseconds of a clock that never goes back
 */
export const makeFixedWindow = (
  clientsKept: number = RATE_LIMIT_CLIENTS_MAX,
  now: () => number = () => performance.now(),
): ConsumeNow => {
  const windows = new LRUCache<string, Window>({ max: clientsKept })
  return (client, requests = 1) => {
    const at = now()
    const window = windows.get(client)
    if (window === undefined || window.end <= at) {
      windows.set(client, { requests, end: at + RATE_WINDOW_MS })
      return { requests, msLeft: RATE_WINDOW_MS }
    }
    window.requests += requests
    return { requests: window.requests, msLeft: window.end - at }
  }
}
