import { LRUCache } from 'lru-cache'
import { RATE_LIMIT_CLIENTS_MAX } from '../limits.ts'
import type { Consume, Consumption } from './fixed-window.ts'

/** Requests of a client that the store is asked to count at once. */
export interface Lease {
  client: string
  requests: number
}

interface QuotaLeaseOptions {
  /** Requests of a window. */
  limit: number
  /** Has the store count, an answer each: those of one turn of the event loop come together. Never rejects. */
  lease: (draws: Lease[]) => Promise<Consumption>[]
  now?: () => number
}

/** A lot is this part of what a client has left: a sixtieth, so a limit of 600 begins with lots of 10. (D47) */
const LEASE_DIVISOR = 60

/** Two ends that are closer than this are of one window; a store's windows are a minute apart, milliseconds. */
const SAME_WINDOW_MS = 1_000

/** What this process knows of a client's window in the store. */
interface LeasedWindow {
  client: string
  /** Requests that the store has counted, and that were not made yet. */
  leased: number
  /** Requests that the store still had when it last answered. */
  remaining: number
  /**
   * As this clock has it, the store's window ends between these two: the sending of the question and its answer,
   * each plus what was left. What was drawn, and a refusal, count until the first, so that neither outlives the
   * window. The client is told the second, so that no other process refuses it after the wait.
   */
  end: number
  announcedEnd: number
  /** Draws that are not answered yet: only one of them takes a lot, the others what is waiting. */
  pendingLeases: number
  /** Requests of this turn, which the next draw is for. */
  waiting: ((used: Consumption) => void)[]
}

/**
 * Counts in a store that several processes share, and takes requests from it in lots: most requests are counted
 * here, by subtraction. Never grants more than the store has. Another process can hold a lot that this client
 * would need: with p processes, up to (p - 1) lots of a limit can stay unused. Limits up to 60 are exact.
 *
 * Nobody waits for more than one answer of the store. A client over its limit is refused here until its window ends.
 */
export const makeQuotaLeases = ({
  limit,
  lease,
  now = () => performance.now(),
}: QuotaLeaseOptions): { count: Consume; forget(): void } => {
  const windows = new LRUCache<string, LeasedWindow>({ max: RATE_LIMIT_CLIENTS_MAX })
  /** Windows that a draw of this turn is for. */
  let asking: LeasedWindow[] = []

  const used = (window: LeasedWindow, at: number): Consumption => ({
    requests: limit - window.remaining - window.leased,
    msLeft: window.announcedEnd - at,
  })

  const flush = (): void => {
    const asked = now()
    const gathered = asking.map((window) => {
      const { client, remaining, waiting } = window
      const lot = window.pendingLeases === 0 ? Math.max(1, Math.ceil(remaining / LEASE_DIVISOR)) : 1
      window.waiting = []
      window.pendingLeases += 1
      return { client, window, waiting, requests: waiting.length - 1 + lot }
    })
    asking = []
    const answers = lease(gathered.map(({ client, requests }) => ({ client, requests })))
    gathered.forEach(({ window, waiting, requests }, i) => {
      void answers[i]!.then((answer) => {
        window.pendingLeases -= 1
        const granted = Math.max(0, Math.min(requests, limit - (answer.requests - requests)))
        const surplus = Math.max(0, granted - waiting.length)
        learn(window, answer, surplus, asked)
        const rest = Math.max(0, limit - answer.requests) + surplus
        const admitted = Math.min(waiting.length, granted)
        waiting.forEach((resolve, place) => {
          const counted = place < admitted ? limit - rest - (admitted - 1 - place) : limit + 1
          resolve({ requests: counted, msLeft: answer.msLeft })
        })
      })
    })
  }

  /** Takes over what the store said. An answer of the window before makes this one seem over, so the store is asked. */
  const learn = (
    window: LeasedWindow,
    { requests, msLeft }: Consumption,
    surplus: number,
    asked: number,
  ): void => {
    const left = Math.max(0, limit - requests)
    const [end, told] = [asked + msLeft, now() + msLeft]
    if (end > window.end + SAME_WINDOW_MS) Object.assign(window, { drawn: surplus, left, end, told })
    else {
      window.leased += surplus
      window.remaining = Math.min(window.remaining, left)
      window.end = Math.min(window.end, end)
      window.announcedEnd = Math.max(window.announcedEnd, told)
    }
  }

  const current = (client: string): LeasedWindow => {
    const known = windows.get(client)
    if (known) return known
    const window: LeasedWindow = {
      client,
      leased: 0,
      remaining: limit,
      end: Number.NEGATIVE_INFINITY,
      announcedEnd: 0,
      pendingLeases: 0,
      waiting: [],
    }
    windows.set(client, window)
    return window
  }

  const count = (client: string): Consumption | Promise<Consumption> => {
    const at = now()
    const window = current(client)
    if (window.end > at) {
      if (window.leased > 0) {
        window.leased -= 1
        return used(window, at)
      }
      if (window.remaining === 0) return { requests: limit + 1, msLeft: window.announcedEnd - at }
    }
    return new Promise((resolve) => {
      if (window.waiting.push(resolve) > 1) return
      if (asking.push(window) === 1) setImmediate(flush)
    })
  }
  return { count, forget: () => windows.clear() }
}
