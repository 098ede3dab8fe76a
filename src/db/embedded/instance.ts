import type { Worker } from 'node:worker_threads'
import type { LogRange } from './copy-files.ts'
import { errorOf } from './failure.ts'
import type { InstanceData, InstanceReport } from './instance-worker.ts'
import { type SendMessages, SessionLost } from './session-backend.ts'
import { startThread } from './thread.ts'

/** What waits for the next report. */
interface Waiter {
  resolve(report: InstanceReport): void
  reject(error: Error): void
}

/** An instance of PGlite in a thread of its own. It handles one message at a time. */
export class Instance {
  /** Resolves when the thread has ended, with the reason. */
  readonly ended: Promise<Error>
  readonly #worker: Worker
  #failure = new Error('The thread of the embedded database has ended')
  #hasEnded = false
  #waiter: Waiter | null = null

  constructor(data: InstanceData) {
    this.#worker = startThread('./instance-worker.js', data)
    this.#worker.on('error', (error: Error) => {
      this.#failure = error
    })
    this.#worker.on('message', (report: InstanceReport) => {
      if (report.kind === 'failed') this.#failure = errorOf(report)
      else this.#settle((waiter) => waiter.resolve(report))
    })
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#hasEnded = true
        this.#settle((waiter) => waiter.reject(this.#failure))
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
  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(settle: (waiter: Waiter) => void): void {
    const waiter = this.#waiter
    this.#waiter = null
    if (waiter) settle(waiter)
  }
}
