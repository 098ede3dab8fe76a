import type { Logger } from 'pino'
import { withTimeout } from '../shared/timers.ts'
import { type Consume, type Consumption, makeFixedWindow } from './fixed-window.ts'

interface SharedWindowOptions {
  /** What counts, for the log: `Redis`. */
  name: string
  /** Counts a request of a client for several processes. */
  count(client: string): Promise<Consumption>
  /** How long a request waits for the count, milliseconds. */
  timeoutMs: number
  /** The error of the connection, which says more than that of a request. */
  connectionError?(): unknown
  logger: Logger
}

/** Delay of the first probe after a failure, in case of a short stall, and between later probes, milliseconds. */
const FIRST_PROBE_MS = 250
const PROBE_MS = 1_000

/**
 * - `local`: this process counts, and probes in the background.
 * - `shared`: what all processes share counts.
 * - `closed`: this process counts the requests that are still running.
 *
 * local → shared, when a probe succeeds; shared → local, when a request fails or waits too long; both → closed, by
 * `close`.
 */
type CountingState = 'local' | 'shared' | 'closed'

/**
 * Counts where all processes do. If that fails, this process counts by itself: the request that was waiting, and all
 * later ones until a probe succeeds. So no request fails, and only those wait that came before the failure was known.
 * Meanwhile each process grants a client its limit, and what it counted is not added afterwards. The insurance limiter
 * of rate-limiter-flexible lets every request wait for a frozen Redis.
 * @param initial whether it counts for all processes already, or only after a probe
 */
export const makeSharedWindow = (
  { name, count, timeoutMs, connectionError = () => undefined, logger }: SharedWindowOptions,
  initial: 'local' | 'shared',
) => {
  const countHere = makeFixedWindow()
  let state: CountingState = initial
  let timer: NodeJS.Timeout | undefined

  const countThere = (client: string): Promise<Consumption> => withTimeout(count(client), timeoutMs)
  const probeAfter = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void probe(), ms).unref()
  }
  /**
   * Tries whether something counts for all processes now. Counts as a request does, because a Redis that is full, or a
   * replica, still responds to a ping.
   */
  const probe = async (): Promise<boolean> => {
    try {
      await countThere('probe')
    } catch {
      if (state === 'local') probeAfter(PROBE_MS)
      return false
    }
    if (state === 'local') {
      state = 'shared'
      logger.info(`${name} counts the requests of clients`)
    }
    return true
  }
  /** Lets this process count until a probe succeeds, without waiting for a request that fails. */
  const onFailure = (error: unknown): void => {
    if (state !== 'shared') return
    state = 'local'
    const err = connectionError() ?? error
    logger.warn({ err }, `${name} does not respond: each instance counts by itself`)
    probeAfter(FIRST_PROBE_MS)
  }
  return {
    consume: (client: string): ReturnType<Consume> =>
      state === 'shared'
        ? countThere(client).catch((error: unknown) => {
            onFailure(error)
            return countHere(client)
          })
        : countHere(client),
    probe,
    onFailure,
    close: (): void => {
      state = 'closed'
      clearTimeout(timer)
    },
  }
}
