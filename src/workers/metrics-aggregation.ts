import type { Worker } from 'node:cluster'
import type { ToWorker } from './messages.ts'

/** The longest wait for the metrics of a worker, milliseconds. The result leaves a slower worker out. */
const REPLY_TIMEOUT_MS = 1_000

interface PendingCollection {
  pending: Set<Worker>
  all: object[][]
  resolve(): void
}

/** Collects the metrics of workers. */
interface MetricsAggregation {
  /** The metrics of each worker that replied in time. */
  collect(workers: Iterable<Worker>): Promise<object[][]>
  onReply(worker: Worker, number: number, own: object[]): void
  /** The worker will not reply any more. */
  onWorkerExit(worker: Worker): void
}

export const makeMetricsAggregation = (
  send: (worker: Worker, message: ToWorker) => void,
): MetricsAggregation => {
  const collections = new Map<number, PendingCollection>()
  let number = 0
  const settle = (collection: PendingCollection, worker: Worker): void => {
    if (collection.pending.delete(worker) && collection.pending.size === 0) collection.resolve()
  }
  return {
    collect: (workers) =>
      new Promise((resolve) => {
        number += 1
        const id = number
        const collection: PendingCollection = {
          pending: new Set(workers),
          all: [],
          resolve: () => {
            clearTimeout(timer)
            collections.delete(id)
            resolve(collection.all)
          },
        }
        const timer = setTimeout(collection.resolve, REPLY_TIMEOUT_MS)
        collections.set(id, collection)
        for (const worker of collection.pending) send(worker, { type: 'own metrics', number: id })
      }),
    onReply: (worker, id, own) => {
      const collection = collections.get(id)
      collection?.all.push(own)
      if (collection) settle(collection, worker)
    },
    onWorkerExit: (worker) => {
      for (const collection of collections.values()) settle(collection, worker)
    },
  }
}
