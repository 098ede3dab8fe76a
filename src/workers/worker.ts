import type { Consume } from '../rate/fixed-window.ts'
import { readMessage, type ToPrimary, type ToWorker, type WorkerCounts, wrapMessage } from './messages.ts'
import { makeSharedCounter } from './shared-counter.ts'

/** Longest wait for the metrics of all, milliseconds: the primary waits a second. Then a worker gives its own alone. */
const METRICS_TIMEOUT_MS = 2_000

/** A worker's line to its primary. When the primary is gone, node:cluster ends the worker. */
export interface PrimaryChannel {
  /** Counts a request among those of all workers. */
  consume: Consume
  /** How many workers there are just now. */
  fleet(): WorkerCounts
  /** Metrics of every worker. @param own how this one gives its own when another asks */
  metrics(own: () => Promise<object[]>): () => Promise<object[][]>
  /** Says that this one serves, and what a person at the terminal should read. */
  reportServing(greeting: string): void
  /** Says why it cannot. */
  reportStartFailure(reason: string): void
  /** Hangs up, so that this process can end. */
  disconnect(): void
}

/**
 * @param limit requests of a window
 * @param stop called when the primary wants the worker to finish and end
 */
export const joinPrimary = (limit: number, stop: () => void): PrimaryChannel => {
  const send = (message: ToPrimary): void => {
    if (process.connected) process.send?.(wrapMessage(message), undefined, undefined, () => {})
  }
  const counting = makeSharedCounter(limit, send)
  let fleet: WorkerCounts = { configured: 1, serving: 0 }
  const asked = new Map<number, (all: object[][]) => void>()
  let question = 0
  let giveOwn: () => Promise<object[]> = async () => []
  process.on('message', (received) => {
    const message = readMessage<ToWorker>(received)
    if (message?.type === 'counted') counting.onReply(message.number, message.used)
    else if (message?.type === 'fleet') fleet = { configured: message.configured, serving: message.serving }
    else if (message?.type === 'metrics') {
      asked.get(message.number)?.(message.all)
      asked.delete(message.number)
    } else if (message?.type === 'own metrics') {
      const { number } = message
      void giveOwn()
        .catch(() => [])
        .then((own) => send({ type: 'own metrics', number, own }))
    } else if (message?.type === 'ping') send({ type: 'pong' })
    else if (message?.type === 'stop') stop()
  })
  return {
    consume: counting.consume,
    fleet: () => fleet,
    metrics: (own) => {
      giveOwn = own
      return () =>
        new Promise((resolve, reject) => {
          question += 1
          const mine = question
          const alone = setTimeout(() => {
            asked.delete(mine)
            own().then((metrics) => resolve([metrics]), reject)
          }, METRICS_TIMEOUT_MS)
          asked.set(mine, (all) => {
            clearTimeout(alone)
            resolve(all)
          })
          send({ type: 'metrics', number: mine })
        })
    },
    reportServing: (greeting) => send({ type: 'serving', greeting }),
    reportStartFailure: (reason) => send({ type: 'refused', reason }),
    disconnect: () => {
      if (process.connected) process.disconnect()
    },
  }
}
