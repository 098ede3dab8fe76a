import { Unavailable } from '../errors.ts'
import { RENDER_LIMITS } from '../limits.ts'
import { type RenderProcess, startRenderProcess } from './process.ts'
import type { Render, RenderFailure, RenderJob, RenderResult } from './render-result.ts'

/** What a renderer did since it was made, and does now: read it at any time. */
export interface RenderCounts {
  /** Texts that were tried. */
  renders: number
  failures: Record<RenderFailure, number>
  /** Texts that were not tried: too many waited, or they waited too long. */
  shed: number
  queued: number
  running: number
  /** Started, whether busy or not. */
  processes: number
}

export interface Renderer {
  render: Render
  readonly counts: Readonly<RenderCounts>
  /** Ends its processes; who waits for one gets Unavailable, and so does who comes later. */
  close(): Promise<void>
}

/** A text that waits for a process, or is at one. */
interface Task {
  job: RenderJob
  /** Whether it is known to take long: then it waits for one of the processes that such may have. */
  isLong: boolean
  /** Whether it was tried once without a fair chance. */
  isSecond: boolean
  /** Set while it waits: it is given up then. */
  timer?: NodeJS.Timeout
  resolve(rendering: RenderResult): void
  reject(error: Unavailable): void
}

/** A process and what it is at. */
interface ProcessSlot {
  process: RenderProcess
  task?: Task
  idle?: NodeJS.Timeout
}

/**
 * Renders in a few processes of its own, started when they are needed. A text that takes long gives its place
 * to others when too many such are being rendered, and waits for its turn.
 */
export const makeRenderer = (start: () => Promise<RenderProcess> = startRenderProcess): Renderer => {
  const failures = { time: 0, memory: 0, output: 0, input: 0, parser: 0 }
  const done = { renders: 0, shed: 0 }
  const seats = new Set<ProcessSlot>()
  const waiting = new Set<Task>()
  let waitingLength = 0
  let starting = 0
  let isClosed = false

  const busy = () => [...seats].filter(({ task }) => task !== undefined)
  const atLong = () => busy().filter(({ task }) => task?.isLong).length

  const refuse = (task: Task, cause?: unknown): void => {
    leaveQueue(task)
    done.shed += 1
    task.reject(new Unavailable('Too many pages are being rendered: try again in a moment.', 1, cause))
  }
  const leaveQueue = (task: Task): void => {
    clearTimeout(task.timer)
    if (waiting.delete(task)) waitingLength -= task.job.markdown.length
  }
  const enqueue = (task: Task): void => {
    const length = waitingLength + task.job.markdown.length
    if (isClosed || waiting.size >= RENDER_LIMITS.waiting || length > RENDER_LIMITS.waitingLength)
      refuse(task)
    else {
      waitingLength = length
      task.timer = setTimeout(refuse, task.isLong ? RENDER_LIMITS.longWaitMs : RENDER_LIMITS.waitMs, task)
      waiting.add(task)
      dispatch()
    }
  }

  /**
   * The shortest of the texts that are not known to take long, so that what is likely to be done soon does not
   * wait behind what is not; then long ones as far as places are left to them.
   */
  const next = (): Task | undefined => {
    let first: Task | undefined
    for (const task of waiting) {
      if (!task.isLong && !(first && first.job.markdown.length <= task.job.markdown.length)) first = task
    }
    if (first || atLong() >= RENDER_LIMITS.longProcesses) return first
    return waiting.values().next().value
  }

  const dispatch = (): void => {
    for (const seat of seats) {
      if (seat.task !== undefined) continue
      const task = next()
      if (task === undefined) break
      leaveQueue(task)
      void occupy(seat, task)
    }
    // One more than there is work for, so that the next text does not wait for a start.
    const wanted = busy().length + waiting.size + (busy().length > 0 ? 1 : 0)
    const count = seats.size + starting
    if (!isClosed && count < RENDER_LIMITS.processes && count < wanted) void add()
  }

  const add = async (): Promise<void> => {
    starting += 1
    try {
      const process = await start()
      if (isClosed) process.kill()
      else take({ process })
    } catch (error) {
      starting -= 1
      for (const task of [...waiting]) refuse(task, error)
      return // the next text tries again
    }
    starting -= 1
    dispatch()
  }

  const take = (seat: ProcessSlot): void => {
    seats.add(seat)
    rest(seat)
    void seat.process.exited.then(() => {
      seats.delete(seat)
      clearTimeout(seat.idle)
    })
  }

  const occupy = async (seat: ProcessSlot, task: Task): Promise<void> => {
    clearTimeout(seat.idle)
    seat.task = task
    let isSetAside = false
    const timer = setTimeout(() => {
      task.isLong = true
      if (atLong() > RENDER_LIMITS.longProcesses) {
        isSetAside = true
        seat.process.kill()
      }
    }, RENDER_LIMITS.longMs)
    const { rendering, isFinal } = await seat.process.run(task.job)
    clearTimeout(timer)
    seat.task = undefined
    if (isFinal || isSetAside) seats.delete(seat)
    else rest(seat)
    if (rendering !== null) finish(task, rendering)
    else if (isSetAside) enqueue(task)
    else if (task.isSecond && !isClosed) finish(task, { failure: 'time', isSure: false })
    else enqueue(Object.assign(task, { isSecond: true }))
    dispatch()
  }

  const finish = (task: Task, rendering: RenderResult): void => {
    done.renders += 1
    if ('failure' in rendering) failures[rendering.failure] += 1
    task.resolve(rendering)
  }

  /** All but one process end when they have had nothing to do for a while. */
  const rest = (seat: ProcessSlot): void => {
    seat.idle = setTimeout(() => {
      if (seats.size === 1) return
      seats.delete(seat)
      seat.process.kill()
    }, RENDER_LIMITS.idleMs).unref()
  }

  return {
    render: (markdown, context) => {
      if (markdown.length > RENDER_LIMITS.textLength) {
        failures.input += 1
        return Promise.resolve({ failure: 'input', isSure: true })
      }
      return new Promise((resolve, reject) => {
        enqueue({ job: { markdown, context }, isLong: false, isSecond: false, resolve, reject })
      })
    },
    get counts() {
      return { ...done, failures, queued: waiting.size, running: busy().length, processes: seats.size }
    },
    close: async () => {
      isClosed = true
      for (const task of [...waiting]) refuse(task)
      for (const { process, idle } of seats) {
        clearTimeout(idle)
        process.kill()
      }
      seats.clear()
    },
  }
}
