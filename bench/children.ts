import type { ChildProcess } from 'node:child_process'

/** Child processes that still run. */
const running = new Set<ChildProcess>()

/** Child processes that lead a process group. The whole group is killed with its leader. */
const groupLeaders = new WeakSet<ChildProcess>()

/**
 * Kills a child process when this process ends for any reason.
 * @param group whether the child was started `detached`: then its own children are killed too
 */
export const killOnExit = (child: ChildProcess, { group = false } = {}): void => {
  running.add(child)
  if (group) groupLeaders.add(child)
  child.once('exit', () => running.delete(child))
}

const kill = (child: ChildProcess): void => {
  if (groupLeaders.has(child)) process.kill(-child.pid!, 'SIGKILL')
  else child.kill('SIGKILL')
}

process.once('exit', () => {
  for (const child of running) kill(child)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
