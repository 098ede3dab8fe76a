import type { ChildProcess } from 'node:child_process'

/** Child processes that still run. */
const running = new Set<ChildProcess>()

/** Kills a child process when this process ends for any reason. */
export const killOnExit = (child: ChildProcess): void => {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
