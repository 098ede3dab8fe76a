import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { readMessage, type ToPrimary, type ToWorker, wrapMessage } from './messages.ts'

/** Time between two pings of a worker, milliseconds, and how many pings in a row it may leave without a response. */
const PING_INTERVAL_MS = 2_000
const MISSED_PINGS_MAX = 5

/**
 * The life of a worker.
 *
 * ```
 * starting --it reports that it serves-----------------------> serving
 * starting --it reports why it cannot serve------------------> refused
 * serving  --it misses MISSED_PINGS_MAX pings: it is killed--> unresponsive
 * any      --its process exits-------------------------------> ended
 * ```
 */
type WorkerState =
  | { name: 'starting' }
  | { name: 'serving'; since: number }
  | { name: 'refused'; reason: string }
  | { name: 'unresponsive'; since: number }
  | { name: 'ended' }

export interface WorkerProcess {
  worker: Worker
  /** Resolves with the greeting when the worker serves, with null when it ends before. */
  served: Promise<string | null>
  ended: Promise<WorkerEnd>
}

interface WorkerEnd {
  /** 0 when it never served. */
  servedMs: number
  /** A sentence for the log. */
  reason: string
}

interface WorkerEvents {
  onServing(worker: Worker): void
  onEnd(worker: Worker): void
  /** A message that does not concern the life of the worker. */
  onMessage(worker: Worker, message: ToPrimary): void
}

/** A worker that is just ending does not get the message, which is not an error. */
export const sendToWorker = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(wrapMessage(message), () => {})
}

/** Starts a copy of this command that shares its listening sockets, and kills it when it stops responding. */
export const launchWorker = ({ onServing, onEnd, onMessage }: WorkerEvents): WorkerProcess => {
  const worker = cluster.fork()
  let state: WorkerState = { name: 'starting' }
  let missedPings = 0
  const pinging = setInterval(() => {
    if (state.name !== 'serving') return
    if (missedPings === MISSED_PINGS_MAX) {
      state = { name: 'unresponsive', since: state.since }
      worker.process.kill('SIGKILL')
      return
    }
    missedPings += 1
    sendToWorker(worker, { type: 'ping' })
  }, PING_INTERVAL_MS)

  const ended = once(worker, 'exit').then(([status, signal]: (number | string | null)[]) => {
    clearInterval(pinging)
    const end = endOf(state, status ?? null, signal ?? null)
    state = { name: 'ended' }
    onEnd(worker)
    return end
  })
  const served = new Promise<string | null>((resolve) => {
    void ended.then(() => resolve(null))
    worker.on('message', (received: unknown) => {
      const message = readMessage<ToPrimary>(received)
      if (message?.type === 'serving') {
        state = { name: 'serving', since: performance.now() }
        onServing(worker)
        resolve(message.greeting)
      } else if (message?.type === 'refused') state = { name: 'refused', reason: message.reason }
      else if (message?.type === 'pong') missedPings = 0
      else if (message) onMessage(worker, message)
    })
  })
  return { worker, served, ended }
}

const endOf = (
  state: WorkerState,
  status: number | string | null,
  signal: number | string | null,
): WorkerEnd => ({
  servedMs: 'since' in state ? performance.now() - state.since : 0,
  reason: reasonOf(state) ?? `It ended ${signal ? `by ${signal}` : `with status ${status}`}.`,
})

const reasonOf = (state: WorkerState): string | undefined => {
  if (state.name === 'refused') return state.reason
  if (state.name === 'unresponsive')
    return `It did not respond for ${(PING_INTERVAL_MS * MISSED_PINGS_MAX) / 1000} s.`
  return undefined
}
