import { Unavailable } from '@lectern/wiki/errors'
import { RENDER_LIMITS } from '../limits/rendering.ts'
import { type RenderProcess, startRenderProcess } from './process.ts'
import { ProcessPool, type TaskOutcome } from './process-pool.ts'
import { makeRenderQueue, type RenderTask } from './render-queue.ts'
import { type RenderFailure, type RenderJob, type RenderResult, RenderUnfinished } from './render-result.ts'

/**
 * What a renderer has done since its start, and what it does now. You can read it at any time.
 * - `renders`: texts that a process rendered, or that failed
 * - `shed`: texts that no process got: the queue was full, or they waited too long
 * - `unfinished`: texts that a process did not finish, because it had too little processor time, or was lost
 * - `processes`: those that have started, whether idle or running
 */
export type RenderCounts = Renderer['counts']

export type Renderer = ReturnType<typeof makeRenderer>

interface RendererOptions {
  start?: (() => Promise<RenderProcess>) | undefined
  /** How many processes may render texts that take long at a time. Default: a core stays free for requests. */
  longProcesses?: number | undefined
}

const tooManyPages = (cause: unknown): Unavailable =>
  new Unavailable('Too many pages are being rendered. Try again in a moment.', 1, cause)

/**
 * Renders in a few separate processes, and starts each when it is needed. When too many texts take long, a long one
 * gives way to the others, and returns to the queue. While the first process starts, a text may wait for longer: no
 * other text is before it. A start that takes too long fails.
 */
export const makeRenderer = ({ start = startRenderProcess, longProcesses }: RendererOptions = {}) => {
  const failures: Record<RenderFailure, number> = { time: 0, memory: 0, output: 0, input: 0, parser: 0 }
  const totals = { renders: 0, shed: 0, unfinished: 0 }
  let isClosed = false

  const refuse = (task: RenderTask, count: 'shed' | 'unfinished', error: Unavailable): void => {
    totals[count] += 1
    task.reject(error)
  }
  const shed = (task: RenderTask, cause?: unknown) => refuse(task, 'shed', tooManyPages(cause))
  const queue = makeRenderQueue((task) => (pool.size === 0 ? enqueue(task) : shed(task)))
  const enqueue = (task: RenderTask): void => (isClosed || !queue.add(task) ? shed(task) : dispatch())

  const dispatch = (): void => {
    for (let task = queue.take(pool.allowed()); task; task = queue.take(pool.allowed())) {
      const taken = task
      void pool.run(taken).then((outcome) => settle(taken, outcome))
    }
    pool.grow(queue.size)
  }
  const shedAll = (cause?: unknown): void => {
    for (const task of queue.clear()) shed(task, cause)
  }
  const pool = new ProcessPool({ start, longProcesses, onStart: dispatch, onStartFailed: shedAll })

  const settle = (task: RenderTask, outcome: TaskOutcome): void => {
    if (typeof outcome === 'object') finish(task, outcome)
    else if (outcome === 'preempted' || isClosed) enqueue(task)
    else if (outcome === 'lost' && task.attempt === 1) enqueue(Object.assign(task, { attempt: 2 as const }))
    else refuse(task, 'unfinished', new RenderUnfinished(outcome))
    dispatch()
  }
  const finish = (task: RenderTask, result: RenderResult): void => {
    totals.renders += 1
    if ('failure' in result) failures[result.failure] += 1
    task.resolve(result)
  }

  return {
    render: (job: RenderJob): Promise<RenderResult> => {
      if (job.markdown.length > RENDER_LIMITS.textLength) {
        failures.input += 1
        return Promise.resolve({ failure: 'input' })
      }
      const duration = job.markdown.length > RENDER_LIMITS.longLength ? 'long' : 'unknown'
      return new Promise((resolve, reject) => enqueue({ job, duration, attempt: 1, resolve, reject }))
    },
    get counts() {
      return { ...totals, failures, queued: queue.size, running: pool.running, processes: pool.size }
    },
    /** Ends the processes. Waiting and later callers get Unavailable. */
    close: async (): Promise<void> => {
      isClosed = true
      shedAll()
      pool.close()
    },
  }
}
