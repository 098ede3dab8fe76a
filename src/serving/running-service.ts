import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { SHUTDOWN } from '../limits/service.ts'

/** The open parts of a running service, and the ways in which it ends. */
export type RunningService = ReturnType<typeof makeRunning>

/** How long the report of an error waits until all is closed, milliseconds. */
const ABANDON_MS = 1_000

/** @param endMs how long after `stop` the process ends even if a part is still closing, milliseconds */
export const makeRunning = (logger: Logger, endMs: number = SHUTDOWN.endMs) => {
  const closers: (() => Promise<void>)[] = []
  let isStopping = false
  const close = async () => {
    for (const closePart of closers.splice(0).reverse()) await closePart()
  }
  /** Returns a function that ends the process with status 1. */
  const fail = (reason: string) => (error: unknown) => {
    logger.fatal({ err: error }, reason)
    process.exit(1)
  }
  /** Closes everything, once, and lets the process end. @param details fields of the log line */
  const stop = (details: object) => {
    if (isStopping) return
    isStopping = true
    logger.info(details, 'stopping')
    // The supervisor kills a process that takes too long. A part that hangs, such as a frozen database, is abandoned.
    setTimeout(() => process.exit(0), endMs).unref()
    close().catch(fail('The service could not close all its parts'))
  }
  return {
    /** Whether it is stopping. Errors of parts that are still starting do not matter then. */
    get isStopping() {
      return isStopping
    },
    /**
     * Adds the function that closes a part. The part that was added last is closed first.
     * @throws Error after closing the part, if the service began to stop while the part was opened
     */
    add: async (closePart: () => Promise<void>) => {
      closers.push(closePart)
      if (!isStopping) return
      await close()
      throw new Error('The service stopped while it was starting')
    },
    /**
     * Closes everything after the start has failed. The process ends with status 1 even if a part never closes.
     * Resolves when all is closed, or after a second, so that the caller can report the error.
     */
    abandon: async () => {
      setTimeout(() => process.exit(1), endMs).unref()
      await Promise.race([close(), pause(ABANDON_MS, undefined, { ref: false })]).catch(() => {})
    },
    /** Stops when the signal is aborted, or at once if it is aborted already. */
    stopWith: (signal: AbortSignal) => {
      if (signal.aborted) stop({ signal: signal.reason })
      else signal.addEventListener('abort', () => stop({ signal: signal.reason }))
    },
    stop,
    fail,
  }
}
