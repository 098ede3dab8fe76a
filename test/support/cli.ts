import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runCommandLine } from '../../src/commands/program.ts'
import { setOrigins, settingOrigins } from '../../src/config/messages.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { SHORT_LIVED } from './engine.ts'

/** The program, as a client that starts it needs it. */
export const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url))

export interface ExitResult {
  status: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Running {
  process: ChildProcess
  /** What it has printed on stderr so far. */
  printed(): string
  /** What it has logged, or else printed on stdout, so far. */
  logged(): string
  /** Resolves with what stderr holds when it matches. @throws Error when the process ends before */
  prints(pattern: RegExp): Promise<RegExpMatchArray>
  ended: Promise<ExitResult>
}

/** Processes that a test left running, as when it failed. */
const running = new Set<ChildProcess>()

/** Ends them: for an `afterEach`. */
export const endProcesses = async (): Promise<void> => {
  await Promise.all(
    [...running].map(async (child) => {
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    }),
  )
}

/** Environment variables that make a command use a database. */
export const environmentOf = ({ databaseUrl, dataDir }: DatabaseOptions): Record<string, string> =>
  databaseUrl === undefined ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl }

/** How a process is started: by what, and where it writes to, other than to the test. */
export interface LaunchOptions {
  /** A command that `lectern` is an argument of, such as one that sets limits. */
  through?: readonly string[]
  /** Options for Node. */
  nodeOptions?: readonly string[]
  /** Another build's `cli.js`. */
  cli?: string
  /** All of its standard input. Default: none. */
  input?: string
  /** File descriptors of this process. */
  stdout?: number
  stderr?: number
  /** What a shell should do before it becomes `lectern`, such as `ulimit -f 64`, and redirections after it. */
  shell?: { before?: string; after?: string }
}

/** Starts `lectern` as a person would, with no configuration but this. */
export const start = (
  args: string[],
  environment: Record<string, string> = {},
  { through = [], nodeOptions = SHORT_LIVED, cli = CLI, input, stdout, stderr, shell }: LaunchOptions = {},
): Running => {
  const { PATH, HOME } = process.env
  const command = [...through, process.execPath, ...nodeOptions, cli, ...args]
  const script = `${shell?.before ?? ':'}; exec "$0" "$@" ${shell?.after ?? ''}`
  const [program, ...rest] = shell ? ['/bin/sh', '-c', script, ...command] : command
  const child = spawn(program!, rest, {
    cwd: tmpdir(),
    env: { PATH, HOME, ...environment },
    stdio: [input === undefined ? 'ignore' : 'pipe', stdout ?? 'pipe', stderr ?? 'pipe'],
  })
  child.stdin?.end(input)
  running.add(child)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = once(child, 'close').then(([status, signal]): ExitResult => {
    running.delete(child)
    return { status, signal, ...output }
  })
  const prints = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const match = output.stderr.match(pattern)
        if (match) resolve(match)
      }
      child.stderr?.on('data', look)
      look()
      void ended.then(({ status }) =>
        reject(new Error(`ended with ${status} and no ${pattern}: ${output.stderr}`)),
      )
    })
  return { process: child, printed: () => output.stderr, logged: () => output.stdout, prints, ended }
}

/** Runs `lectern` to its end. */
export const lectern = (
  args: string[],
  environment: Record<string, string> = {},
  launch?: LaunchOptions,
): Promise<ExitResult> => start(args, environment, launch).ended

/**
 * Runs a command of `lectern` to its end in this process: starting another one takes ten times the processor time. Only
 * one at a time. Not for commands that signals end, or whose process itself is tested.
 */
export const lecternHere = async (
  args: string[],
  environment: Record<string, string> = {},
): Promise<ExitResult> => {
  const output = { stdout: '', stderr: '' }
  const { argv, env, exitCode } = process
  const { PATH, HOME } = env
  const [origins, listeners] = [settingOrigins(), process.listeners('uncaughtException')]
  const own = Object.getOwnPropertyDescriptors(process)
  for (const name of ['stdout', 'stderr'] as const) {
    const write = (text: Buffer, _: unknown, done: () => void) => {
      output[name] += text
      done()
    }
    const stream = new Writable({ write })
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => stream })
  }
  const called = { argv: [process.execPath, CLI, ...args], env: { PATH, HOME, ...environment } }
  Object.assign(process, called, { exitCode: undefined })
  try {
    const status = await runCommandLine(process.argv)
    return { status, signal: null, ...output }
  } finally {
    Object.assign(process, { argv, env, exitCode })
    Object.defineProperties(process, { stdout: own.stdout!, stderr: own.stderr! })
    setOrigins(origins)
    for (const listener of process.listeners('uncaughtException'))
      if (!listeners.includes(listener)) process.off('uncaughtException', listener)
  }
}

/** Runs commands, one after the other. Expects that each succeeds. */
export const succeed = async (
  commands: readonly string[][],
  environment: Record<string, string>,
  launch?: LaunchOptions,
): Promise<void> => {
  for (const args of commands) {
    const { status, stderr } = await lectern(args, environment, launch)
    expect(status, `lectern ${args.join(' ')}: ${stderr}`).to.equal(0)
  }
}

/** Expects that a command failed, and said why in one line on stderr, without a stack. @param exit 78: a wrong setting */
export const expectFailure = (
  { status, stdout, stderr }: ExitResult,
  expected: string | RegExp,
  exit = 1,
): void => {
  expect(stderr).to.match(/^lectern: [^\n]+\n$/)
  if (typeof expected === 'string') expect(stderr).to.include(expected)
  else expect(stderr).to.match(expected)
  expect(stdout).to.equal('')
  expect(status).to.equal(exit)
}

/** Waits until `lectern serve` serves. @returns the URL of its API */
export const serviceUrl = async (service: Running): Promise<string> => {
  const [, url] = await service.prints(/Lectern serves (\S+)[\s\S]*graphql\n/)
  return url!
}

/**
 * Statuses that a request to a running service may get whose statement waited for a lock: 200, and on a machine that is
 * so busy that the wait comes near the limit of statements, 2.5 s, also 503.
 * @param ms from the request to the end of the lock, milliseconds
 */
export const lockedAnswers = (ms: number): number[] => (ms < 2_000 ? [200] : [200, 503])
