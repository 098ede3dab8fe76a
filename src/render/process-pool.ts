import { RENDER_LIMITS } from '../limits.ts'
import type { RenderProcess } from './process.ts'
import type { RenderTask } from './render-queue.ts'
import type { RenderResult } from './render-result.ts'

/**
 * A process that has started.
 *
 * ```
 * idle    --it gets a task------------------------------------------> running
 * running --the task is rendered------------------------------------> idle
 * running --the task fails, or gives way to shorter ones------------> ended
 * idle    --it has no task for `idleMs`, and is not the last process-> ended
 * any     --the process exits, or the pool closes--------------------> ended
 * ```
 *
 * An `ended` process is no longer in the pool.
 */
interface ProcessSlot {
  readonly process: RenderProcess
  activity: { state: 'idle'; timer?: NodeJS.Timeout } | { state: 'running'; task: RenderTask }
}

/**
 * How a task ended.
 * - `rendered`: with HTML, or with a failure that the text is to blame for
 * - `preempted`: its process was ended, because too many long tasks were running
 * - `inconclusive`: the machine was too busy, or something outside ended the process
 */
export type TaskOutcome =
  | { kind: 'rendered'; result: RenderResult }
  | { kind: 'preempted' }
  | { kind: 'inconclusive' }

/** Processes that render one task each. */
interface ProcessPool {
  /** Processes that have started, whether idle or running. */
  readonly size: number
  readonly running: number
  /** Whether a process may take a task that is known to take long. */
  allowsLong(): boolean
  hasIdle(): boolean
  /** Renders a task in an idle process, of which there must be one. Never rejects. */
  run(task: RenderTask): Promise<TaskOutcome>
  /** Starts a process if so many waiting tasks need one. */
  grow(waiting: number): void
  close(): void
}

interface ProcessPoolOptions {
  start(): Promise<RenderProcess>
  /** A process has started. */
  onStart(): void
  onStartFailed(error: unknown): void
}

export const makeProcessPool = ({ start, onStart, onStartFailed }: ProcessPoolOptions): ProcessPool => {
  const slots = new Set<ProcessSlot>()
  let starting = 0
  let isClosed = false

  const runningTasks = (): RenderTask[] =>
    [...slots].flatMap(({ activity }) => (activity.state === 'running' ? [activity.task] : []))
  const longTasks = (): number => runningTasks().filter(({ duration }) => duration === 'long').length
  const rest = (slot: ProcessSlot): void => {
    const timer = setTimeout(() => {
      if (slots.size === 1) return
      slots.delete(slot)
      slot.process.kill()
    }, RENDER_LIMITS.idleMs).unref()
    slot.activity = { state: 'idle', timer }
  }
  const clearIdle = ({ activity }: ProcessSlot): void => {
    if (activity.state === 'idle') clearTimeout(activity.timer)
  }

  const add = (process: RenderProcess): void => {
    const slot: ProcessSlot = { process, activity: { state: 'idle' } }
    slots.add(slot)
    rest(slot)
    void process.exited.then(() => {
      slots.delete(slot)
      clearIdle(slot)
    })
  }
  const startOne = async (): Promise<void> => {
    starting += 1
    try {
      const process = await start()
      if (isClosed) process.kill()
      else add(process)
    } catch (error) {
      starting -= 1
      onStartFailed(error)
      return // the next task tries again
    }
    starting -= 1
    onStart()
  }

  return {
    get size() {
      return slots.size
    },
    get running() {
      return runningTasks().length
    },
    allowsLong: () => longTasks() < RENDER_LIMITS.longProcesses,
    hasIdle: () => [...slots].some(({ activity }) => activity.state === 'idle'),
    run: async (task) => {
      const slot = [...slots].find(({ activity }) => activity.state === 'idle')!
      clearIdle(slot)
      slot.activity = { state: 'running', task }
      let isPreempted = false
      const longTimer = setTimeout(() => {
        task.duration = 'long'
        isPreempted = longTasks() > RENDER_LIMITS.longProcesses
        if (isPreempted) slot.process.kill()
      }, RENDER_LIMITS.longMs)
      const { rendering, isFinal } = await slot.process.run(task.job)
      clearTimeout(longTimer)
      if (isFinal || isPreempted) slots.delete(slot)
      else rest(slot)
      if (rendering !== null) return { kind: 'rendered', result: rendering }
      return { kind: isPreempted ? 'preempted' : 'inconclusive' }
    },
    grow: (waiting) => {
      const running = runningTasks().length
      // One process more than there are tasks, so that the next task does not wait for a start.
      const wanted = running + waiting + (running > 0 ? 1 : 0)
      const size = slots.size + starting
      if (!isClosed && size < RENDER_LIMITS.processes && size < wanted) void startOne()
    },
    close: () => {
      isClosed = true
      for (const slot of slots) {
        clearIdle(slot)
        slot.process.kill()
      }
      slots.clear()
    },
  }
}
