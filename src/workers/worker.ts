import type { CountRequest } from '../rate/windows.ts'
import { countInPrimary } from './counting.ts'
import { type FleetStatus, readMessage, type ToPrimary, type ToWorker, wrapMessage } from './messages.ts'

/** A worker's line to its primary. When the primary is gone, node:cluster ends the worker. */
export interface Primary {
  /** Counts a request among those of all workers. */
  count: CountRequest
  /** How many workers there are just now. */
  fleet(): FleetStatus
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
  process.on('message', (received) => {
    const message = readMessage<ToWorker>(received)
    if (message?.type === 'counted') counting.answered(message.number, message.used)
    else if (message?.type === 'fleet') fleet = { configured: message.configured, serving: message.serving }
    else if (message?.type === 'ping') send({ type: 'pong' })
    else if (message?.type === 'stop') stop()
  })
  return {
    count: counting.count,
    fleet: () => fleet,
    serving: (greeting) => send({ type: 'serving', greeting }),
    refused: (reason) => send({ type: 'refused', reason }),
    leave: () => {
      if (process.connected) process.disconnect()
    },
  }
}
