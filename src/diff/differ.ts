import { Worker } from 'node:worker_threads'
import type { LineDiff } from '@lectern/wiki/diff/line-diff'
import type { PatchJob } from '@lectern/wiki/diff/patch'
import { Unavailable } from '@lectern/wiki/errors'
import { DIFF_LIMITS } from '@lectern/wiki/limits'

type Comparison = { kind: 'lines'; from: string; to: string } | ({ kind: 'patch' } & PatchJob)

export type DiffJob = { id: number } & Comparison

/** What it reports: the result of a job; or why it failed, which is a defect. */
export type DiffReport = { id: number } & ({ result: LineDiff | string | null } | { failure: string })

export type Differ = ReturnType<typeof makeDiffer>

type Waiting = { resolve(result: never): void; reject(error: Error): void; timer: NodeJS.Timeout }

/**
 * Compares texts in a thread of its own, so that no other request waits. Throws Unavailable if the thread ends. It starts
 * with the first comparison, and again after it has ended.
 */
export const makeDiffer = (start = () => new Worker(new URL('./thread.js', import.meta.url))) => {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let lastId = 0

  const settle = (id: number): Waiting | undefined => {
    const found = waiting.get(id)
    clearTimeout(found?.timer)
    waiting.delete(id)
    if (waiting.size === 0) thread?.unref()
    return found
  }
  const onReport = (report: DiffReport): void => {
    const found = settle(report.id)
    if ('failure' in report) found?.reject(new Error(`A comparison failed: ${report.failure}`))
    else found?.resolve(report.result as never)
  }
  const end = async (cause?: unknown): Promise<void> => {
    const ended = thread
    thread = undefined
    for (const id of [...waiting.keys()])
      settle(id)?.reject(new Unavailable('The comparison was interrupted. Try again.', 1, cause))
    await ended?.terminate()
  }
  const running = (): Worker => {
    if (thread) return thread
    const started = start()
    thread = started
    started.on('message', onReport)
    const onEnd = (cause?: unknown) => {
      if (thread === started) void end(cause)
    }
    started.on('error', onEnd)
    started.on('exit', () => onEnd())
    return started
  }
  const run = <Result>(job: Comparison) =>
    new Promise<Result>((resolve, reject) => {
      lastId += 1
      const id = lastId
      const timer = setTimeout(() => void end(new Error('A comparison took too long')), DIFF_LIMITS.timeoutMs)
      waiting.set(id, { resolve, reject, timer: timer.unref() })
      const worker = running()
      worker.ref()
      worker.postMessage({ ...job, id } satisfies DiffJob)
    })

  return {
    lines: (from: string, to: string) => run<LineDiff>({ kind: 'lines', from, to }),
    /** Null if the patch would be too long. */
    patch: (job: PatchJob) => run<string | null>({ ...job, kind: 'patch' }),
    close: () => end(),
  }
}
