import type { Consume } from '../rate/fixed-window.ts'
import { readMessage, type ToPrimary, type ToWorker, type WorkerCounts, wrapMessage } from './messages.ts'
import { makeSharedCounter } from './shared-counter.ts'

/** How long a worker waits for the metrics of all workers before it returns only its own, milliseconds. The primary waits a second. */
const METRICS_TIMEOUT_MS = 2_000

/** The channel of a worker to its primary. When the primary ends, node:cluster ends the worker. */
interface PrimaryChannel {
  /** Counts a request among those of all workers. */
  consume: Consume
  /** How many workers there are now. */
  fleet(): WorkerCounts
  /** Metrics of every worker. @param own returns those of this one, also when another worker asks */
  metrics(own: () => Promise<object[]>): () => Promise<object[][]>
  /** Asks the followers to check their sources now. */
  follow(): void
  /** Reports that this worker serves. @param greeting for a person at the terminal */
  reportServing(greeting: string): void
  /** Reports why this worker cannot serve. */
  reportStartFailure(reason: string): void
  /** Closes the channel, so that this process can end. */
  disconnect(): void
}

/**
 * @param limit requests in a window
 * @param stop called when the primary asks the worker to finish its requests and end
 */
export const joinPrimary = (limit: number, stop: () => void): PrimaryChannel => {
  const send = (message: ToPrimary): void => {
    if (process.connected) process.send?.(wrapMessage(message), undefined, undefined, () => {})
  }
  const counter = makeSharedCounter(limit, send)
  let fleet: WorkerCounts = { configured: 1, serving: 0 }
  const pending = new Map<number, (all: object[][]) => void>()
  let number = 0
  let ownMetrics: () => Promise<object[]> = async () => []
  process.on('message', (received) => {
    const message = readMessage<ToWorker>(received)
    if (message?.type === 'counted') counter.onReply(message.number, message.consumptions)
    else if (message?.type === 'fleet') fleet = { configured: message.configured, serving: message.serving }
    else if (message?.type === 'metrics') {
      pending.get(message.number)?.(message.all)
      pending.delete(message.number)
    } else if (message?.type === 'own metrics') {
      void ownMetrics()
        .catch(() => [])
        .then((own) => send({ type: 'own metrics', number: message.number, own }))
    } else if (message?.type === 'ping') send({ type: 'pong' })
    else if (message?.type === 'stop') stop()
  })
  return {
    consume: counter.consume,
    fleet: () => fleet,
    metrics: (own) => {
      ownMetrics = own
      return () =>
        new Promise((resolve, reject) => {
          number += 1
          const id = number
          const timer = setTimeout(() => {
            pending.delete(id)
            own().then((metrics) => resolve([metrics]), reject)
          }, METRICS_TIMEOUT_MS)
          pending.set(id, (all) => {
            clearTimeout(timer)
            resolve(all)
          })
          send({ type: 'metrics', number: id })
        })
    },
    follow: () => send({ type: 'follow' }),
    reportServing: (greeting) => send({ type: 'serving', greeting }),
    reportStartFailure: (reason) => send({ type: 'refused', reason }),
    disconnect: () => {
      if (process.connected) process.disconnect()
    },
  }
}
