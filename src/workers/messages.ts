/** Name of our messages, beside those of node:cluster and of other packages on the same channel. */
const CHANNEL = 'lectern'

/** How many workers there should be, and how many serve. */
export interface WorkerCounts {
  configured: number
  serving: number
}

export type ToPrimary =
  /** It serves; the text greets a person at the terminal. */
  | { type: 'serving'; greeting: string }
  /** It could not start, for a reason that the person at the terminal can mend. */
  | { type: 'refused'; reason: string }
  /** Count these requests; the answer bears the same number. */
  | { type: 'count'; number: number; draws: [client: string, requests: number][] }

  /** Asks for the metrics of every worker; the answer bears the same number. */
  | { type: 'metrics'; number: number }
  /** The answer to `own metrics`. */
  | { type: 'own metrics'; number: number; own: object[] }
  /** The answer to `ping`. */
  | { type: 'pong' }

export type ToWorker =
  | { type: 'counted'; number: number; used: [requests: number, msLeft: number][] }
  | ({ type: 'fleet' } & WorkerCounts)
  | { type: 'metrics'; number: number; all: object[][] }
  | { type: 'own metrics'; number: number }
  | { type: 'ping' }
  /** Finish what runs, then end. */
  | { type: 'stop' }

type Message = ToPrimary | ToWorker

/** A message of ours; null for anything else on the channel. */
export const readMessage = <Kind extends Message>(message: unknown): Kind | null =>
  message !== null && typeof message === 'object' && CHANNEL in message ? (message[CHANNEL] as Kind) : null

export const wrapMessage = (message: Message): object => ({ [CHANNEL]: message })
