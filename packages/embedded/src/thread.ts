import { Worker } from 'node:worker_threads'
import { UsageError } from '@lectern/wiki/errors'
import { DiskFull } from './data-directory.ts'

/**
 * The stack of a database's thread. With the default of 4 MB, recursion ends PGlite before PostgreSQL's own depth
 * limit ends the query. 16 MB are enough for functions, and 64 MB for nested JSON too. The thread uses only as much
 * memory as it needs.
 */
const STACK_MB = 64

/** Starts a thread for PGlite. @param file module of this folder */
export const startThread = (file: string, data: unknown): Worker =>
  new Worker(new URL(file, import.meta.url), {
    workerData: data,
    execArgv: [], // a thread refuses some options of the process
    resourceLimits: { stackSizeMb: STACK_MB },
    stdin: false,
  })

/** An error that a thread reports to the one that started it. */
export interface Failure {
  message: string
  error: 'usage' | 'full-disk' | 'defect'
}

/**
 * Ends this thread after an exception that nothing catches.
 * @param report tells the process that started the thread
 * @returns a function that ends it for another error
 */
export const endOnFailure = (report: (failure: Failure) => void): ((error: unknown) => void) => {
  const fail = (error: unknown): void => {
    report(failureOf(error))
    process.exit(1)
  }
  process.on('uncaughtException', fail)
  return fail
}

const failureOf = (error: unknown): Failure => ({
  message: error instanceof Error ? error.message : String(error),
  error: error instanceof DiskFull ? 'full-disk' : error instanceof UsageError ? 'usage' : 'defect',
})

export const errorOf = ({ message, error }: Failure): Error => {
  if (error === 'full-disk') return Object.assign(new DiskFull('', ''), { message })
  return error === 'usage' ? new UsageError(message) : new Error(message)
}
