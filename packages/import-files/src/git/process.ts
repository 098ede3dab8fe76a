import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ImportError, UsageError } from '@lectern/wiki/errors'

/** Progress of a fetch. The numbers start again in each phase: counting, receiving, resolving. */
export type FetchProgress = { done: number; total?: number; unit: string }

/** Options of a git process. Without `gitDir`, git looks for the repository in `folder`, but not in its parents. */
export interface GitRepositoryOptions {
  folder: string
  gitDir?: string
  /** Further settings, as `name=value`. */
  config?: string[]
  /** After which git is stopped, milliseconds. Absent: never. */
  timeoutMs?: number
  /** Allows git to contact other machines. Absent: it may not. */
  network?: { onProgress?: (progress: FetchProgress) => void }
}

export type GitProcess = ReturnType<GitProcesses['start']>

const MAX_STDERR_LENGTH = 600

/** How long git may print nothing while it contacts another machine, milliseconds. Large servers count objects. */
const SILENCE_MS = 600_000

/** Starts git without a shell, pager, prompt, hook or `GIT_*` variable, and without network unless the options allow it. */
const startGit = (options: GitRepositoryOptions, args: string[]) => {
  const child = spawn('git', [...settings(options), ...args], {
    cwd: options.gitDir ?? options.folder,
    env: environment(options),
    timeout: options.timeoutMs,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  const addError = (text: string) => {
    if (stderr.length < MAX_STDERR_LENGTH) stderr += text
  }
  const silence = options.network && setTimeout(() => child.kill(), SILENCE_MS)
  const onText = options.network ? splitProgress(addError, options.network.onProgress) : addError
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    silence?.refresh()
    onText(part)
  })
  // If git ends early, `ended` has the reason. The error of its closed input adds nothing.
  child.stdin.on('error', () => {})
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'ENOENT'
          ? new UsageError('git was not found. Install git, or add it to the PATH.')
          : new ImportError(`Cannot start git: ${error.message}`),
      )
    })
    child.on('close', (code, signal) => {
      clearTimeout(silence)
      if (options.network) onText('\n')
      if (code === 0) return resolve()
      const reason = trimStderr(stderr) || `ended with ${signal ?? `status ${code}`}`
      reject(new ImportError(`git ${args[0]}: ${reason}`))
    })
  })
  ended.catch(() => {})
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    /** Settles when git has ended. Rejects with ImportError and the message of git if it failed. */
    ended,
    stderrText: () => trimStderr(stderr),
    /** Stops git and waits until it has ended. Never rejects. */
    stop: async () => {
      child.kill()
      child.stdout.destroy()
      await ended.catch(() => {})
    },
  }
}

/** `Receiving objects:  45% (450/1000), 1.2 MiB | 3 MiB/s`, `remote: Enumerating objects: 12, done.`, `remote: Total 12 (…`. */
const PROGRESS =
  /^(?:remote: )?([A-Z][a-z]+) [a-z ]+: +(\d+)(?:% \((\d+)\/(\d+)\))?|^remote: (?:Enumerating|Total|Counting)/

/** Separates lines of progress from errors. git ends the former with `\r`, except the last. */
const splitProgress = (
  addError: (text: string) => void,
  onProgress: ((progress: FetchProgress) => void) | undefined,
): ((text: string) => void) => {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split(/[\r\n]/)
    rest = lines.pop()!.slice(0, MAX_STDERR_LENGTH)
    for (const line of lines) {
      const [isProgress, phase, count, done, total] = PROGRESS.exec(line) ?? []
      if (isProgress === undefined) addError(`${line}\n`)
      if (phase === undefined) continue
      const numbers =
        done === undefined ? { done: Number(count) } : { done: Number(done), total: Number(total) }
      onProgress?.({ ...numbers, unit: `objects (${phase.toLowerCase()})` })
    }
  }
}

/** Runs git while its output is read. @throws ImportError with the message of git if it fails */
async function* outputOf(options: GitRepositoryOptions, args: string[]): AsyncGenerator<Buffer> {
  const git = startGit(options, args)
  try {
    yield* git.stdout
    git.stdin.end()
    await git.ended
  } finally {
    await git.stop()
  }
}

/** Runs git and returns its output. @throws ImportError with the message of git if it fails */
export const runGit = (options: GitRepositoryOptions, args: string[]): Promise<string> =>
  text(outputOf(options, args))

/** git's output, in parts of whole fields, which end with NUL. @throws ImportError with the message of git if it fails */
export async function* partsOf(options: GitRepositoryOptions, args: string[]): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const chunk of outputOf(options, args)) {
    const end = chunk.lastIndexOf(0) + 1
    if (end > 0) {
      const fields = chunk.subarray(0, end)
      yield rest.length === 0 ? fields : Buffer.concat([...rest, fields])
      rest = []
    }
    if (end < chunk.length) rest.push(chunk.subarray(end))
  }
}

/** The fields of a part, without the NUL at their end. */
export function* fieldsIn(part: Buffer): Generator<Buffer> {
  for (let start = 0; start < part.length; ) {
    const end = part.indexOf(0, start)
    yield part.subarray(start, end)
    start = end + 1
  }
}

/** Processes of git that answer questions about a repository until all are stopped. */
export const makeGitProcesses = (options: GitRepositoryOptions) => {
  const running = new Set<ReturnType<typeof startGit>>()
  return {
    /** @param last after this text, the output pauses: no more is awaited. Absent: it does not pause */
    start: (args: string[], last?: string) => {
      const git = startGit(options, args)
      running.add(git)
      git.ended.catch(() => {}).then(() => running.delete(git))
      return { ...git, ...readerOf(git.stdout, last) }
    },
    stop: async (): Promise<void> => {
      await Promise.all([...running].map((git) => git.stop()))
    },
  }
}

const readerOf = (stdout: Readable, last?: string) => {
  const chunks: AsyncIterator<Buffer> = stdout[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const readMore = async (): Promise<boolean> => {
    if (last !== undefined && rest.subarray(-last.length).equals(Buffer.from(last))) return false
    const { value, done } = await chunks.next()
    if (!done) rest = Buffer.concat([rest, value])
    return !done
  }
  /** Exactly `length` bytes, which should be few: they are copied with each chunk; null if the output ends first. */
  const take = async (length: number): Promise<Buffer | null> => {
    while (rest.length < length) if (!(await readMore())) return null
    const bytes = rest.subarray(0, length)
    rest = rest.subarray(length)
    return bytes
  }
  /** The text before the next delimiter, which is dropped; empty if the output ends first. */
  const until = async (delimiter: '\n' | '\0'): Promise<string> => {
    while (!rest.includes(delimiter)) if (!(await readMore())) return ''
    const bytes = await take(rest.indexOf(delimiter) + 1)
    return bytes!.toString('utf8', 0, bytes!.length - 1)
  }
  return { take, until }
}

export type GitProcesses = ReturnType<typeof makeGitProcesses>

/** Settings that override those of the repository, which may be untrusted. (D20) */
const settings = (options: GitRepositoryOptions): string[] => [
  '--no-pager',
  // The user has named this folder, so a bare repository in it is intended.
  ...['-c', 'safe.bareRepository=all'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.fsmonitor=false'],
  ...(options.gitDir === undefined ? [] : [`--git-dir=${options.gitDir}`]),
  ...(options.config ?? []).flatMap((setting) => ['-c', setting]),
]

const environment = (options: GitRepositoryOptions): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name))),
  // Messages in English, because they distinguish the errors.
  LC_ALL: 'C',
  GIT_CEILING_DIRECTORIES: dirname(options.folder),
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  // A replaced commit would change generations, and with them the ids of revisions.
  GIT_NO_REPLACE_OBJECTS: '1',
  // A partial clone would fetch missing objects, with any program that its configuration names.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  // Without prompts: git must fail instead of waiting for a password. (D20)
  ...(options.network && {
    GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
    GIT_SSH_COMMAND: `${process.env.GIT_SSH_COMMAND || 'ssh'} -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=30`,
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
  }),
})

const trimStderr = (stderr: string): string =>
  stderr
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_STDERR_LENGTH)
