/**
 * The process that renders. A thread of it does so, which it replaces when a text fails or has used its processor time:
 * to start another process would hold up the service. Its argument is the limit of processor time, milliseconds.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { RenderJob, RenderReport } from './render-result.ts'

/** How often the processor time of a running text is read, milliseconds. */
const INTERVAL_MS = 50
const cpuMs = Number(process.argv[2])

const report = (message: RenderReport): void => {
  process.send?.(message)
}

// A terminal and systemd send these signals to every process of the service. Only the parent acts on them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

/** A thread fails when its heap is full. (V8 may also abort the whole process.) */
const nextReport = (of: Worker): Promise<RenderReport> =>
  once(of, 'message').then(
    ([message]) => message,
    () => ({ kind: 'failed', failure: 'memory' }),
  )

const startThread = async (): Promise<Worker> => {
  const started = new Worker(new URL('./thread.js', import.meta.url))
  if ((await nextReport(started)).kind !== 'ready') process.exit(1)
  return started
}

let thread = await startThread()
let stop = (): void => {}

const render = async (job: RenderJob): Promise<void> => {
  const before = process.cpuUsage()
  let timer: NodeJS.Timeout | undefined
  const ended = new Promise<RenderReport>((resolve) => {
    stop = () => resolve({ kind: 'stopped' })
    timer = setInterval(() => {
      const { user, system } = process.cpuUsage(before)
      if (user + system > cpuMs * 1000) resolve({ kind: 'failed', failure: 'time' })
    }, INTERVAL_MS)
  })
  thread.postMessage(job)
  const outcome = await Promise.race([nextReport(thread), ended])
  clearInterval(timer)
  stop = () => {}
  if (outcome.kind !== 'rendered') {
    await thread.terminate()
    thread = await startThread()
  }
  report(outcome)
}

process.on('message', (message: RenderJob | 'stop') => {
  if (message === 'stop') stop()
  else void render(message)
})
report({ kind: 'ready' })
