import type { Unavailable } from '@lectern/wiki/errors'
import { RENDER_LIMITS } from '../limits/rendering.ts'
import type { RenderJob, RenderResult } from './render-result.ts'

/** A text that waits for a process, or that a process renders. */
export interface RenderTask {
  readonly job: RenderJob
  /** `long`: it is longer than `RENDER_LIMITS.longLength`, or once ran for longer than `longMs`. */
  duration: 'unknown' | 'long'
  /** 2 when the process of the first attempt was lost. */
  attempt: 1 | 2
  resolve(result: RenderResult): void
  reject(error: Unavailable): void
}

export const isShort = ({ job }: RenderTask): boolean => job.markdown.length <= RENDER_LIMITS.shortLength

/** `short`: see `isShort`. */
export type AllowedTasks = 'none' | 'short' | 'not known to take long' | 'all'

/**
 * Tasks that wait for a process.
 * @param onTimeout called with a task that has waited too long, and is no longer in the queue
 */
export const makeRenderQueue = (onTimeout: (task: RenderTask) => void) => {
  const timers = new Map<RenderTask, NodeJS.Timeout>()
  let totalLength = 0

  const remove = (task: RenderTask): void => {
    clearTimeout(timers.get(task))
    if (timers.delete(task)) totalLength -= task.job.markdown.length
  }
  const expire = (task: RenderTask): void => {
    remove(task)
    onTimeout(task)
  }
  const next = (allowed: AllowedTasks): RenderTask | undefined => {
    if (allowed === 'none') return undefined
    let shortest: RenderTask | undefined
    for (const task of timers.keys()) {
      if (task.duration === 'long') continue
      if (!shortest || task.job.markdown.length < shortest.job.markdown.length) shortest = task
    }
    if (allowed === 'short') return shortest && isShort(shortest) ? shortest : undefined
    if (shortest || allowed !== 'all') return shortest
    return timers.keys().next().value
  }

  return {
    get size(): number {
      return timers.size
    },
    /** @returns false when the queue is full: the task is not in it */
    add: (task: RenderTask): boolean => {
      const length = totalLength + task.job.markdown.length
      if (timers.size >= RENDER_LIMITS.waiting || length > RENDER_LIMITS.waitingLength) return false
      totalLength = length
      const ms = task.duration === 'long' ? RENDER_LIMITS.longWaitMs : RENDER_LIMITS.waitMs
      timers.set(task, setTimeout(expire, ms, task))
      return true
    },
    /**
     * Takes the next task out of the queue: the shortest text that is not known to take long, so that a task that is
     * likely to finish soon does not wait behind one that is not; then the long task that waits longest.
     */
    take: (allowed: AllowedTasks): RenderTask | undefined => {
      const task = next(allowed)
      if (task) remove(task)
      return task
    },
    clear: (): RenderTask[] => {
      const tasks = [...timers.keys()]
      for (const task of tasks) remove(task)
      return tasks
    },
  }
}
