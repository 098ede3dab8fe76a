/** The thread that owns a data folder: PGlite, and the bridge that accepts clients. */
import { statfsSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { UsageError } from '../../errors.ts'
import { EMBEDDED_RESERVE_BYTES } from '../../limits.ts'
import type { SocketDirectory } from '../../process-lock/socket-directory.ts'
import { Bridge } from './bridge.ts'
import { DiskFull, lockDataDirectory } from './data-directory.ts'

export interface WorkerData {
  directory: SocketDirectory
  isTcp: boolean
  snapshot: string
}

/**
 * What the thread reports.
 * - `owned-by-other`: another process owns the folder. The thread ends.
 * - `ready`: it serves clients.
 * - `failed`: sent before the thread ends for any other reason.
 *
 * The process sends the thread one message only, of any content: to close the database.
 */
export type WorkerReport =
  | { kind: 'owned-by-other' }
  | { kind: 'ready'; port: number }
  | { kind: 'failed'; message: string; error: 'usage' | 'full-disk' | 'defect' }

const { directory, isTcp, snapshot } = workerData as WorkerData
const report = (message: WorkerReport): void => parentPort?.postMessage(message)
const bridge = new Bridge()

const fail = (error: unknown): void => {
  const message = error instanceof Error ? error.message : String(error)
  bridge.fail(`the embedded database has failed: ${message}`)
  const kind = error instanceof DiskFull ? 'full-disk' : error instanceof UsageError ? 'usage' : 'defect'
  report({ kind: 'failed', message, error: kind })
  process.exit(1)
}

process.on('uncaughtException', fail)

const hasSpace = (folder: string): boolean => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= EMBEDDED_RESERVE_BYTES
}

const lock = await lockDataDirectory(directory, isTcp, (socket) => bridge.accept(socket))
if (lock === null) report({ kind: 'owned-by-other' })
else {
  // Loaded only now: these are 20 MB that a process without the folder does not need.
  const { startDatabase } = await import('./pglite.ts')
  const database = await startDatabase(directory.path, snapshot)
  await bridge.start(database, () => hasSpace(directory.path))
  parentPort?.once('message', async () => {
    await bridge.drain('the embedded database is shutting down')
    await database.close()
    await lock.release()
    process.exit()
  })
  report({ kind: 'ready', port: lock.port })
}
