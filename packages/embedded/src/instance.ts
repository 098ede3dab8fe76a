import { rm } from 'node:fs/promises'
import type { Worker } from 'node:worker_threads'
import { copyPath, type LogRange } from './copy-files.ts'
import { databaseFolder, hasSpace } from './data-directory.ts'
import type { InstanceData, InstanceReport } from './instance-worker.ts'
import { type SendMessages, SessionLost } from './session-backend.ts'
import type { RunOwn } from './shared-session.ts'
import { errorOf, startThread } from './thread.ts'

/** An instance of PGlite in a thread of its own. It handles one message at a time. */
export class Instance {
  /** Resolves when the thread has ended, with the reason. */
  readonly ended: Promise<Error>
  readonly #worker: Worker
  #failure = new Error('The thread of the embedded database has ended')
  #hasEnded = false
  /** What waits for the next report. */
  #waiter: { resolve(report: InstanceReport): void; reject(error: Error): void } | null = null

  constructor(data: InstanceData) {
    this.#worker = startThread('./instance-worker.js', data)
    this.#worker.on('error', (error: Error) => {
      this.#failure = error
    })
    this.#worker.on('message', (report: InstanceReport) => {
      if (report.kind === 'failed') this.#failure = errorOf(report)
      else this.#takeWaiter()?.resolve(report)
    })
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#hasEnded = true
        this.#takeWaiter()?.reject(this.#failure)
        resolve(this.#failure)
      })
    })
  }

  post(message: Uint8Array | LogRange): void {
    this.#worker.postMessage(message)
  }

  /** The next report. @throws the error that ended the thread */
  report(): Promise<InstanceReport> {
    if (this.#hasEnded) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject }
    })
  }

  readonly send: SendMessages = async (messages) => {
    this.post(messages)
    const report = await this.report().catch(({ message }: Error) => {
      throw new SessionLost(message)
    })
    const { buffer, byteOffset, byteLength } = (report as Extract<InstanceReport, { kind: 'reply' }>).bytes
    return Buffer.from(buffer, byteOffset, byteLength)
  }

  /** Closes the database, and ends the thread. */
  async close(): Promise<void> {
    this.#worker.postMessage(null)
    await this.ended
  }

  /** Ends the thread at once. */
  readonly terminate = (): Promise<unknown> => this.#worker.terminate()

  #takeWaiter() {
    const waiter = this.#waiter
    this.#waiter = null
    return waiter
  }
}

/** An instance of PGlite on a copy of the database. */
export type ReaderCopy = Awaited<ReturnType<typeof openReaderCopy>>

let copyCount = 0

/**
 * Copies the database of a data folder, and opens the copy. It has everything that was committed. Nobody may write to
 * the database until then; readers may read.
 * @param runOwn runs statements in the database
 * @throws Error when that is not possible, for example because the disk has no space
 */
export const openReaderCopy = async (dataDir: string, runOwn: RunOwn, signal: AbortSignal) => {
  if (!hasSpace(dataDir)) throw new Error('the disk has too little space')
  // Recovery of the copy begins here. Without a checkpoint it might take long.
  await runOwn('checkpoint')
  const first = await runOwn('select pg_walfile_name(redo_lsn) from pg_control_checkpoint()')
  signal.throwIfAborted()
  const to = copyPath(dataDir, ++copyCount)
  const instance = new Instance({ kind: 'copy', from: databaseFolder(dataDir), to })
  /** Ends the instance, and removes its files. */
  const close = async (): Promise<void> => {
    await instance.terminate()
    await rm(to, { recursive: true, force: true })
  }
  const abort = () => void instance.terminate()
  signal.addEventListener('abort', abort)
  try {
    await instance.report()
    const last = await runOwn('select pg_walfile_name(pg_current_wal_insert_lsn())')
    instance.post({ first: first!, last: last! })
    await instance.report()
    return { send: instance.send, ended: instance.ended as Promise<unknown>, close }
  } catch (error) {
    await close()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
