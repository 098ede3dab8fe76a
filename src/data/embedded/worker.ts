/** The thread that owns a data folder: PGlite, and the bridge that lets clients in. */
import { parentPort, workerData } from 'node:worker_threads'
import { UsageError } from '../../errors.ts'
import { createBridge } from './bridge.ts'
import { claimFolder, claimWithPort } from './claim.ts'
import { type Place, unusable } from './place.ts'

export interface WorkerData {
  place: Place
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
  | { kind: 'failed'; message: string; isUsage: boolean }

const { place, isTcp, snapshot } = workerData as WorkerData
const report = (message: WorkerReport): void => parentPort?.postMessage(message)
const bridge = createBridge()

const fail = (error: unknown): void => {
  const message = error instanceof Error ? error.message : String(error)
  bridge.fail(`the embedded database has failed: ${message}`)
  report({ kind: 'failed', message, isUsage: error instanceof UsageError })
  process.exit(1)
}

process.on('uncaughtException', fail)

const claim = await (isTcp ? claimWithPort : claimFolder)(place, (socket) => bridge.accept(socket)).catch(
  (error) => {
    throw unusable(place.dataDir, error)
  },
)
if (claim === null) report({ kind: 'taken' })
else {
  // Loaded only now: it is 20 MB that a process which does not own the folder can do without.
  const { startDatabase } = await import('./database.ts')
  const database = await startDatabase(place.dataDir, snapshot)
  await bridge.start(database)
  parentPort?.once('message', async () => {
    await bridge.finish('the embedded database is shutting down')
    await database.close()
    await claim.release()
    process.exit()
  })
  report({ kind: 'ready', port: claim.port })
}
