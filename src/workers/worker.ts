import type { Server, Socket } from 'node:net'
import type { Logger } from 'pino'
import { makeSharedWindow } from '../rate/shared-window.ts'
import { withTimeout } from '../shared/timers.ts'
import { makeChannel, type PrimaryFunctions, type WorkerCounts, type WorkerFunctions } from './channel.ts'

/** How long a request waits for the count of the primary, milliseconds. */
const COUNT_TIMEOUT_MS = 1_000
/** How long a worker waits for the metrics of all workers before it returns only its own, milliseconds. The primary waits a second. */
const METRICS_TIMEOUT_MS = 2_000

/**
 * The primary, as its worker sees it. When the primary ends, node:cluster ends the worker.
 * @param stop called when the primary asks the worker to finish its requests and end
 */
export const joinPrimary = (stop: () => void, logger: Logger) => {
  const servers = new Map<string, Server>()
  let fleet: WorkerCounts = { configured: 1, serving: 0 }
  let ownMetrics: () => Promise<object[]> = async () => []
  const channel = makeChannel<WorkerFunctions, PrimaryFunctions>(
    (message) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => {})
    },
    {
      connection: (setting, socket) => {
        if (socket) servers.get(setting)?.emit('connection', socket as Socket)
      },
      fleet: (counts) => {
        fleet = counts
      },
      metrics: () => ownMetrics().catch(() => []),
      ping: () => {},
      stop,
    },
  )
  process.on('message', channel.receive)
  const tell = (call: Promise<unknown>): void => void call.catch(() => {})
  const count = (client: string) => channel.call('count', client)
  const window = makeSharedWindow(
    { name: 'The primary process', count, timeoutMs: COUNT_TIMEOUT_MS, logger },
    'shared',
  )
  return {
    /** Counts a request among those of all workers. */
    consume: window.consume,
    /** Has the server serve the connections that the primary accepts on the port of a setting. */
    listen: async (server: Server, _port: number, _host: string | undefined, setting: string) => {
      servers.set(setting, server)
      server.emit('listening') // starts node:http's check for requests that take too long to arrive
    },
    fleet: () => fleet,
    /** Metrics of every process, or gauges of this one. @param own returns those of this one, also when another worker asks */
    metrics: (own: () => Promise<object[]>) => {
      ownMetrics = own
      const gauges = async () => [(await own()).filter((one) => (one as { type?: unknown }).type === 'gauge')]
      return () => withTimeout(channel.call('metrics'), METRICS_TIMEOUT_MS).catch(gauges)
    },
    follow: () => tell(channel.call('follow')),
    /** Reports that this worker serves. @param greeting for a person at the terminal */
    reportServing: (greeting: string) => tell(channel.call('serving', greeting)),
    /** Reports why this worker cannot serve. */
    reportStartFailure: (reason: string) => tell(channel.call('refused', reason)),
    /** Reports the last metrics, and closes the channel, so that this process can end. */
    disconnect: async () => {
      window.close()
      const last = ownMetrics().then((metrics) => channel.call('ending', metrics))
      await withTimeout(last, METRICS_TIMEOUT_MS).catch(() => {})
      if (process.connected) process.disconnect()
    },
  }
}
