import type { CountRequest } from '../rate/windows.ts'
import { countInPrimary } from './counting.ts'
import { type FleetStatus, readMessage, type ToPrimary, type ToWorker, wrapMessage } from './messages.ts'

/** Longest wait for the metrics of all, milliseconds: the primary waits a second. Then a worker gives its own alone. */
const METRICS_MS = 2_000

/** A worker's line to its primary. When the primary is gone, node:cluster ends the worker. */
export interface Primary {
  /** Counts a request among those of all workers. */
  count: CountRequest
  /** How many workers there are just now. */
  fleet(): FleetStatus
  /** Metrics of every worker. @param own how this one gives its own when another asks */
  metrics(own: () => Promise<object[]>): () => Promise<object[][]>
  /** Says that this one serves, and what a person at the terminal should read. */
  serving(greeting: string): void
  /** Says why it cannot. */
  refused(reason: string): void
  /** Hangs up, so that this process can end. */
  leave(): void
}

/**
 * @param limit requests of a window
 * @param stop called when the primary wants the worker to finish and end
 */
export const joinPrimary = (limit: number, stop: () => void): Primary => {
  const send = (message: ToPrimary): void => {
    if (process.connected) process.send?.(wrapMessage(message), undefined, undefined, () => {})
  }
  const counting = countInPrimary(limit, send)
  let fleet: FleetStatus = { configured: 1, serving: 0 }
  const asked = new Map<number, (all: object[][]) => void>()
  let question = 0
  let giveOwn: () => Promise<object[]> = async () => []
  process.on('message', (received) => {
    const message = readMessage<ToWorker>(received)
    if (message?.type === 'counted') counting.answered(message.number, message.used)
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
    count: counting.count,
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
          }, METRICS_MS)
          asked.set(mine, (all) => {
            clearTimeout(alone)
            resolve(all)
          })
          send({ type: 'metrics', number: mine })
        })
    },
    serving: (greeting) => send({ type: 'serving', greeting }),
    refused: (reason) => send({ type: 'refused', reason }),
    leave: () => {
      if (process.connected) process.disconnect()
    },
  }
}
