import { Unavailable } from '../errors.ts'
import { RENDER_LIMITS } from '../limits/rendering.ts'
import { type RenderProcess, startRenderProcess } from './process.ts'
import { ProcessPool, type TaskOutcome } from './process-pool.ts'
import { makeRenderQueue, type RenderTask } from './render-queue.ts'
import type { Render, RenderFailure, RenderResult } from './render-result.ts'

/** What a renderer has done since its start, and what it does now. You can read it at any time. */
export interface RenderCounts {
  /** Texts that a process rendered or failed to render. */
  renders: number
  failures: Record<RenderFailure, number>
  /** Texts that no process got: the queue was full, or they waited too long. */
  shed: number
  queued: number
  running: number
  /** Processes that have started, whether idle or running. */
  processes: number
}

export interface Renderer {
  render: Render
  readonly counts: Readonly<RenderCounts>
  /** Ends the processes. Waiting and later callers get Unavailable. */
  close(): Promise<void>
}

const tooManyPages = (cause: unknown): Unavailable =>
  new Unavailable('Too many pages are being rendered. Try again in a moment.', 1, cause)

/**
 * Renders in a few separate processes, and starts each when it is needed. When too many texts take long, a long one
 * gives way to the others, and returns to the queue.
 */
export const makeRenderer = (start: () => Promise<RenderProcess> = startRenderProcess): Renderer => {
  const failures = { time: 0, memory: 0, output: 0, input: 0, parser: 0 }
  const totals = { renders: 0, shed: 0 }
  let isClosed = false

  const shed = (task: RenderTask, cause?: unknown): void => {
    totals.shed += 1
    task.reject(tooManyPages(cause))
  }
  const queue = makeRenderQueue(shed)
  const enqueue = (task: RenderTask): void => (isClosed || !queue.add(task) ? shed(task) : dispatch())

  const dispatch = (): void => {
    while (pool.hasIdle()) {
      const task = queue.take(pool.allowsLong())
      if (task === undefined) break
      void pool.run(task).then((outcome) => settle(task, outcome))
    }
    pool.grow(queue.size)
  }
  const shedAll = (cause?: unknown): void => {
    for (const task of queue.clear()) shed(task, cause)
  }
  const pool = new ProcessPool({ start, onStart: dispatch, onStartFailed: shedAll })

  const settle = (task: RenderTask, outcome: TaskOutcome): void => {
    if (outcome.kind === 'rendered') finish(task, outcome.result)
    else if (outcome.kind === 'preempted') enqueue(task)
    else if (task.attempt === 2 && !isClosed) finish(task, { failure: 'time', isSure: false })
    else enqueue(Object.assign(task, { attempt: 2 as const }))
    dispatch()
  }
  const finish = (task: RenderTask, result: RenderResult): void => {
    totals.renders += 1
    if ('failure' in result) failures[result.failure] += 1
    task.resolve(result)
  }

  return {
    render: (job) => {
      if (job.markdown.length > RENDER_LIMITS.textLength) {
        failures.input += 1
        return Promise.resolve({ failure: 'input', isSure: true })
      }
      return new Promise((resolve, reject) => {
        enqueue({ job, duration: 'unknown', attempt: 1, resolve, reject })
      })
    },
    get counts() {
      return { ...totals, failures, queued: queue.size, running: pool.running, processes: pool.size }
    },
    close: async () => {
      isClosed = true
      shedAll()
      pool.close()
    },
  }
}
