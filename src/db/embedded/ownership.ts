import pg from 'pg'
import type { SocketDirectory } from '../../process-lock/socket-directory.ts'
import { directoryError, ownerPort } from './data-directory.ts'
import { errorOf } from './failure.ts'
import { startThread } from './thread.ts'
import type { WorkerData, WorkerReport } from './worker.ts'

/** The part of this process in an embedded database, until it ends. */
export interface DatabaseOwnership {
  isOwner: boolean
  port: number
  /** Resolves at `close`, when the owner has ended, or when the thread of the database has ended. */
  ended: Promise<unknown>
  close(): Promise<void>
}

/** How a connection fails when the owner has ended. */
const OWNER_GONE_CODES = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAGAIN']
/** What an owner responds while it waits for other processes to finish, or when it could not start. */
const OWNER_SHUTTING_DOWN_CODES = ['57P01', '57P03']

/** How long an owner may take to start its database, milliseconds: initdb takes 5 to 10 s. */
const CONNECT_MS = 60_000

/**
 * Starts the database in a thread of this process.
 * @param onWarning gets what an operator should know
 * @returns null when another process owns the folder
 * @throws UsageError when the database cannot be opened
 */
export const startOwner = (
  data: WorkerData,
  onWarning: (message: string) => void,
): Promise<DatabaseOwnership | null> =>
  new Promise((resolve, reject) => {
    const worker = startThread('./worker.js', data)
    let failure: Error | null = null
    const ended = new Promise<Error>((resolveEnded) => {
      worker.once('exit', () => {
        const error = failure ?? new Error('The embedded database has ended')
        resolveEnded(error)
        reject(error)
      })
    })
    worker.on('error', (error: Error) => {
      failure = error
    })
    worker.on('message', (report: WorkerReport) => {
      if (report.kind === 'owned-by-other') resolve(null)
      else if (report.kind === 'warning') onWarning(report.message)
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

/**
 * Joins the process that owns the database, when its database has started.
 * @returns null when no process owns the folder; `shutting-down` when the owner is about to end
 */
export const joinOwner = async (
  directory: SocketDirectory,
  isTcp: boolean,
): Promise<DatabaseOwnership | 'shutting-down' | null> => {
  const port = ownerPort(directory, isTcp)
  if (port === null) return null
  // This connection sends no query. It ends when the owner ends.
  const watch = new pg.Client({
    host: isTcp ? '127.0.0.1' : directory.socketFolder,
    port,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: CONNECT_MS,
  })
  const ended = new Promise<Error>((resolve) => {
    watch.on('error', resolve)
    watch.on('end', () => resolve(new Error('The process that owned the embedded database has ended')))
  })
  try {
    await watch.connect()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (OWNER_SHUTTING_DOWN_CODES.includes(code ?? '')) return 'shutting-down'
    if (OWNER_GONE_CODES.includes(code ?? '') || /^(Connection terminated|timeout expired)/.test(message))
      return null
    throw directoryError(directory.path, error)
  }
  return { isOwner: false, port, ended, close: () => watch.end() }
}
