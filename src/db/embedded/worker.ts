/** The thread that owns a data folder: the bridge that accepts clients. PGlite is in a thread of its own. */
import { statfsSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { EMBEDDED_RESERVE_BYTES } from '../../limits.ts'
import type { SocketDirectory } from '../../process-lock/socket-directory.ts'
import { Bridge } from './bridge.ts'
import { removeCopies } from './copy-files.ts'
import { lockDataDirectory } from './data-directory.ts'
import { type Failure, failureOf } from './failure.ts'
import { Instance } from './instance.ts'
import { openReaderCopy } from './reader-copy.ts'

export interface WorkerData {
  directory: SocketDirectory
  isTcp: boolean
  snapshot: string
  /** Channels of the notifications that readers listen to. */
  channels: readonly string[]
}

/**
 * What the thread reports.
 * - `owned-by-other`: another process owns the folder. The thread ends.
 * - `ready`: it serves clients.
 * - `warning`: something that an operator should know. It goes on.
 * - `failed`: sent before the thread ends for any other reason.
 *
 * The process sends the thread one message only, of any content: to close the database.
 */
export type WorkerReport =
  | { kind: 'owned-by-other' }
  | { kind: 'ready'; port: number }
  | { kind: 'warning'; message: string }
  | ({ kind: 'failed' } & Failure)

const { directory, isTcp, snapshot, channels } = workerData as WorkerData
const report = (message: WorkerReport): void => parentPort?.postMessage(message)
const bridge = new Bridge()

const fail = (error: unknown): void => {
  const failure = failureOf(error)
  bridge.fail(`the embedded database has failed: ${failure.message}`)
  report({ kind: 'failed', ...failure })
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
  removeCopies(directory.path)
  const database = new Instance({ kind: 'database', dataDir: directory.path, snapshot })
  await database.report()
  await bridge.start({
    send: database.send,
    channels,
    hasSpace: () => hasSpace(directory.path),
    openCopy: (runOwn, signal) => openReaderCopy(directory.path, runOwn, signal),
    onNoCopy: (reason) => {
      report({ kind: 'warning', message: `Readers wait until an import has ended: ${reason}` })
    },
  })
  let isClosing = false
  void database.ended.then((error) => isClosing || fail(error))
  parentPort?.once('message', async () => {
    await bridge.drain('the embedded database is shutting down')
    isClosing = true
    await database.close()
    await lock.release()
    process.exit()
  })
  report({ kind: 'ready', port: lock.port })
}
