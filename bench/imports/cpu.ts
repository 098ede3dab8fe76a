import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** Clock ticks per second in /proc: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

interface ProcessTicks {
  parent: number
  own: number
  /** Of children that ended, and of theirs. */
  ended: number
}

/** Null if the process has ended. */
const ticksOf = (pid: number | 'self'): ProcessTicks | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return { parent: fields[1]!, own: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! }
  } catch {
    return null
  }
}

/** CPU seconds of this process and of its children that ended. */
export const clientCpuSeconds = (): number => {
  const { own, ended } = ticksOf('self')!
  return (own + ended) / TICKS_PER_SECOND
}

/** The process that starts the processes of a PostgreSQL server on this machine. */
export const findPostmaster = async (server: string): Promise<number> => {
  const client = new pg.Client(server)
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const ticks = ticksOf(rows[0]!.pid)
    if (ticks === null) throw new Error('BENCH_DATABASE_URL must be a PostgreSQL server on this machine.')
    return ticks.parent
  } finally {
    await client.end()
  }
}

/** CPU seconds of all processes of a PostgreSQL server, also of those that ended. */
export const serverCpuSeconds = (postmaster: number): number => {
  const { own, ended } = ticksOf(postmaster)!
  let ticks = own + ended
  for (const name of readdirSync('/proc')) {
    const child = /^\d+$/.test(name) ? ticksOf(Number(name)) : null
    if (child?.parent === postmaster) ticks += child.own
  }
  return ticks / TICKS_PER_SECOND
}

/** Peak memory of a running process, MB; 0 if it has ended. */
export const peakMb = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
