import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { UsageError } from '@lectern/wiki/errors'
import type { Log } from '../log/log.ts'
import type { Consumption } from '../rate/fixed-window.ts'
import { restartBackoff, withTimeout } from '../shared/timers.ts'
import { type Channel, makeChannel, type PrimaryFunctions, type WorkerFunctions } from './channel.ts'
import type { Distribution } from './distribution.ts'

interface WorkersOptions {
  workers: number
  /** Variables of the workers that differ from those of this process. */
  environment: Record<string, string>
  distribution: Distribution
  /** Counts the requests of clients for all workers. */
  consume(client: string): Consumption
  /** The primary's own metrics, which join those of its workers. */
  metrics(): Promise<object[]>
  /** Adds the counters of two processes. Their other metrics are left out. */
  addCounters(one: object[], other: object[]): Promise<object[]>
  follow(): void
  log: Log
}

/** How long workers may take to end by themselves, milliseconds: longer than they take when a connection hangs. */
const STOP_TIMEOUT_MS = 9_600
/** Time between two pings of a worker, and how long it may take to respond, milliseconds. */
const PING_INTERVAL_MS = 2_000
const PING_TIMEOUT_MS = 10_000
/** The longest wait for the metrics of a worker, milliseconds. */
const METRICS_TIMEOUT_MS = 1_000

/** A worker that serves, or finishes its requests, and its metrics at its last reply. */
type ServingWorker = Pick<Channel<WorkerFunctions>, 'call'> & { metrics: object[] }

type WorkerProcess = ReturnType<typeof launchWorker>

/** Starts workers. Until the service stops, one that ends is replaced, and one that no longer responds is killed. */
export const startWorkers = (options: WorkersOptions) => {
  // Without options: a worker gets the settings through the environment, and Node would look for the --env-file again.
  cluster.setupPrimary({ args: ['serve'], stdio: options.log.childStdio })
  const serving = new Map<Worker, ServingWorker>()
  const metrics = makeFleetMetrics(options)
  const stopping = new AbortController()
  /** A promise for each worker, also of the past. */
  const ends: Promise<unknown>[] = []
  const launch = () => launchWorker(options, serving, metrics, ends)
  return {
    ...makeSlots(options, launch, stopping.signal),
    /** Lets every worker finish its requests and end, also during the start. @throws Error when one had to be killed */
    stop: async () => {
      stopping.abort()
      await stopAll(serving, ends)
    },
  }
}

/** The places of workers, which others take after them. Long: its functions share the places. */
const makeSlots = (
  { workers, log: { logger } }: WorkersOptions,
  launch: () => WorkerProcess,
  stopping: AbortSignal,
) => {
  type Slot = { worker: WorkerProcess }
  const slots: Slot[] = []
  const replaced: Slot[] = []
  /** Replaces a worker each time it ends, unless another one has its place already, until the service stops. */
  const keepRunning = async (first: WorkerProcess): Promise<void> => {
    const slot = { worker: first }
    slots.push(slot)
    const nextDelay = restartBackoff()
    for (;;) {
      const current = slot.worker
      const { servedMs, reason } = await current.ended
      if (stopping.aborted) return
      if (slot.worker !== current) continue
      const ms = nextDelay(servedMs)
      logger.error({ worker: current.pid, pause: ms }, `A worker has ended. ${reason}`)
      await pause(ms, undefined, { signal: stopping }).catch(() => {})
      if (stopping.aborted) return
      if (slot.worker === current) slot.worker = launch()
    }
  }
  const start = async (): Promise<string> => {
    const first = launch()
    const greeting = await greetingOf(first)
    void keepRunning(first)
    if (stopping.aborted) return greeting
    const others = Array.from({ length: workers - 1 }, launch)
    for (const one of others) void keepRunning(one)
    await Promise.all(others.map(({ served }) => served))
    return greeting
  }
  const renew = async (slot: Slot): Promise<void> => {
    if (stopping.aborted) return
    const old = slot.worker
    const next = launch()
    await greetingOf(next)
    slot.worker = next
    old.retire()
    await old.ended
  }
  return {
    /**
     * The greeting of the first worker for a person at the terminal, when each worker has served or failed once.
     * Rejects with a UsageError when the first cannot serve: then no other worker starts.
     */
    greeting: start(),
    /**
     * Replaces the workers one by one, each when its successor serves, so that they read the settings again.
     * @throws UsageError when a successor cannot serve
     */
    replace: async () => {
      for (const slot of slots) {
        await renew(slot)
        replaced.push(slot)
      }
      replaced.length = 0
    },
    /** With the settings of before: replaces again those that a failed `replace` has replaced. */
    undoReplace: async () => {
      for (const slot of replaced.splice(0)) await renew(slot).catch(() => {})
    },
  }
}

/** @returns the greeting of a worker that serves. @throws UsageError when it cannot serve */
const greetingOf = async ({ served, ended }: WorkerProcess): Promise<string> => {
  const greeting = await served
  if (greeting === null) throw new UsageError((await ended).reason)
  return greeting
}

const describeEnd = (status: unknown, signal: unknown, hasServed: boolean): string => {
  const how = `ended ${signal ? `by ${signal}` : `with status ${status}`}`
  return hasServed ? `It ${how}.` : `The worker ${how} before it served.`
}

/**
 * Starts a copy of this command as a worker. It is in `serving` from its report that it serves until it ends.
 * Long: its functions share the state of the worker.
 */
const launchWorker = (
  { workers: configured, environment, distribution, consume, follow, log }: WorkersOptions,
  serving: Map<Worker, ServingWorker>,
  metrics: ReturnType<typeof makeFleetMetrics>,
  ends: Promise<unknown>[],
) => {
  const worker = cluster.fork(environment)
  log.relay(worker.process)
  let servingSince: number | undefined
  let reason: string | undefined
  let onServing: (greeting: string) => void
  const send = (message: object, socket?: unknown): unknown =>
    worker.isConnected() && worker.send(message, socket as Socket, { keepOpen: true }, () => {})
  const channel = makeChannel<PrimaryFunctions, WorkerFunctions>(send, {
    serving: (greeting) => {
      if (worker.process.killed) return // it has not known yet that it is to end
      servingSince = performance.now()
      serving.set(worker, state)
      metrics.add(state)
      distribution.addWorker(async (setting, socket) => {
        if (!serving.has(worker)) throw new Error('It is replaced')
        await channel.call('connection', setting, socket)
      })
      sendFleet(serving, configured)
      onServing(greeting)
    },
    refused: (text) => {
      reason = text
    },
    count: consume,
    metrics: metrics.ofAll,
    ending: (metrics) => void Object.assign(state, { metrics }),
    follow,
  })
  const state: ServingWorker = { call: channel.call, metrics: [] }
  worker.on('message', channel.receive)
  /** How long it served, 0 when it never did, and a sentence for the log. */
  const ended = once(worker.process, 'close').then(([status, signal]: (number | string | null)[]) => {
    channel.close()
    metrics.end(state)
    if (serving.delete(worker)) sendFleet(serving, configured)
    const servedMs = servingSince === undefined ? 0 : performance.now() - servingSince
    return { servedMs, reason: reason ?? describeEnd(status, signal, servedMs > 0) }
  })
  ends.push(ended)
  /** Resolves with the greeting when the worker serves, with null when it ends before. */
  const served = new Promise<string | null>((resolve) => {
    onServing = resolve
    void ended.then(() => resolve(null))
  })
  void served.then(async (greeting) => {
    if (greeting === null || !(await stopsResponding(channel))) return
    reason = `It did not respond for ${PING_TIMEOUT_MS / 1000} s.`
    worker.process.kill('SIGKILL')
  })
  /** Lets it finish its requests and end. It gets no more connections. */
  const retire = (): void => {
    if (serving.delete(worker)) channel.call('stop').catch(() => {})
    else worker.process.kill('SIGTERM')
    sendFleet(serving, configured)
  }
  return { pid: worker.process.pid, served, ended, retire }
}

const sendFleet = (serving: ReadonlyMap<Worker, ServingWorker>, configured: number): void => {
  for (const { call } of serving.values())
    call('fleet', { configured, serving: serving.size }).catch(() => {})
}

/** Resolves with true when a worker no longer responds, with false when it has ended. */
const stopsResponding = async ({ call }: Pick<ServingWorker, 'call'>): Promise<boolean> => {
  const silence = new Error('No reply')
  for (;;) {
    try {
      await withTimeout(call('ping'), PING_TIMEOUT_MS, () => silence)
    } catch (error) {
      return error === silence
    }
    await pause(PING_INTERVAL_MS, undefined, { ref: false })
  }
}

/** The metrics of all processes. Counters must not decrease: those of workers that have ended stay. */
const makeFleetMetrics = ({ metrics, addCounters }: WorkersOptions) => {
  const workers = new Set<ServingWorker>()
  let ended: Promise<object[]> = Promise.resolve([])
  const ask = async (worker: ServingWorker): Promise<object[]> => {
    const reply = withTimeout(worker.call('metrics'), METRICS_TIMEOUT_MS)
    worker.metrics = await reply.catch(() => worker.metrics)
    return worker.metrics
  }
  return {
    ofAll: (): Promise<object[][]> => Promise.all([ended, metrics(), ...Array.from(workers, ask)]),
    add: (worker: ServingWorker) => workers.add(worker),
    end: (worker: ServingWorker): void => {
      if (workers.delete(worker))
        ended = ended.then((before) => addCounters(before, worker.metrics).catch(() => before))
    },
  }
}

const stopAll = async (serving: ReadonlyMap<Worker, ServingWorker>, ends: Promise<unknown>[]) => {
  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  for (const worker of workers()) {
    const channel = serving.get(worker)
    if (channel) channel.call('stop').catch(() => {})
    else worker.process.kill('SIGTERM')
  }
  await withTimeout(Promise.all(ends), STOP_TIMEOUT_MS).catch(async () => {
    for (const worker of workers()) worker.process.kill('SIGKILL')
    await Promise.all(ends)
    throw new Error('A worker did not end by itself')
  })
}
