import { randomUUID } from 'node:crypto'
import { ImportError } from '@lectern/wiki/errors'
import type { GitProcess, GitProcesses } from './process.ts'

const CHUNK_BYTES = 64 * 1024

/**
 * Reads objects with one process of git; another starts if a question comes before all answers of an earlier one are read. Of
 * a truncated object, git prints fewer bytes than it announces, without an error. So each question ends with a name that no
 * object can have: its answer is the last one.
 */
export const makeObjectReader = (processes: GitProcesses) => {
  const last = `last object ${randomUUID()}`
  const idle = new Set<GitProcess>()
  const takeProcess = (): GitProcess => {
    const [git] = idle
    if (git !== undefined) {
      idle.delete(git)
      return git
    }
    const started = processes.start(['cat-file', '--batch'], `${last} missing\n`)
    started.ended.catch(() => {}).then(() => idle.delete(started))
    return started
  }
  /** Asks for objects. A process whose answers are not all read is stopped. */
  const ask = async function* <T>(
    objects: string[],
    read: (git: GitProcess) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    if (objects.length === 0) return
    const git = takeProcess()
    let isIdle = false
    try {
      git.stdin.write([...objects, last].map((object) => `${object}\n`).join(''))
      yield* read(git)
      isIdle = (await git.until('\n')) === `${last} missing`
    } finally {
      if (isIdle) idle.add(git)
      else await git.stop()
    }
  }
  /** Reads blobs in the given order; null for one of more than `maxBytes`. @throws ImportError if one is missing or damaged */
  const readAll = <File extends { content: string }>(files: readonly File[], maxBytes: number) => {
    const blobs = files.map(({ content }) => content)
    return ask(blobs, async function* (git): AsyncGenerator<[File, Buffer | null]> {
      for (const file of files) yield [file, await nextBlob(git, file.content, maxBytes)]
    })
  }
  return {
    readAll,
    /** @returns null if the blob has more than `maxBytes` */
    read: async (blob: string, maxBytes: number): Promise<Buffer | null> => {
      let found: Buffer | null = null
      for await (const [, bytes] of readAll([{ content: blob }], maxBytes)) found = bytes
      return found
    },
    /** Reads a blob of any length, in parts. @throws ImportError if it is missing or damaged */
    stream: (blob: string): AsyncGenerator<Buffer> => ask([blob], (git) => partsOfBlob(git, blob)),
    /** The full hash of the commit that a ref names; null if there is none. */
    commit: async (ref: string): Promise<string | null> => {
      if (/[\n\0]/.test(ref)) return null
      let found: string | null = null
      for await (const hash of ask([`${ref}^{commit}`], commitOfAnswer)) found = hash
      return found
    },
  }
}

/** The next blob, which was asked for; null if it has more than `maxBytes`. */
const nextBlob = async (git: GitProcess, blob: string, maxBytes: number): Promise<Buffer | null> => {
  const kept: Buffer[] = []
  let length = 0
  for await (const part of partsOfBlob(git, blob)) {
    length += part.length
    if (length <= maxBytes) kept.push(part)
  }
  return length <= maxBytes ? Buffer.concat(kept) : null
}

async function* partsOfBlob(git: GitProcess, blob: string): AsyncGenerator<Buffer> {
  const header = await git.until('\n')
  if (!header.startsWith(`${blob} blob `)) throw await unreadable(git, header === `${blob} missing`)
  yield* bodyOf(git, Number(header.slice(blob.length + 6)))
}

/** The hash of the commit that was asked for; nothing if there is none. */
async function* commitOfAnswer(git: GitProcess): AsyncGenerator<string> {
  const header = await git.until('\n')
  const [, hash, length] = /^([0-9a-f]{40,64}) commit (\d+)$/.exec(header) ?? []
  if (/ (?:missing|ambiguous)$/.test(header)) return
  if (hash === undefined) throw await unreadable(git)
  for await (const _ of bodyOf(git, Number(length)));
  yield hash
}

async function* bodyOf(git: GitProcess, length: number): AsyncGenerator<Buffer> {
  for (let left = length; left > 0; left -= CHUNK_BYTES) {
    const part = await git.take(Math.min(left, CHUNK_BYTES))
    if (part === null) throw await unreadable(git)
    yield part
  }
  if (String(await git.take(1)) !== '\n') throw await unreadable(git)
}

const unreadable = async (git: GitProcess, isMissing = false): Promise<ImportError> => {
  await git.stop()
  const stderr = git.stderrText()
  const reason = isMissing
    ? 'is missing. If this is a partial clone, clone again without --filter'
    : 'is damaged. Run git fsck'
  return new ImportError(`git cat-file: an object ${stderr === '' ? reason : `cannot be read: ${stderr}`}`)
}
