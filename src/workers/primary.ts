import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { UsageError } from '../errors.ts'
import type { ConsumeNow } from '../rate/fixed-window.ts'
import { readMessage, type ToPrimary, type ToWorker, type WorkerCounts, wrapMessage } from './messages.ts'
import { makeMetricsAggregation } from './metrics-aggregation.ts'
import { restartBackoff } from './restart-backoff.ts'

interface WorkersOptions {
  /** How many there are to be. */
  workers: number
  /** Counts for all of them. */
  consume: ConsumeNow
  /** The primary's own metrics, beside those of its workers. */
  metrics: () => object[]
  logger: Logger
}

interface Workers {
  /**
   * What the first one has to say to a person at the terminal, when each has served, or failed for the first time.
   * Rejects with a UsageError when the first cannot serve: then there is no other.
   */
  greeting: Promise<string>
  /**
   * Lets every worker finish its requests and end, at whatever moment of the start.
   * @throws Error when one had to be killed
   */
  stop(): Promise<void>
}

/** Longest wait for workers to end by themselves, milliseconds: longer than they take whatever hangs. */
const STOP_TIMEOUT_MS = 9_600

/** How often workers are asked whether they still turn, milliseconds, and how often one may leave that unanswered. */
const PING_INTERVAL_MS = 2_000
const MISSED_PINGS_MAX = 5

/** A worker's life. */
interface WorkerHandle {
  worker: Worker
  /** Resolves with its greeting when it serves, with null when it ends before. */
  served: Promise<string | null>
  ended: Promise<{ servedMs: number; reason: string }>
}

/**
 * Starts workers: copies of this very command, which share its listening sockets. One that ends while nobody
 * stops the service is replaced, and one that stands still is ended.
 */
export const startWorkers = ({ workers: configured, consume, metrics, logger }: WorkersOptions): Workers => {
  const serving = new Set<Worker>()
  const stopping = new AbortController()

  const tell = (worker: Worker, message: ToWorker): void => {
    // One that ends just now hears nothing, which is no error.
    if (worker.isConnected()) worker.send(wrapMessage(message), () => {})
  }
  const gathering = makeMetricsAggregation(tell)
  const countDraw = ([client, requests]: [string, number]): [number, number] => {
    const used = consume(client, requests)
    return [used.requests, used.msLeft]
  }
  const tellAll = (): void => {
    const fleet: WorkerCounts = { configured, serving: serving.size }
    for (const worker of serving) tell(worker, { type: 'fleet', ...fleet })
  }

  const launch = (): WorkerHandle => {
    const worker = cluster.fork()
    let servedFrom: number | undefined
    let refusal: string | undefined
    let unanswered = 0
    const watching = setInterval(() => {
      if (!serving.has(worker)) return
      if (unanswered === MISSED_PINGS_MAX) {
        refusal = `It did not answer for ${(PING_INTERVAL_MS * MISSED_PINGS_MAX) / 1000} s.`
        worker.process.kill('SIGKILL')
      }
      unanswered += 1
      tell(worker, { type: 'ping' })
    }, PING_INTERVAL_MS)
    const ended = once(worker, 'exit').then(([status, signal]: (number | string | null)[]) => {
      clearInterval(watching)
      serving.delete(worker)
      gathering.onWorkerExit(worker)
      tellAll()
      return {
        servedMs: servedFrom === undefined ? 0 : performance.now() - servedFrom,
        reason: refusal ?? `It ended ${signal ? `by ${signal}` : `with status ${status}`}.`,
      }
    })
    const served = new Promise<string | null>((resolve) => {
      void ended.then(() => resolve(null))
      worker.on('message', (received: unknown) => {
        const message = readMessage<ToPrimary>(received)
        if (message?.type === 'count') {
          tell(worker, { type: 'counted', number: message.number, used: message.draws.map(countDraw) })
        } else if (message?.type === 'serving') {
          servedFrom = performance.now()
          serving.add(worker)
          tellAll()
          resolve(message.greeting)
        } else if (message?.type === 'metrics') {
          const { number } = message
          void gathering
            .collect(serving)
            .then((all) => tell(worker, { type: 'metrics', number, all: [...all, metrics()] }))
        } else if (message?.type === 'own metrics') gathering.onReply(worker, message.number, message.own)
        else if (message?.type === 'pong') unanswered = 0
        else if (message?.type === 'refused') refusal = message.reason
      })
    })
    return { worker, served, ended }
  }

  /** Sees to it that there is a worker, until the service stops. */
  const keep = async (running: WorkerHandle): Promise<void> => {
    const pauseAfter = restartBackoff()
    for (let current = running; ; current = launch()) {
      const { servedMs, reason } = await current.ended
      if (stopping.signal.aborted) return
      const ms = pauseAfter(servedMs)
      logger.error({ worker: current.worker.process.pid, pause: ms }, `A worker has gone. ${reason}`)
      await pause(ms, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
    }
  }

  /** What ends when no worker is left. */
  const ends: Promise<unknown>[] = []
  const startAll = async (): Promise<string> => {
    const first = launch()
    ends.push(first.ended)
    const greeting = await first.served
    if (greeting === null) {
      const { reason } = await first.ended
      throw new UsageError(reason)
    }
    ends.push(keep(first))
    if (stopping.signal.aborted) return greeting
    const others = Array.from({ length: configured - 1 }, launch)
    ends.push(...others.map(keep))
    await Promise.all(others.map(({ served }) => served))
    return greeting
  }

  const stop = async (): Promise<void> => {
    stopping.abort()
    let isKilled = false
    const timer = setTimeout(() => {
      isKilled = true
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
    }, STOP_TIMEOUT_MS)
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker && serving.has(worker)) tell(worker, { type: 'stop' })
      else worker?.process.kill('SIGTERM')
    }
    await Promise.all(ends)
    clearTimeout(timer)
    if (isKilled) throw new Error('A worker did not end by itself')
  }
  return { greeting: startAll(), stop }
}
