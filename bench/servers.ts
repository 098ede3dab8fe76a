import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { packagePath } from '../src/paths.ts'
import { own } from './children.ts'
import { CORES, tools } from './machine.ts'

export interface Server {
  /** `http://127.0.0.1:40123` */
  origin: string
  /** All that answer: one, or a master and its workers. */
  pids(): number[]
  stop(): Promise<void>
}

/** Longest wait for a server to answer, and to go when asked, milliseconds. */
const START_TIMEOUT = 15_000
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
 * Starts a compiled script with PORT set; ready when it answers anything.
 * @param script under the folder of compiled code: `src/cli.js`
 * @param cores that it may use, where there is `taskset`
 */
export const startPeer = async (
  script: string,
  args: string[],
  environment: Record<string, string>,
  cores: string = CORES.server,
): Promise<Server> => {
  const port = await unusedPort()
  const node = [process.execPath, compiledPath(script), ...args]
  const [command, ...rest] = tools.taskset ? ['taskset', '-c', cores, ...node] : node
  const child = spawn(command!, rest, {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  own(child)
  let complaint = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2000)
  })
  const origin = `http://127.0.0.1:${port}`
  await answering(origin, child, () => `${script} does not answer.\n${complaint}`)
  return { origin, pids: () => [child.pid!], stop: () => stop(child) }
}

/** A compiled script; this one runs from the folder of compiled code, whatever that is called. */
export const compiledPath = (script: string): string =>
  packagePath(...new URL('..', import.meta.url).pathname.split('/').filter(Boolean).slice(-1), script)

export const answering = async (
  origin: string,
  child: ChildProcess,
  complaint: () => string,
): Promise<void> => {
  const deadline = performance.now() + START_TIMEOUT
  for (;;) {
    try {
      await (await fetch(`${origin}/`, { signal: AbortSignal.timeout(1000) })).arrayBuffer()
      return
    } catch {
      if (child.exitCode !== null || performance.now() > deadline) throw new Error(complaint())
      await wait(20)
    }
  }
}

export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT)
  await gone
  clearTimeout(timer)
}
