import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { SHUTDOWN } from '../limits/service.ts'

/** The open parts of a running service, and the ways in which it ends. */
export interface RunningService {
  /** Whether it is stopping. Errors of parts that are still starting do not matter then. */
  readonly isStopping: boolean
  /**
   * Adds the function that closes a part. The part that was added last is closed first.
   * @throws Error after closing the part, if the service began to stop while the part was opened
   */
  add(close: () => Promise<void>): Promise<void>
  /**
   * Closes everything after the start has failed. The process ends with status 1 even if a part never closes.
   * Resolves when all is closed, or after a second, so that the caller can report the error.
   */
  abandon(): Promise<void>
  /** Closes everything, once, and lets the process end. @param details fields of the log line */
  stop(details: object): void
  /** Stops when the signal is aborted, or at once if it is aborted already. */
  stopWith(signal: AbortSignal): void
  /** Returns a function that ends the process with status 1. */
  fail(reason: string): (error: unknown) => void
}

/** How long the report of an error waits until all is closed, milliseconds. */
const ABANDON_MS = 1_000

/** @param endMs how long after `stop` the process ends even if a part is still closing, milliseconds */
export const makeRunning = (logger: Logger, endMs: number = SHUTDOWN.endMs): RunningService => {
  const closers: (() => Promise<void>)[] = []
  let isStopping = false
  const close = async () => {
    for (const closePart of closers.splice(0).reverse()) await closePart()
  }
  const fail = (reason: string) => (error: unknown) => {
    logger.fatal({ err: error }, reason)
    process.exit(1)
  }
  const abandon = async () => {
    setTimeout(() => process.exit(1), endMs).unref()
    await Promise.race([close(), pause(ABANDON_MS, undefined, { ref: false })]).catch(() => {})
  }
  const stop = (details: object) => {
    if (isStopping) return
    isStopping = true
    logger.info(details, 'stopping')
    // The supervisor kills a process that takes too long. A part that hangs, such as a frozen database, is abandoned.
    setTimeout(() => process.exit(0), endMs).unref()
    close().catch(fail('The service could not close all its parts'))
  }
  const stopWith = (signal: AbortSignal) => {
    if (signal.aborted) stop({ signal: signal.reason })
    else signal.addEventListener('abort', () => stop({ signal: signal.reason }))
  }
  const add = async (closePart: () => Promise<void>) => {
    closers.push(closePart)
    if (!isStopping) return
    await close()
    throw new Error('The service stopped while it was starting')
  }
  return {
    get isStopping() {
      return isStopping
    },
    add,
    abandon,
    stop,
    stopWith,
    fail,
  }
}
