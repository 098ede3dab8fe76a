import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { RENDER_LIMITS } from '../limits/rendering.ts'
import type { RenderInterruption, RenderJob, RenderReport, RenderResult } from './render-result.ts'

export type RenderProcess = Awaited<ReturnType<typeof startRenderProcess>>

/** How rendering a text ended, and whether the process can render another. */
export interface RenderOutcome {
  rendering: RenderResult | RenderInterruption | 'preempted'
  /** Whether the process can take no more texts: it has ended, or gets too little processor time. */
  isFinal: boolean
}

/** How long a process may take to start, milliseconds. It takes 110 on a quiet machine; on a busy one, another start would take no less. */
const START_MS = 30_000
/** The service itself and its database, which other requests wait for, have a higher priority. */
const NICENESS = 5
const LEAST_PRIORITY = 19

/**
 * Starts a process. A thread alone would not do: when its heap is full, V8 may end the whole process.
 * @throws Error when the process does not start
 */
export const startRenderProcess = async (
  limits: Record<'memoryMb' | 'cpuMs' | 'wallMs', number> = RENDER_LIMITS,
) => {
  const child = fork(new URL('./child.js', import.meta.url), [String(limits.cpuMs)], {
    // The child gets no secrets of the parent, and no Node.js options.
    env: {},
    // One thread for the garbage collector: a text that takes long leaves the other cores to the service.
    execArgv: [`--max-old-space-size=${limits.memoryMb}`, '--v8-pool-size=1'],
    serialization: 'advanced',
    // Its own session: Ctrl-C signals every process of the terminal, and would end one that is still starting.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  lowerPriority(child)
  child.unref()
  child.channel?.unref()
  child.on('error', () => {}) // `reportOf` handles what follows
  const exited: Promise<unknown> = once(child, 'exit').catch(() => {})
  const kill = (signal: NodeJS.Signals = 'SIGKILL'): void => {
    child.kill(signal)
  }
  const started = await reportOf(child, START_MS)
  if (started?.kind !== 'ready') {
    kill()
    throw new Error(`A rendering process did not start: ${endOf(child)}`)
  }
  return {
    /** Resolves when the process has ended, for whatever reason. */
    exited,
    /** Ends the process. The text that it renders ends without a result. @param signal default: SIGKILL */
    kill,
    /** Renders a text. Never rejects. */
    run: async (job: RenderJob): Promise<RenderOutcome> => {
      const reporting = reportOf(child, limits.wallMs)
      child.send(job, () => {}) // if the process has ended, `exit` reports it
      const report = await reporting
      if (report?.kind === 'rendered') return { rendering: { output: report.output }, isFinal: false }
      if (report?.kind === 'failed') return { rendering: { failure: report.failure }, isFinal: false }
      if (report) return { rendering: 'preempted', isFinal: false }
      kill()
      return { rendering: report === null ? 'starved' : renderingOfEnded(child), isFinal: true }
    },
    /** Stops the text that it renders, if it does: that was preempted. */
    stop: (): void => {
      child.send('stop', () => {})
    },
  }
}

/** The next report of a process; undefined when it ended, null when the time ran out. */
const reportOf = (child: ChildProcess, ms: number): Promise<RenderReport | undefined | null> =>
  new Promise((resolve) => {
    const finish = (report: RenderReport | undefined | null) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onEnd)
      child.off('error', onEnd)
      resolve(report)
    }
    const onMessage = (report: unknown) => finish(report as RenderReport)
    const onEnd = () => finish(undefined)
    const timer = setTimeout(finish, ms, null)
    child.on('message', onMessage)
    child.on('exit', onEnd)
    child.on('error', onEnd)
    if (!child.connected) onEnd()
  })

/** V8 aborts a process whose heap is full. Anything else that ends it is outside. */
const renderingOfEnded = ({ signalCode, exitCode }: ChildProcess): RenderResult | RenderInterruption =>
  signalCode === 'SIGABRT' || exitCode === 134 ? { failure: 'memory' } : 'lost'

const endOf = ({ exitCode, signalCode }: ChildProcess): string =>
  signalCode ?? (exitCode === null ? `no report within ${START_MS} ms` : `exit status ${exitCode}`)

/**
 * Linux may weigh sessions against each other, and a process only within its own, which has a value of its own:
 * `sched(7)`, autogroup.
 */
const lowerPriority = ({ pid }: ChildProcess): void => {
  try {
    if (pid === undefined) return
    setPriority(pid, Math.min(LEAST_PRIORITY, getPriority() + NICENESS))
    writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS))
  } catch {
    // The system may not allow it, or have no such thing, or the process may have ended. Nothing depends on it.
  }
}
