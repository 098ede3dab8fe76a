import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'

/** Clock ticks per second in /proc: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

const isInstalled = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args).error === undefined

/** Which tools of the machine a run can use. The report names those that are missing. */
export const tools = {
  wrk: isInstalled('wrk', '--version'),
  taskset: availableParallelism() > 1 && isInstalled('taskset', '--version'),
  proc: isInstalled('cat', '/proc/self/stat') && process.platform === 'linux',
}

/** The core of the server, and the core of the load generator. PostgreSQL is not pinned. */
export const CORES = { server: '0', load: '1' } as const

/** Pins this process, and the load generators that it starts, to their core. */
export const pinLoad = (): void => {
  if (tools.taskset) spawnSync('taskset', ['-a', '-c', '-p', CORES.load, String(process.pid)])
}

/** A process and those that it started, such as workers and renderers. Without /proc: the process alone. */
export const processTree = (pid: number): number[] => {
  if (!tools.proc) return [pid]
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children.flatMap(processTree)]
  } catch {
    return [] // it has ended
  }
}

/** CPU seconds used by processes, including their threads and the children that have ended. NaN without /proc. */
export const cpuSeconds = (pids: number[]): number => sum(pids.map(processCpuSeconds))

/**
 * Memory of processes, MB. NaN without /proc. For one process this is its resident memory. For several
 * processes, memory that they share, such as an opcode cache, counts once.
 */
export const residentMb = (pids: number[]): number =>
  sum(
    pids.map((pid) =>
      pids.length === 1 ? readStatusKb(pid, 'status', 'VmRSS') : readStatusKb(pid, 'smaps_rollup', 'Pss'),
    ),
  ) / 1024

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

const processCpuSeconds = (pid: number): number => {
  if (!tools.proc) return Number.NaN
  const stat = readOf(pid, 'stat')
  if (stat === '') return 0
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return sum(fields.slice(11, 15).map(Number)) / TICKS_PER_SECOND
}

/** Empty if the process has ended. */
const readOf = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const readStatusKb = (pid: number, file: string, field: string): number => {
  if (!tools.proc) return Number.NaN
  const text = readOf(pid, file)
  return text === '' ? 0 : Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1])
}

export const describeMachine = (): string[] => [
  `load average ${loadavg()[0]!.toFixed(1)} before the run`,
  `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`,
  tools.taskset
    ? `server on core ${CORES.server}, load generator on core ${CORES.load}, PostgreSQL on all cores`
    : 'not pinned to cores, because taskset is missing or the machine has one core',
  tools.wrk
    ? 'load generator: wrk'
    : 'load generator: autocannon, which cannot saturate a fast server; install wrk for exact figures',
]
