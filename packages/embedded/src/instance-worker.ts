/**
 * The thread of an instance of PGlite: of the database, or of a copy that serves readers during a long transaction. It
 * is not the thread of the bridge, which must respond to readers while the database runs a statement. (D96)
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { copyDataFiles, copyLog, type LogRange } from './copy-files.ts'
import { openCluster, startDatabase } from './pglite.ts'
import { endOnFailure, type Failure } from './thread.ts'

export type InstanceData =
  | { kind: 'database'; dataDir: string; snapshot: string }
  | { kind: 'copy'; from: string; to: string }

/**
 * What the thread reports. After `files-copied` it expects a `LogRange`; after `ready`, messages for PostgreSQL, the next
 * ones after each `reply`, or null to close the database and end.
 */
export type InstanceReport =
  | { kind: 'files-copied' }
  | { kind: 'ready' }
  | { kind: 'reply'; bytes: Uint8Array }
  | ({ kind: 'failed' } & Failure)

const data = workerData as InstanceData
const port = parentPort!
const report = (message: InstanceReport): void => port.postMessage(message)

const openCopy = async (from: string, to: string): Promise<PGlite> => {
  copyDataFiles(from, to)
  const range = new Promise<LogRange>((resolve) => port.once('message', resolve))
  report({ kind: 'files-copied' })
  copyLog(from, to, await range)
  return openCluster(to)
}

const fail = endOnFailure((failure) => report({ kind: 'failed', ...failure }))

try {
  const database =
    data.kind === 'copy'
      ? await openCopy(data.from, data.to)
      : await startDatabase(data.dataDir, data.snapshot)
  port.on('message', async (messages: Uint8Array | null) => {
    if (messages === null) {
      await database.close()
      process.exit()
    }
    const reply = await database.execProtocolRaw(messages, { syncToFs: false })
    const bytes = reply.slice() // a part of the buffer for all replies
    // After a PANIC, such as that of a checkpoint without disk space, PGlite would hang at the next message.
    if (Buffer.from(bytes.buffer).includes('SPANIC\0VPANIC\0')) return fail(new Error('PostgreSQL has ended'))
    report({ kind: 'reply', bytes })
  })
  report({ kind: 'ready' })
} catch (error) {
  fail(error)
}
