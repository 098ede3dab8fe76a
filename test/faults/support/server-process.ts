import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { until } from '../../support/until.ts'

export interface ServerCommand {
  command: string
  args: string[]
  /** Who runs it when this process is root, as for servers that refuse to be root. */
  user?: string
  /** What the command line begins with, such as what leads into a namespace. */
  through?: readonly string[] | undefined
  /** Variables beside those of this process. */
  environment?: Record<string, string>
}

/** A server that a test stops, freezes and starts again. It runs in the foreground, a child of this process. */
export interface ServerProcess {
  readonly pid: number
  /** What it has printed, both streams. */
  printed(): string
  isRunning(): boolean
  /** Resolves when it has ended. It ends at once for SIGKILL even when frozen. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Stops it and its children where they stand: connections stay open and nothing answers. */
  freeze(): void
  thaw(): void
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
// A run that is told to end has an exit too, so that no server is left behind.
process.once('SIGTERM', () => process.exit(143))

/** Ends what tests left running: for the last `after`. */
export const endServers = async (): Promise<void> => {
  await Promise.all([...running].map((child) => end(child, 'SIGKILL')))
}

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (!running.has(child)) return
  const ended = once(child, 'close')
  child.kill('SIGCONT')
  child.kill(signal)
  const slow = setTimeout(() => child.kill('SIGKILL'), 120_000)
  await ended
  clearTimeout(slow)
}

export const startServerProcess = (server: ServerCommand): ServerProcess => {
  const [command, args] = commandLine(server)
  const child = spawn(command, args, {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...server.environment },
    ...identity(server.user),
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  }
  const pid = child.pid
  if (pid === undefined) throw new Error(`${command} does not start`)
  return {
    pid,
    printed: () => text,
    isRunning: () => running.has(child),
    stop: (signal = 'SIGTERM') => end(child, signal),
    freeze: () => {
      // The parent first: then it makes no more children.
      process.kill(pid, 'SIGSTOP')
      for (const one of childrenOf(pid)) signal(one, 'SIGSTOP')
    },
    thaw: () => {
      for (const one of childrenOf(pid)) signal(one, 'SIGCONT')
      signal(pid, 'SIGCONT')
    },
  }
}

/** Runs a program of the server's to its end. @throws Error with what it printed */
export const run = (program: ServerCommand): void => {
  const [command, args] = commandLine(program)
  execFileSync(command, args, { cwd: '/', stdio: 'pipe', ...identity(program.user) })
}

const commandLine = ({ through = [], command, args }: ServerCommand): [string, string[]] => {
  const [first = command, ...rest] = [...through, command, ...args]
  return [first, rest]
}

/** Options that make a child run as a user; nothing where this process is not root. */
export const identity = (user: string | undefined): { uid?: number; gid?: number } => {
  if (user === undefined || process.getuid?.() !== 0) return {}
  const id = (option: string) => Number(execFileSync('id', [option, user], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Makes a user the owner of a file or folder, where this process is root. */
export const giveTo = (user: string, path: string): void => {
  const { uid, gid } = identity(user)
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

/** Signals a process that may have ended just now. */
const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // After the name in parentheses: state, parent.
        return Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').pop()!.split(' ')[1]) === pid
      } catch {
        return false // it has just ended
      }
    })
    .map(Number)

/**
 * A port of this machine that nothing listens on. It is not one of those that the system gives to connections
 * (from 32768 on Linux), so that no other process has it before the caller listens.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 10_240 + Math.floor(Math.random() * 20_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error
        return false
      },
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Waits until a server says so. @throws Error with what it printed, at once when it has ended */
export const ready = async (server: ServerProcess, answers: () => Promise<unknown>): Promise<void> => {
  await until('the server answers', async () => {
    if (server.isRunning()) await answers()
    return true
  }).catch((error: Error) => {
    throw new Error(`${error.message}\n${server.printed()}`, { cause: error.cause })
  })
  if (!server.isRunning()) throw new Error(`the server has ended\n${server.printed()}`)
}
