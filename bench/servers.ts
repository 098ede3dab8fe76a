import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { packagePath } from '../src/paths.ts'
import { killOnExit } from './children.ts'
import { CORES, processTree, tools } from './machine.ts'

export interface Server {
  /** `http://127.0.0.1:40123` */
  origin: string
  /** The processes that handle requests: one process, or a master and its workers. */
  pids(): number[]
  stop(): Promise<void>
}

/** Longest wait for the first response of a server, and for its exit after SIGTERM, milliseconds. */
const START_TIMEOUT = 60_000
const STOP_TIMEOUT = 10_000

export const unusedPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Starts a script with PORT set, and waits for its first response of any status.
 * @param script its path below the folder of compiled code, such as `src/cli.js`
 */
export const startScript = async (
  script: string,
  args: string[],
  environment: Record<string, string>,
): Promise<Server> => {
  const port = await unusedPort()
  const program = [process.execPath, compiledPath(script), ...args]
  const [command, ...rest] = tools.taskset ? ['taskset', '-c', CORES.server, ...program] : program
  const child = spawn(command!, rest, {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  killOnExit(child)
  let errorOutput = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-2000)
  })
  const origin = `http://127.0.0.1:${port}`
  await waitUntilReady(origin, child, () => `${script} does not respond.\n${errorOutput}`)
  return { origin, pids: () => processTree(child.pid!), stop: () => stopProcess(child) }
}

/** The path of a compiled script. The name of the folder of compiled code is taken from this module's own path. */
export const compiledPath = (script: string): string =>
  packagePath(...new URL('..', import.meta.url).pathname.split('/').filter(Boolean).slice(-1), script)

/** Waits for the first response of a server. @throws Error if the server exits or does not respond in time */
export const waitUntilReady = async (
  origin: string,
  child: ChildProcess,
  describeFailure: () => string,
): Promise<void> => {
  const deadline = performance.now() + START_TIMEOUT
  for (;;) {
    try {
      await (await fetch(`${origin}/`, { signal: AbortSignal.timeout(1000) })).arrayBuffer()
      return
    } catch {
      if (child.exitCode !== null || performance.now() > deadline) throw new Error(describeFailure())
      await wait(20)
    }
  }
}

/** Sends SIGTERM, then SIGKILL if the process does not exit in time. */
export const stopProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT)
  await exited
  clearTimeout(timer)
}
