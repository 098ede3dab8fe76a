import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { UsageError } from '../../errors.ts'
import type { SocketDirectory } from '../../process-lock/socket-directory.ts'
import { DiskFull, directoryError, ownerPort } from './data-directory.ts'
import type { WorkerData, WorkerReport } from './worker.ts'

/** A process's part in an embedded database, for as long as it lasts. */
export interface DatabaseOwnership {
  isOwner: boolean
  port: number
  /** Resolves when it is over: at `close`, when the owner has gone, or when the thread has died. */
  ended: Promise<unknown>
  close(): Promise<void>
}

/**
 * With the 4 MB that a thread has by default, recursion ends PGlite before PostgreSQL's own limit of depth
 * ends the query; 16 MB is enough for functions, 64 for nested JSON too. It is taken only as far as used.
 */
const STACK_MB = 64

/** What a client meets when the owner has gone. */
const OWNER_GONE_CODES = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAGAIN']
/** What an owner says that is going, once others have finished what they began, or that could not start. */
const OWNER_SHUTTING_DOWN_CODES = ['57P01', '57P03']

/** How long an owner may take to start its database, milliseconds: initdb takes 5 to 10 s. */
const CONNECT_MS = 60_000

/** Owns the database, in a thread of this process; null when another process does. Throws a UsageError. */
export const startOwner = (data: WorkerData): Promise<DatabaseOwnership | null> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: data,
      execArgv: [], // some of the process's own are refused in a thread
      resourceLimits: { stackSizeMb: STACK_MB },
      stdin: false,
    })
    let failure: Error | null = null
    const ended = new Promise<Error>((over) => {
      worker.once('exit', () => {
        const error = failure ?? new Error('the embedded database has ended')
        over(error)
        reject(error)
      })
    })
    worker.on('error', (error: Error) => {
      failure = error
    })
    worker.on('message', (report: WorkerReport) => {
      if (report.kind === 'taken') resolve(null)
      else if (report.kind === 'failed') failure = errorOf(report)
      else {
        const close = async (): Promise<void> => {
          worker.postMessage('close')
          await ended
        }
        resolve({ isOwner: true, port: report.port, ended, close })
      }
    })
  })

const errorOf = ({ message, error }: Extract<WorkerReport, { kind: 'failed' }>): Error => {
  if (error === 'space') return Object.assign(new DiskFull('', ''), { message })
  return error === 'usage' ? new UsageError(message) : new Error(message)
}

/**
 * Joins the process that owns the database, once its database has started; null when there is none,
 * `going` while it is about to leave.
 */
export const joinOwner = async (
  directory: SocketDirectory,
  isTcp: boolean,
): Promise<DatabaseOwnership | 'going' | null> => {
  const host = isTcp ? '127.0.0.1' : directory.socketFolder
  const port = ownerPort(directory, isTcp)
  if (port === null) return null
  const watch = new pg.Client({
    host,
    port,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: CONNECT_MS,
  })
  const ended = new Promise<Error>((over) => {
    watch.on('error', over)
    watch.on('end', () => over(new Error('the process that owned the embedded database has gone')))
  })
  try {
    await watch.connect()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (OWNER_SHUTTING_DOWN_CODES.includes(code ?? '')) return 'going'
    if (OWNER_GONE_CODES.includes(code ?? '') || /^(Connection terminated|timeout expired)/.test(message))
      return null
    throw directoryError(directory.path, error)
  }
  return { isOwner: false, port, ended, close: () => watch.end() }
}
