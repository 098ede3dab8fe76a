/** The key of Lectern's messages: node:cluster and other packages use the same channel. */
const KEY = 'lectern'

/** How many workers are configured, and how many serve. */
export interface WorkerCounts {
  configured: number
  serving: number
}

export type ToPrimary =
  /** The worker serves. The primary prints the greeting. */
  | { type: 'serving'; greeting: string }
  /** The worker cannot start. The primary prints the reason, which the operator can correct. */
  | { type: 'refused'; reason: string }
  /** Count these requests. The reply has the same number. */
  | { type: 'count'; number: number; leases: [client: string, requests: number][] }
  /** Send the metrics of every worker. The reply has the same number. */
  | { type: 'metrics'; number: number }
  /** The reply to `own metrics`. */
  | { type: 'own metrics'; number: number; own: object[] }
  /** Ask the followers to check their sources now. */
  | { type: 'follow' }
  /** The reply to `ping`. */
  | { type: 'pong' }

export type ToWorker =
  | { type: 'counted'; number: number; consumptions: [requests: number, msLeft: number][] }
  | ({ type: 'fleet' } & WorkerCounts)
  | { type: 'metrics'; number: number; all: object[][] }
  | { type: 'own metrics'; number: number }
  | { type: 'ping' }
  /** Finish the running requests, then end. */
  | { type: 'stop' }

type Message = ToPrimary | ToWorker

/** A message of Lectern; null for anything else on the channel. */
export const readMessage = <Kind extends Message>(message: unknown): Kind | null =>
  message !== null && typeof message === 'object' && KEY in message ? (message[KEY] as Kind) : null

export const wrapMessage = (message: Message): object => ({ [KEY]: message })
