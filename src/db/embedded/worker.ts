/** The thread that owns a data folder: PGlite, and the bridge that lets clients in. */
import { statfsSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { UsageError } from '../../errors.ts'
import { EMBEDDED_RESERVE_BYTES } from '../../limits.ts'
import type { SocketDirectory } from '../../process-lock/socket-directory.ts'
import { createBridge } from './bridge.ts'
import { DiskFull, lockDataDirectory } from './data-directory.ts'

export interface WorkerData {
  directory: SocketDirectory
  isTcp: boolean
  snapshot: string
}

/**
 * What the thread tells: `taken` when another process owns the folder (then it ends), `ready` when clients
 * are served, `failed` before it ends for any other reason. It is told nothing but to close, by any message.
 */
export type WorkerReport =
  | { kind: 'taken' }
  | { kind: 'ready'; port: number }
  | { kind: 'failed'; message: string; error: 'usage' | 'space' | 'defect' }

const { directory, isTcp, snapshot } = workerData as WorkerData
const report = (message: WorkerReport): void => parentPort?.postMessage(message)
const bridge = createBridge()

const fail = (error: unknown): void => {
  const message = error instanceof Error ? error.message : String(error)
  bridge.fail(`the embedded database has failed: ${message}`)
  const kind = error instanceof DiskFull ? 'space' : error instanceof UsageError ? 'usage' : 'defect'
  report({ kind: 'failed', message, error: kind })
  process.exit(1)
}

process.on('uncaughtException', fail)

const hasRoom = (folder: string): boolean => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= EMBEDDED_RESERVE_BYTES
}

const lock = await lockDataDirectory(directory, isTcp, (socket) => bridge.accept(socket))
if (lock === null) report({ kind: 'taken' })
else {
  // Loaded only now: it is 20 MB that a process which does not own the folder can do without.
  const { startDatabase } = await import('./pglite.ts')
  const database = await startDatabase(directory.path, snapshot)
  await bridge.start(database, () => hasRoom(directory.path))
  parentPort?.once('message', async () => {
    await bridge.finish('the embedded database is shutting down')
    await database.close()
    await lock.release()
    process.exit()
  })
  report({ kind: 'ready', port: lock.port })
}
