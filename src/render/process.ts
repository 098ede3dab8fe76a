import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { RENDER_LIMITS } from '../limits.ts'
import type { RenderJob, RenderReport, RenderResult } from './render-result.ts'

/** A process that renders one text at a time. */
export interface RenderProcess {
  /** Renders a text. Never rejects. */
  run(job: RenderJob): Promise<RenderOutcome>
  /** Resolves when it is gone, for whatever reason. */
  exited: Promise<unknown>
  /** Ends it. A text that it is at ends with it, as one that took too long. */
  kill(): void
}

/** What became of a text, and of the process that it was given to. */
export interface RenderOutcome {
  /** null: the text had no fair chance, since the machine is too busy, or the process was ended from outside. */
  rendering: RenderResult | null
  /** Whether the process can be used no more: it failed, or it is gone. */
  isFinal: boolean
}

/** How long after the limit a process may still say that it was reached, milliseconds. */
const GRACE_MS = 2_000
/** How long a process may take to start, milliseconds: 110 on a quiet machine. */
const START_MS = 10_000
/** Below the service itself and its database, which other requests wait for. */
const NICENESS = 5
const LEAST_PRIORITY = 19
/**
 * A text that took its time is to blame only if it had more of a processor than an ordinary one of its length
 * needs, 0.4 ms a thousand characters: on a machine with twenty other things to do, none may get that.
 * @param length UTF-16 code units
 * @returns milliseconds
 */
const fairMs = (length: number, limitMs: number): number => Math.min(limitMs / 2, 50 + length / 1000)

interface Bounds {
  memoryMb: number
  limitMs: number
}

/**
 * Starts a process. Processes and not threads: a thread that reaches its `resourceLimits` may end the whole
 * process, not only itself. (D43)
 * @param bounds the most that JavaScript may use in it, megabytes, and that a text may take, milliseconds
 * @throws Error when it does not start
 */
export const startRenderProcess = async ({
  memoryMb,
  limitMs,
}: Bounds = RENDER_LIMITS): Promise<RenderProcess> => {
  const child = fork(new URL('./child.js', import.meta.url), [String(limitMs)], {
    // No secrets, and no options of the parent.
    env: {},
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  child.on('error', () => {}) // what follows from it is seen by `reportOf`
  const exited = once(child, 'exit').catch(() => {})
  const kill = () => void child.kill('SIGKILL')
  const started = await reportOf(child, START_MS)
  if (started?.kind !== 'ready') {
    kill()
    throw new Error(`A rendering process did not start (${endOf(child)})`)
  }
  lowerPriority(child)
  return {
    exited,
    kill,
    run: async (job) => {
      const reporting = reportOf(child, limitMs + GRACE_MS)
      child.send(job, () => {}) // if it is gone, `exit` says so
      const report = await reporting
      if (report?.kind === 'html') return { rendering: { html: report.html }, isFinal: false }
      kill()
      return { rendering: renderingOf(report, child, fairMs(job.markdown.length, limitMs)), isFinal: true }
    },
  }
}

/** The next thing that a process says; undefined when it ended, null when the time ran out. */
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

/** What a text came to that gave no HTML. V8 aborts a process whose heap is full; any other end comes from outside. */
const renderingOf = (
  report: Exclude<RenderReport, { kind: 'html' }> | undefined | null,
  { signalCode, exitCode }: ChildProcess,
  fair: number,
): RenderResult | null => {
  if (report === undefined) {
    return signalCode === 'SIGABRT' || exitCode === 134 ? { failure: 'memory', isSure: true } : null
  }
  if (report?.kind !== 'failed') return null
  const { failure, cpuMs } = report
  return failure === 'time' && cpuMs < fair ? null : { failure, isSure: true }
}

const endOf = ({ exitCode, signalCode }: ChildProcess): string =>
  signalCode ?? (exitCode === null ? `no sign of life in ${START_MS} ms` : `exit status ${exitCode}`)

const lowerPriority = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(LEAST_PRIORITY, getPriority() + NICENESS))
  } catch {
    // Where that is not allowed, or the process is gone already, nothing depends on it.
  }
}
