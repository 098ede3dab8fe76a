import { availableParallelism } from 'node:os'
import { RENDER_LIMITS } from '../limits/rendering.ts'
import type { RenderOutcome, RenderProcess } from './process.ts'
import { type AllowedTasks, isShort, type RenderTask } from './render-queue.ts'

/**
 * A process that has started.
 *
 * ```
 * idle    --it gets a task--------------------------------------------> running
 * running --the task is rendered, fails, or gives way to shorter ones-> idle
 * idle    --it has no task for `idleMs`, and is not the last process---> ended
 * any     --the process exits, or the pool closes----------------------> ended
 * ```
 *
 * An `ended` process is no longer in the pool.
 */
interface ProcessSlot {
  readonly process: RenderProcess
  activity: { state: 'idle'; timer?: NodeJS.Timeout } | { state: 'running'; task: RenderTask }
}

/** How a task ended: with a result, interrupted, or preempted, because too many long tasks were running. */
export type TaskOutcome = RenderOutcome['rendering']

interface ProcessPoolOptions {
  start(): Promise<RenderProcess>
  longProcesses?: number | undefined
  onStart(): void
  onStartFailed(error: unknown): void
}

const CORES = availableParallelism()

export class ProcessPool {
  readonly #options: ProcessPoolOptions
  readonly #longProcesses: number
  readonly #slots = new Set<ProcessSlot>()
  #starting = 0
  #isClosed = false

  constructor(options: ProcessPoolOptions) {
    this.#options = options
    this.#longProcesses =
      options.longProcesses ?? Math.min(RENDER_LIMITS.longProcesses, Math.max(1, CORES - 1))
  }

  /** Processes that have started, whether idle or running. */
  get size(): number {
    return this.#slots.size
  }

  get running(): number {
    return this.#runningTasks().length
  }

  /**
   * Which tasks a process may take. Beside a task that takes long, one idle process stays for short texts, because it would
   * take long to replace it; and there are no more tasks of unknown duration than cores, because they may take long, too.
   */
  allowed(): AllowedTasks {
    const idle = this.#slots.size - this.running
    const long = this.#longTasks()
    if (idle === 0) return 'none'
    if (long > 0 && (idle === 1 || this.running >= Math.max(2, CORES))) return 'short'
    return long < this.#longProcesses ? 'all' : 'not known to take long'
  }

  /** Renders a task in an idle process, of which there must be one. Never rejects. */
  async run(task: RenderTask): Promise<TaskOutcome> {
    const idle = [...this.#slots].filter(({ activity }) => activity.state === 'idle')
    // The oldest one has compiled most, and serves short texts soonest.
    const slot = idle.at(isShort(task) ? 0 : -1)!
    clearIdleTimer(slot)
    slot.activity = { state: 'running', task }
    const longTimer = setTimeout(
      () => {
        task.duration = 'long'
        if (this.#longTasks() > this.#longProcesses) slot.process.stop()
        else this.grow(0)
      },
      RENDER_LIMITS[isShort(task) ? 'shortMs' : 'longMs'],
    )
    const { rendering, isFinal } = await slot.process.run(task.job)
    clearTimeout(longTimer)
    if (isFinal) this.#slots.delete(slot)
    else this.#rest(slot)
    return rendering
  }

  /** Starts a process if this number of waiting tasks needs one more. */
  grow(waiting: number): void {
    // More processes than cores would only compete, and each has to compile the renderer. Beside tasks that take long,
    // one more than there are tasks, so that the next one does not wait for a start.
    const long = this.#longTasks()
    const wanted = Math.min(this.running + waiting, CORES + long) + (long > 0 ? 1 : 0)
    const size = this.#slots.size + this.#starting
    if (!this.#isClosed && size < RENDER_LIMITS.processes && size < wanted) void this.#start()
  }

  close(): void {
    this.#isClosed = true
    for (const slot of this.#slots) {
      clearIdleTimer(slot)
      slot.process.kill()
    }
    this.#slots.clear()
  }

  async #start(): Promise<void> {
    this.#starting += 1
    try {
      const process = await this.#options.start()
      if (this.#isClosed) process.kill()
      else this.#add(process)
    } catch (error) {
      return this.#options.onStartFailed(error) // the next task tries again
    } finally {
      this.#starting -= 1
    }
    this.#options.onStart()
  }

  #add(process: RenderProcess): void {
    const slot: ProcessSlot = { process, activity: { state: 'idle' } }
    this.#slots.add(slot)
    this.#rest(slot)
    void process.exited.then(() => {
      this.#slots.delete(slot)
      clearIdleTimer(slot)
    })
  }

  #rest(slot: ProcessSlot): void {
    const timer = setTimeout(() => {
      if (this.#slots.size === 1) return
      this.#slots.delete(slot)
      slot.process.kill()
    }, RENDER_LIMITS.idleMs).unref()
    slot.activity = { state: 'idle', timer }
  }

  #runningTasks(): RenderTask[] {
    return [...this.#slots].flatMap(({ activity }) => (activity.state === 'running' ? [activity.task] : []))
  }

  #longTasks(): number {
    return this.#runningTasks().filter(({ duration }) => duration === 'long').length
  }
}

const clearIdleTimer = ({ activity }: ProcessSlot): void => {
  if (activity.state === 'idle') clearTimeout(activity.timer)
}
