import type { ChildProcess } from 'node:child_process'

/** Processes that this one started and that still run. */
const running = new Set<ChildProcess>()

/** Those that lead a group, which goes with them. */
const leaders = new WeakSet<ChildProcess>()

/**
 * Ends a process with this one, however this one ends.
 * @param group the process was started `detached`, and what it started ends too
 */
export const own = (child: ChildProcess, { group = false } = {}): void => {
  running.add(child)
  if (group) leaders.add(child)
  child.once('exit', () => running.delete(child))
}

const end = (child: ChildProcess): void => {
  if (leaders.has(child)) process.kill(-child.pid!, 'SIGKILL')
  else child.kill('SIGKILL')
}

process.once('exit', () => {
  for (const child of running) end(child)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
