import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { killOnExit } from '../children.ts'
import { compiledPath } from '../servers.ts'
import { clientCpuSeconds, peakMb, serverCpuSeconds } from './cpu.ts'

/** What a step cost, seconds of CPU time: in the programs that run on the client's side, and in PostgreSQL. */
export interface Cost {
  client: number
  server: number
  /** Seconds by the clock. */
  seconds: number
}

export const totalOf = ({ client, server }: Cost): number => client + server

/** Backends report their last work only when they end, shortly after the client. */
const SETTLE_MS = 300

export const measureCost = async <Result>(
  postmaster: number,
  work: () => Promise<Result>,
): Promise<{ cost: Cost; result: Result }> => {
  const before = [clientCpuSeconds(), serverCpuSeconds(postmaster)] as const
  const startedAt = performance.now()
  const result = await work()
  const seconds = (performance.now() - startedAt) / 1000
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const cost = {
    client: clientCpuSeconds() - before[0],
    server: serverCpuSeconds(postmaster) - before[1],
    seconds,
  }
  return { cost, result }
}

/** How often the memory of a program is read, milliseconds. Linux remembers the peak. */
const MEMORY_MS = 50

/** Runs a program to its end. @throws Error with its standard error if it fails */
export const runToEnd = async (
  program: string,
  args: readonly string[],
  { environment = {}, input = '' }: { environment?: Record<string, string>; input?: string } = {},
): Promise<{ stderr: string; peakMb: number }> => {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  killOnExit(child)
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, peakMb(child.pid!))
  }, MEMORY_MS)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 3).join(' ')}: ${stderr}`)
  return { stderr, peakMb: peak }
}

export const runLectern = (
  databaseUrl: string,
  ...args: string[]
): Promise<{ stderr: string; peakMb: number }> =>
  runToEnd(process.execPath, [compiledPath('src/cli.js'), ...args], {
    environment: { DATABASE_URL: databaseUrl },
  })
