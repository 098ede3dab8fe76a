import type { Readable } from 'node:stream'
import { ImportError } from '../../errors.ts'
import { TEXT_BYTES_MAX } from '../../limits.ts'
import { isRegular } from './log.ts'
import { eachField, type GitProcess, startGit } from './process.ts'
import type { Repository } from './repository.ts'

/** Calls back with each entry of a commit's tree but folders: its name, and whether it is a regular file. */
export const eachEntry = (
  repository: Repository,
  head: string,
  onEntry: (file: string, regular: boolean) => void,
): Promise<void> =>
  eachField(repository, ['ls-tree', '-r', '-z', '--full-tree', head], (bytes) => {
    const tab = bytes.indexOf(0x09)
    onEntry(bytes.toString('utf8', tab + 1), isRegular(bytes.toString('latin1', 0, tab)))
  })

/**
 * Each blob's bytes, in the order asked for, by one run of git, which has ended when this ends; null for one of more
 * than so many bytes, which are passed over. What git gives is checked: of a cut-off object it gives fewer bytes than
 * it announces, and no error.
 * @throws ImportError when one is missing or damaged
 */
export async function* readBlobs(
  repository: Repository,
  blobs: string[],
  most: number = TEXT_BYTES_MAX,
): AsyncGenerator<Buffer | null> {
  if (blobs.length === 0) return
  const git = startGit(repository, ['cat-file', '--batch', '--buffer'])
  try {
    git.stdin.end(blobs.map((blob) => `${blob}\n`).join(''))
    const answers = new ByteReader(git.stdout)
    for (const blob of blobs) {
      const header = (await answers.until(NEWLINE))?.toString('latin1') ?? ''
      const length = header.startsWith(`${blob} blob `) ? Number(header.slice(blob.length + 6)) : null
      const isLarge = length !== null && length > most
      const isThere = !isLarge || (await answers.skip(length))
      const bytes = length === null || !isThere ? null : await answers.take(isLarge ? 1 : length + 1)
      if (bytes?.at(-1) !== NEWLINE) throw await missingObject(git, header === `${blob} missing`)
      yield isLarge ? null : bytes.subarray(0, -1)
    }
    await git.ended
  } finally {
    await git.stop()
  }
}

const missingObject = async (git: GitProcess, missing: boolean): Promise<ImportError> => {
  await git.stop()
  const words = git.stderrText()
  const what = missing
    ? 'is missing; of a partial clone, make one without --filter'
    : 'is damaged; see git fsck'
  return new ImportError(`git cat-file: a text ${words === '' ? what : `cannot be read: ${words}`}`)
}

const NEWLINE = 0x0a

/** Takes a stream apart by length and by line. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** The bytes before the next such byte, which is dropped; null when the stream ends before it. */
  async until(byte: number): Promise<Buffer | null> {
    let end = this.#rest.indexOf(byte)
    while (end === -1) {
      const from = this.#rest.length
      if (!(await this.#more(1))) return null
      end = this.#rest.indexOf(byte, from)
    }
    return this.#cut(end, end + 1)
  }

  /** So many bytes; null when the stream ends before. */
  async take(length: number): Promise<Buffer | null> {
    const lacking = length - this.#rest.length
    if (lacking > 0 && !(await this.#more(lacking))) return null
    return this.#cut(length, length)
  }

  /** Passes over so many bytes; false when the stream ends before. */
  async skip(length: number): Promise<boolean> {
    for (let left = length; ; ) {
      const some = Math.min(left, this.#rest.length)
      this.#rest = this.#rest.subarray(some)
      left -= some
      if (left === 0) return true
      if (!(await this.#more(1))) return false
    }
  }

  #cut(end: number, next: number): Buffer {
    const bytes = this.#rest.subarray(0, end)
    this.#rest = this.#rest.subarray(next)
    return bytes
  }

  async #more(length: number): Promise<boolean> {
    const chunks = [this.#rest]
    for (let got = 0; got < length; ) {
      const next = await this.#chunks.next()
      if (next.done) return false
      chunks.push(next.value)
      got += next.value.length
    }
    this.#rest = Buffer.concat(chunks)
    return true
  }
}
