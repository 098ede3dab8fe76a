import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { ImportError, UsageError } from '../../errors.ts'

/** Where git is run. Without `gitDir` it looks for the repository in `folder`, and nowhere above it. */
export interface GitRepositoryOptions {
  folder: string
  gitDir?: string
  /** More settings, as `name=value`. */
  config?: string[]
}

export interface GitProcess {
  stdin: Writable
  stdout: Readable
  /** Settles when git has ended; rejects with ImportError in git's own words when it failed. */
  ended: Promise<void>
  /** What git has complained of so far, as one line; complete once it has ended. */
  stderrText(): string
  /** Ends git, whatever it is doing, and waits until it is gone. Never rejects. */
  stop(): Promise<void>
}

/** What git may say of a failure, characters. */
const WORDS_MAX = 600

/** Starts git without a shell, a pager, a prompt, a hook or the network, and out of reach of `GIT_*` variables. */
export const startGit = (place: GitRepositoryOptions, args: string[]): GitProcess => {
  const child = spawn('git', [...settings(place), ...args], {
    cwd: place.gitDir ?? place.folder,
    env: environment(place),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (words.length < WORDS_MAX) words += text
  })
  // A git that has ended early says why in `ended`; that its input is closed adds nothing.
  child.stdin.on('error', () => {})
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'ENOENT'
          ? new UsageError('git was not found. Install git, or put it on the PATH.')
          : new ImportError(`git cannot be started: ${error.message}`),
      )
    })
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else
        reject(
          new ImportError(
            `git ${args[0]}: ${trimmedStderr(words) || `ended by ${signal ?? `status ${code}`}`}`,
          ),
        )
    })
  })
  ended.catch(() => {})
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    stderrText: () => trimmedStderr(words),
    stop: async () => {
      child.kill()
      child.stdout.destroy()
      await ended.catch(() => {})
    },
  }
}

/**
 * What git prints, whole.
 * @throws ImportError in git's own words when it fails
 */
export const runGit = async (place: GitRepositoryOptions, args: string[]): Promise<string> => {
  const chunks: Buffer[] = []
  await withGit(place, args, async (git) => {
    for await (const chunk of git.stdout) chunks.push(chunk as Buffer)
  })
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Calls back with each field that git prints before a NUL; its bytes are good during the call only.
 * @throws ImportError in git's own words when it fails
 */
export const eachField = (
  place: GitRepositoryOptions,
  args: string[],
  onField: (bytes: Buffer) => void,
): Promise<void> =>
  withGit(place, args, async (git) => {
    let begun: Buffer[] = []
    for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
      let start = 0
      for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
        const field = chunk.subarray(start, end)
        onField(begun.length === 0 ? field : Buffer.concat([...begun, field]))
        begun = []
        start = end + 1
      }
      if (start < chunk.length) begun.push(chunk.subarray(start))
    }
  })

/** Runs git while `use` reads it; git has ended when this settles, whichever way. */
const withGit = async <T>(
  place: GitRepositoryOptions,
  args: string[],
  use: (git: GitProcess) => Promise<T>,
): Promise<T> => {
  const git = startGit(place, args)
  try {
    const result = await use(git)
    git.stdin.end()
    await git.ended
    return result
  } finally {
    await git.stop()
  }
}

/** Settings stronger than those of the repository, which may be a stranger's. */
const settings = (place: GitRepositoryOptions): string[] => [
  '--no-pager',
  // The person has named this very folder: nothing is found by accident.
  ...['-c', 'safe.bareRepository=all'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.fsmonitor=false'],
  ...(place.gitDir === undefined ? [] : [`--git-dir=${place.gitDir}`]),
  ...(place.config ?? []).flatMap((setting) => ['-c', setting]),
]

const environment = (place: GitRepositoryOptions): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name))),
  // Messages in English, to tell one refusal from another.
  LC_ALL: 'C',
  GIT_CEILING_DIRECTORIES: dirname(place.folder),
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  // A replaced commit would change what is counted from it, and with it the ids of edits.
  GIT_NO_REPLACE_OBJECTS: '1',
  // A partial clone would fetch what it lacks, by whatever program its configuration names.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
})

const trimmedStderr = (words: string): string =>
  words
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, WORDS_MAX)
