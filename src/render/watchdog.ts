/**
 * The thread that ends its process when a text has used its processor time. A text cannot be interrupted from its own
 * thread, where only a limit of the clock is possible: on a busy machine, that would end texts that hardly ran.
 */
import { workerData } from 'node:worker_threads'
import { CPU_SIGNAL, type WatchdogData } from './render-result.ts'

/** How often the processor time of a running text is read, milliseconds. */
const INTERVAL_MS = 50

const { jobs, cpuMs } = workerData as WatchdogData

const cpuMsSoFar = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

for (;;) {
  const job = Atomics.load(jobs, 0)
  if (job % 2 === 0) {
    Atomics.wait(jobs, 0, job)
    continue
  }
  const before = cpuMsSoFar()
  while (Atomics.wait(jobs, 0, job, INTERVAL_MS) === 'timed-out')
    if (cpuMsSoFar() - before > cpuMs) process.kill(process.pid, CPU_SIGNAL)
}
