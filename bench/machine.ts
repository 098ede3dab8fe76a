import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'

/** Ticks of a second in /proc: 100 on every Linux that Node runs on. */
const TICKS = 100

const works = (command: string, ...args: string[]): boolean => spawnSync(command, args).error === undefined

/** What of the machine a run can use; what it cannot is said in the report. */
export const tools = {
  wrk: works('wrk', '--version'),
  taskset: availableParallelism() > 1 && works('taskset', '--version'),
  proc: works('cat', '/proc/self/stat') && process.platform === 'linux',
}

/** The server's core, that of the load, and all. PostgreSQL runs on whichever is free. */
export const CORES = { server: '0', load: '1', all: `0-${availableParallelism() - 1}` } as const

/** Puts this process, and with it the loads that it starts, on some cores. */
export const pinLoad = (cores: string = CORES.load): void => {
  if (tools.taskset) spawnSync('taskset', ['-a', '-c', '-p', cores, String(process.pid)])
}

/** CPU seconds that processes have used, their threads included; NaN where there is no /proc. */
export const cpuSeconds = (pids: number[]): number => sum(pids.map(cpuSecondsOf))

/**
 * Memory of processes, MB; NaN where there is no /proc. Resident memory of one; of several, what they share
 * (an opcode cache) counts once.
 */
export const residentMb = (pids: number[]): number =>
  sum(
    pids.map((pid) =>
      pids.length === 1 ? statusKb(pid, 'status', 'VmRSS') : statusKb(pid, 'smaps_rollup', 'Pss'),
    ),
  ) / 1024

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

const cpuSecondsOf = (pid: number): number => {
  if (!tools.proc) return Number.NaN
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

const statusKb = (pid: number, file: string, field: string): number => {
  if (!tools.proc) return Number.NaN
  const text = readFileSync(`/proc/${pid}/${file}`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1])
}

export const describeMachine = (): string[] => [
  `load average ${loadavg()[0]!.toFixed(1)} before the run`,
  `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`,
  tools.taskset
    ? `server on core ${CORES.server}, load on core ${CORES.load}, PostgreSQL on both`
    : 'not pinned to cores: there is no taskset, or one core',
  tools.wrk ? 'load by wrk' : 'load by autocannon, which cannot fill a fast server: install wrk',
]
