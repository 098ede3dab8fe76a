import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { RENDER_LIMITS } from '../limits/rendering.ts'
import {
  CPU_SIGNAL,
  type RenderInterruption,
  type RenderJob,
  type RenderReport,
  type RenderResult,
} from './render-result.ts'

export type RenderProcess = Awaited<ReturnType<typeof startRenderProcess>>

/** How rendering a text ended, and whether the process can render another. */
export interface RenderOutcome {
  rendering: RenderResult | RenderInterruption
  /** Whether the process can take no more texts: it failed, or it has ended. */
  isFinal: boolean
}

/** How long a process may take to start, milliseconds. It takes 110 on a quiet machine. */
const START_MS = 10_000
/** The service itself and its database, which other requests wait for, have a higher priority. */
const NICENESS = 5
const LEAST_PRIORITY = 19

/**
 * Starts a process. It is not a thread, because a thread that reaches its `resourceLimits` may end the whole
 * process, not only itself.
 * @throws Error when the process does not start
 */
export const startRenderProcess = async (
  limits: Record<'memoryMb' | 'cpuMs' | 'wallMs', number> = RENDER_LIMITS,
) => {
  const child = fork(new URL('./child.js', import.meta.url), [String(limits.cpuMs)], {
    // The child gets no secrets of the parent, and no Node.js options.
    env: {},
    execArgv: [`--max-old-space-size=${limits.memoryMb}`],
    serialization: 'advanced',
    // Its own session: Ctrl-C signals every process of the terminal, and would end one that is still starting.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
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
  lowerPriority(child)
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
      kill()
      return { rendering: renderingOf(report, child), isFinal: true }
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

/** The result of a text without output. V8 aborts a process whose heap is full; anything else that ends it is outside. */
const renderingOf = (
  report: Exclude<RenderReport, { kind: 'rendered' }> | undefined | null,
  { signalCode, exitCode }: ChildProcess,
): RenderResult | RenderInterruption => {
  if (report === undefined) {
    if (signalCode === CPU_SIGNAL) return { failure: 'time' }
    return signalCode === 'SIGABRT' || exitCode === 134 ? { failure: 'memory' } : 'lost'
  }
  return report?.kind === 'failed' ? { failure: report.failure } : 'starved'
}

const endOf = ({ exitCode, signalCode }: ChildProcess): string =>
  signalCode ?? (exitCode === null ? `no report within ${START_MS} ms` : `exit status ${exitCode}`)

const lowerPriority = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(LEAST_PRIORITY, getPriority() + NICENESS))
  } catch {
    // The system may not allow it, or the process may have ended. Nothing depends on it.
  }
}
