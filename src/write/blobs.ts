import { createHash } from 'node:crypto'
import { ImportError } from '@lectern/wiki/errors'
import { FILE_HEAD_BYTES } from '@lectern/wiki/files/media-type'
import { binaryBytesArray } from '../db/bulk.ts'
import type { RunStatement } from '../db/statements.ts'
import { FILE_PART_BYTES } from '../limits/responses.ts'

/** The bytes of a file as they were read. */
interface ReadFile {
  blobId: string
  bytes: number
  /** The first of them, at most `FILE_HEAD_BYTES`. */
  head: Buffer
}

/** A file of one part, which is stored together with others. */
interface SmallFile {
  sha256: Buffer
  data: Buffer
}

/** Stores the bytes of files once for equal ones. Never more than a part is in memory of a file. */
export class BlobWriter {
  readonly #run: RunStatement
  readonly #bytesMax: number
  /** Memory for the bytes of a statement. The next one uses it again: much memory that is freed makes V8 collect garbage. */
  #memory = Buffer.alloc(0)
  readonly #allocate = (size: number): Buffer => {
    if (this.#memory.length < size) this.#memory = Buffer.allocUnsafe(size)
    return this.#memory.subarray(0, size)
  }

  constructor(run: RunStatement, bytesMax: number) {
    this.#run = run
    this.#bytesMax = bytesMax
  }

  /**
   * Reads a file. One that fits into a part is not stored yet.
   * @param accept checks the first part of the file, before the rest is read
   * @throws ImportError if it cannot be read or is too long, and what `accept` throws; then nothing is stored
   */
  async read(
    chunks: AsyncIterable<Buffer> | [Buffer],
    accept: (head: Buffer) => void,
  ): Promise<SmallFile | ReadFile> {
    const parts = partsOf(chunks, this.#bytesMax)
    const first = await parts.next()
    const data = first.value ?? Buffer.alloc(0)
    try {
      accept(headOf(data))
      const second = first.done ? first : await parts.next()
      if (second.done) return { sha256: createHash('sha256').update(data).digest(), data }
      return await this.#store(parts, [data, second.value])
    } finally {
      await parts.return(undefined)
    }
  }

  /** Stores files of one part. @returns the ids of their blobs, in the same order */
  async storeSmall(files: readonly SmallFile[]): Promise<string[]> {
    const byHash = new Map(files.map(({ sha256, data }) => [sha256.toString('hex'), { sha256, data }]))
    const hashes = [...byHash.values()].map(({ sha256 }) => sha256)
    const { rows: stored } = await this.#run('stored_blobs', [binaryBytesArray(hashes)])
    const ids = new Map(stored.map(({ sha256, id }) => [sha256, id]))
    const missing = [...byHash].filter(([hex]) => !ids.has(hex)).map(([, file]) => file)
    if (missing.length > 0) {
      const columns = [
        binaryBytesArray(missing.map(({ sha256 }) => sha256)),
        binaryBytesArray(
          missing.map(({ data }) => data),
          this.#allocate,
        ),
      ]
      for (const { sha256, id } of (await this.#run('add_blobs', columns)).rows) ids.set(sha256, id)
    }
    return files.map(({ sha256 }) => ids.get(sha256.toString('hex'))!)
  }

  async #store(rest: AsyncIterable<Buffer>, begun: readonly Buffer[]): Promise<ReadFile> {
    const { id } = (await this.#run('begin_blob', [])).rows[0]!
    const hash = createHash('sha256')
    let part = 0
    let bytes = 0
    const add = async (data: Buffer): Promise<void> => {
      hash.update(data)
      bytes += data.length
      await this.#run('add_blob_part', [id, part++, data])
    }
    try {
      for (const data of begun) await add(data)
      for await (const data of rest) await add(data)
    } catch (error) {
      if (error instanceof ImportError) await this.#run('delete_blob', [id])
      throw error
    }
    const { rows } = await this.#run('finish_blob', [id, hash.digest()])
    return { blobId: rows[0]!.id, bytes, head: headOf(begun[0]!) }
  }
}

const headOf = (data: Buffer): Buffer => data.subarray(0, FILE_HEAD_BYTES)

/** Bytes in parts of one size, of which only the last can be shorter. @throws ImportError for more bytes than `bytesMax` */
async function* partsOf(
  chunks: AsyncIterable<Buffer> | [Buffer],
  bytesMax: number,
): AsyncGenerator<Buffer, undefined> {
  let pending: Buffer[] = []
  let length = 0
  let total = 0
  for await (const chunk of chunks) {
    total += chunk.length
    if (total > bytesMax) throw new ImportError(`has more than ${bytesMax} bytes`)
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + FILE_PART_BYTES - length)
      pending.push(piece)
      at += piece.length
      length += piece.length
      if (length < FILE_PART_BYTES) continue
      yield Buffer.concat(pending)
      pending = []
      length = 0
    }
  }
  if (length > 0) yield pending.length === 1 ? pending[0]! : Buffer.concat(pending)
}
