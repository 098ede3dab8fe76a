import type { ChildProcess } from 'node:child_process'

/** Processes that this one started and that still run. */
const running = new Set<ChildProcess>()

/** Ends a process with this one, however this one ends. */
export const own = (child: ChildProcess): void => {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
