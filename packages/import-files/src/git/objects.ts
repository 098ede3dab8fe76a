import type { Readable } from 'node:stream'
import { ImportError } from '@lectern/wiki/errors'
import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { isHiddenContent } from '../files/document.ts'
import type { FileTree } from '../files/file-tree.ts'
import { isLink, isRegular } from './log.ts'
import { eachField, type GitProcess, startGit } from './process.ts'
import type { Repository } from './repository.ts'

/** An entry of a commit's tree that is not a folder. */
interface TreeEntry {
  /** U+FFFD replaces bytes that are not UTF-8. */
  file: string
  mode: string
  /** The hash of the object. */
  blob: string
}

/** Calls back with each entry of a commit's tree, except folders. */
export const eachEntry = (
  repository: Repository,
  head: string,
  onEntry: (entry: TreeEntry) => void,
): Promise<void> =>
  eachField(repository, ['ls-tree', '-r', '-z', '--full-tree', head], (bytes) => {
    const tab = bytes.indexOf(0x09)
    const [mode = '', , blob = ''] = bytes.toString('latin1', 0, tab).split(' ')
    onEntry({ file: bytes.toString('utf8', tab + 1), mode, blob })
  })

/**
 * Reads blobs in the given order, in one run of git, which has ended when the generator ends. Yields null for a blob of
 * more than `maxBytes`. Checks the lengths: for a truncated object, git prints fewer bytes than it announces, without
 * an error.
 * @throws ImportError if a blob is missing or damaged
 */
export async function* readBlobs(
  repository: Repository,
  blobs: readonly string[],
  maxBytes: number = TEXT_BYTES_MAX,
): AsyncGenerator<Buffer | null> {
  if (blobs.length === 0) return
  const git = startGit(repository, ['cat-file', '--batch', '--buffer'])
  const objects = objectReaderOf(git)
  try {
    git.stdin.end(linesOf(blobs))
    for (const blob of blobs) yield await nextBlob(objects, blob, maxBytes)
    await git.ended
  } finally {
    await git.stop()
  }
}

/** A run of git that prints objects, and what it has printed. */
export interface ObjectReader {
  git: GitProcess
  reader: ByteReader
}

export const objectReaderOf = (git: GitProcess): ObjectReader => ({ git, reader: new ByteReader(git.stdout) })

const linesOf = (blobs: readonly string[]): string => blobs.map((blob) => `${blob}\n`).join('')

const nextBlob = async (
  { git, reader }: ObjectReader,
  blob: string,
  maxBytes: number,
): Promise<Buffer | null> => {
  const header = (await reader.until(NEWLINE))?.toString('latin1') ?? ''
  const length = header.startsWith(`${blob} blob `) ? Number(header.slice(blob.length + 6)) : null
  const isLarge = length !== null && length > maxBytes
  const isThere = !isLarge || (await reader.skip(length))
  const bytes = length === null || !isThere ? null : await reader.take(isLarge ? 1 : length + 1)
  if (bytes?.at(-1) !== NEWLINE) throw await missingObject(git, header === `${blob} missing`)
  return isLarge ? null : bytes.subarray(0, -1)
}

/** Reads blobs that are asked for one after another. One run of git answers every time, until `close`. */
export class BlobReader {
  readonly #repository: Repository
  #running: ObjectReader | undefined

  constructor(repository: Repository) {
    this.#repository = repository
  }

  /** @returns null if the blob has more than `maxBytes` */
  async read(blob: string, maxBytes: number): Promise<Buffer | null> {
    this.#running ??= objectReaderOf(startGit(this.#repository, ['cat-file', '--batch']))
    this.#running.git.stdin.write(linesOf([blob]))
    return nextBlob(this.#running, blob, maxBytes)
  }

  async close(): Promise<void> {
    await this.#running?.git.stop()
    this.#running = undefined
  }
}

/** Which contents guests do not see. Only those are read that are asked for. */
export class HiddenBlobs {
  readonly #hidden = new Map<string, boolean>()
  readonly #blobs: BlobReader

  constructor(repository: Repository) {
    this.#blobs = new BlobReader(repository)
  }

  /** Whether a content was asked for before, and is hidden. */
  has(blob: string): boolean {
    return this.#hidden.get(blob) === true
  }

  isKnown(blob: string): boolean {
    return this.#hidden.has(blob)
  }

  async ask(blobs: readonly string[]): Promise<void> {
    for (const blob of blobs)
      if (!this.isKnown(blob))
        this.#hidden.set(blob, isHiddenContent(await this.#blobs.read(blob, TEXT_BYTES_MAX)))
  }

  /** Ends the run of git that `ask` started. */
  close(): Promise<void> {
    return this.#blobs.close()
  }
}

export const missingObject = async (git: GitProcess, isMissing: boolean): Promise<ImportError> => {
  await git.stop()
  const stderr = git.stderrText()
  const reason = isMissing
    ? 'is missing. If this is a partial clone, clone again without --filter'
    : 'is damaged. Run git fsck'
  return new ImportError(`git cat-file: an object ${stderr === '' ? reason : `cannot be read: ${stderr}`}`)
}

const NEWLINE = 0x0a

/** What is skipped at a time. */
const SKIPPED_BYTES = 65_536

/** Reads a stream by length and by delimiter. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** The bytes before the next delimiter, which is dropped; null if the stream ends first. */
  async until(delimiter: number): Promise<Buffer | null> {
    let end = this.#rest.indexOf(delimiter)
    while (end === -1) {
      const from = this.#rest.length
      if (!(await this.#readMore(1))) return null
      end = this.#rest.indexOf(delimiter, from)
    }
    return this.#cut(end, end + 1)
  }

  /** Exactly `length` bytes; null if the stream ends first. */
  async take(length: number): Promise<Buffer | null> {
    const missing = length - this.#rest.length
    if (missing > 0 && !(await this.#readMore(missing))) return null
    return this.#cut(length, length)
  }

  /** Skips `length` bytes; false if the stream ends first. */
  async skip(length: number): Promise<boolean> {
    for (let rest = length; rest > 0; rest -= SKIPPED_BYTES)
      if ((await this.take(Math.min(rest, SKIPPED_BYTES))) === null) return false
    return true
  }

  #cut(end: number, next: number): Buffer {
    const bytes = this.#rest.subarray(0, end)
    this.#rest = this.#rest.subarray(next)
    return bytes
  }

  async #readMore(length: number): Promise<boolean> {
    const chunks = [this.#rest]
    for (let read = 0; read < length; ) {
      const next = await this.#chunks.next()
      if (next.done) return false
      chunks.push(next.value)
      read += next.value.length
    }
    this.#rest = Buffer.concat(chunks)
    return true
  }
}

/** The files in the tree of a commit. Their contents are blobs. */
export const commitTree = (repository: Repository, head: string): FileTree => ({
  eachFile: (onFile) =>
    eachEntry(repository, head, ({ file: name, mode, blob: content }) => {
      if (isRegular(mode)) onFile({ name, kind: 'regular', content })
      else if (isLink(mode)) onFile({ name, kind: 'link', content })
    }),
  readContents: (contents, maxBytes) => readBlobs(repository, contents, maxBytes),
})
