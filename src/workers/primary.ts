import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { UsageError } from '../errors.ts'
import type { ConsumeNow } from '../rate/fixed-window.ts'
import type { ToPrimary } from './messages.ts'
import { makeMetricsAggregation } from './metrics-aggregation.ts'
import { restartBackoff } from './restart-backoff.ts'
import { launchWorker, sendToWorker, type WorkerProcess } from './worker-process.ts'

interface WorkersOptions {
  /** How many workers to run. */
  workers: number
  /** Counts the requests of clients for all workers. */
  consume: ConsumeNow
  /** The primary's own metrics, which join those of its workers. */
  metrics: () => object[]
  /** Asks the followers to check their sources now. */
  follow: () => void
  logger: Logger
}

interface Workers {
  /**
   * The greeting of the first worker for a person at the terminal, when each worker has served or failed once.
   * Rejects with a UsageError when the first cannot serve: then no other worker starts.
   */
  greeting: Promise<string>
  /**
   * Lets every worker finish its requests and end. You can call it at any time, also during the start.
   * @throws Error when a worker had to be killed
   */
  stop(): Promise<void>
}

/** How long workers may take to end by themselves, milliseconds: longer than they take when a connection hangs. */
const STOP_TIMEOUT_MS = 9_600

/**
 * Starts workers. Until the service stops, the primary replaces a worker that ends, and kills a worker that no longer
 * responds.
 */
export const startWorkers = ({
  workers: configured,
  consume,
  metrics,
  follow,
  logger,
}: WorkersOptions): Workers => {
  const serving = new Set<Worker>()
  const stopping = new AbortController()
  const aggregation = makeMetricsAggregation(sendToWorker)
  const sendFleet = (): void => {
    for (const worker of serving) sendToWorker(worker, { type: 'fleet', configured, serving: serving.size })
  }
  const onMessage = (worker: Worker, message: ToPrimary): void => {
    if (message.type === 'count') {
      const consumptions = message.leases.map(([client, requests]): [number, number] => {
        const consumption = consume(client, requests)
        return [consumption.requests, consumption.msLeft]
      })
      sendToWorker(worker, { type: 'counted', number: message.number, consumptions })
    } else if (message.type === 'metrics') {
      const { number } = message
      void aggregation
        .collect(serving)
        .then((all) => sendToWorker(worker, { type: 'metrics', number, all: [...all, metrics()] }))
    } else if (message.type === 'follow') follow()
    else if (message.type === 'own metrics') aggregation.onReply(worker, message.number, message.own)
  }
  const launch = (): WorkerProcess =>
    launchWorker({
      onServing: (worker) => {
        serving.add(worker)
        sendFleet()
      },
      onEnd: (worker) => {
        serving.delete(worker)
        aggregation.onWorkerExit(worker)
        sendFleet()
      },
      onMessage,
    })

  /** Promises that settle when no worker is left. */
  const ends: Promise<unknown>[] = []
  return {
    greeting: startAll(configured, launch, stopping.signal, logger, ends),
    stop: async () => {
      stopping.abort()
      await stopAll(serving, ends)
    },
  }
}

/** Starts the first worker, then the others. @param ends gets a promise for each worker */
const startAll = async (
  configured: number,
  launch: () => WorkerProcess,
  stopping: AbortSignal,
  logger: Logger,
  ends: Promise<unknown>[],
): Promise<string> => {
  const first = launch()
  ends.push(first.ended)
  const greeting = await first.served
  if (greeting === null) {
    const { reason } = await first.ended
    throw new UsageError(reason)
  }
  ends.push(keepRunning(first, launch, stopping, logger))
  if (stopping.aborted) return greeting
  const others = Array.from({ length: configured - 1 }, launch)
  ends.push(...others.map((other) => keepRunning(other, launch, stopping, logger)))
  await Promise.all(others.map(({ served }) => served))
  return greeting
}

/** Replaces a worker each time it ends, until the service stops. */
const keepRunning = async (
  first: WorkerProcess,
  launch: () => WorkerProcess,
  stopping: AbortSignal,
  logger: Logger,
): Promise<void> => {
  const nextDelay = restartBackoff()
  for (let current = first; ; current = launch()) {
    const { servedMs, reason } = await current.ended
    if (stopping.aborted) return
    const ms = nextDelay(servedMs)
    logger.error({ worker: current.worker.process.pid, pause: ms }, `A worker has ended. ${reason}`)
    await pause(ms, undefined, { signal: stopping }).catch(() => {})
    if (stopping.aborted) return
  }
}

const stopAll = async (serving: ReadonlySet<Worker>, ends: Promise<unknown>[]): Promise<void> => {
  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  let isKilled = false
  const timer = setTimeout(() => {
    isKilled = true
    for (const worker of workers()) worker.process.kill('SIGKILL')
  }, STOP_TIMEOUT_MS)
  for (const worker of workers()) {
    if (serving.has(worker)) sendToWorker(worker, { type: 'stop' })
    else worker.process.kill('SIGTERM')
  }
  await Promise.all(ends)
  clearTimeout(timer)
  if (isKilled) throw new Error('A worker did not end by itself')
}
