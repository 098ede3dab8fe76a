import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What one commit writes: texts by file, null removes one. */
export type CommittedFiles = Record<string, string | Buffer | null>

const run = async (folder: string, args: string[], input?: Iterable<string | Buffer>): Promise<void> => {
  const child = spawn('git', args, { cwd: folder, stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(child, 'close')
  for (const piece of input ?? []) if (!child.stdin.write(piece)) await once(child.stdin, 'drain')
  child.stdin.end()
  const [status] = await ended
  if (status !== 0) throw new Error(`git ${args[0]} ended with ${status}`)
}

/** A bare repository of these commits, a second apart, for as long as `use` runs: thousands of them take seconds. */
export const withHistory = async <Result>(
  commits: Iterable<CommittedFiles>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-history-'))
  const stream = function* () {
    let seconds = 1_700_000_000
    for (const files of commits) {
      seconds += 1
      yield `commit refs/heads/main\ncommitter Ada <> ${seconds} +0000\ndata 4\nedit\n`
      for (const [name, text] of Object.entries(files)) {
        if (text === null) yield `D ${name}\n`
        else {
          yield `M 100644 inline ${name}\ndata ${Buffer.byteLength(text)}\n`
          yield text
          yield '\n'
        }
      }
    }
  }
  try {
    await run(folder, ['init', '-q', '--bare', '-b', 'main'])
    await run(folder, ['fast-import', '--quiet'], stream())
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
