import { createHash } from 'node:crypto'
import type { FileStore, StorableFile } from '@lectern/files-s3/file-store'
import { ImportError } from '@lectern/wiki/errors'
import { FILE_HEAD_BYTES } from '@lectern/wiki/files/media-type'
import { binaryBytesArray, column, inBatches } from '../db/bulk.ts'
import type { RunStatement } from '../db/statements.ts'
import { FILE_PART_BYTES } from '../limits/responses.ts'

/** The bytes of a file as they were read. */
export interface ReadFile {
  blobId: string
  bytes: number
}

/** A file of one part, which is stored together with others. */
export type SmallFile = StorableFile & { data: Buffer; bytes: number }

export interface OutsideStore {
  files: FileStore
  /** Commits that bytes with these hashes may be unused, whatever becomes of the import. */
  record(hashes: Buffer): Promise<unknown>
}

/** Files of one statement. PostgreSQL copies an array several times: one of 4 MB takes longer than ten with the same bytes. */
const ADDED = { pages: 64, bytes: 384 * 1024 }

/** Stores the bytes of files once for equal ones. Never more than a part is in memory of a file. */
export class BlobWriter {
  readonly #run: RunStatement
  readonly #bytesMax: number
  /** Undefined: bytes are stored in the database. */
  readonly #outside: OutsideStore | undefined
  /** Memory for the bytes of a statement. The next one uses it again: much memory that is freed makes V8 collect garbage. */
  #memory = Buffer.alloc(0)
  readonly #allocate = (size: number): Buffer => {
    if (this.#memory.length < size) this.#memory = Buffer.allocUnsafe(size)
    return this.#memory.subarray(0, size)
  }

  constructor(run: RunStatement, bytesMax: number, outside: OutsideStore | undefined) {
    this.#run = run
    this.#bytesMax = bytesMax
    this.#outside = outside
  }

  /**
   * Reads a file. One that fits into a part is not stored yet.
   * @param accept checks the first part of the file, before the rest is read
   * @throws ImportError if it cannot be read or is too long, and what `accept` throws; then nothing is stored
   */
  async read(chunks: AsyncIterable<Buffer>, accept: (head: Buffer) => void): Promise<SmallFile | ReadFile> {
    const parts = partsOf(chunks, this.#bytesMax)
    const first = await parts.next()
    const data = first.value ?? Buffer.alloc(0)
    try {
      accept(data.subarray(0, FILE_HEAD_BYTES))
      const second = first.done ? first : await parts.next()
      if (second.done) return { sha256: createHash('sha256').update(data).digest(), data, bytes: data.length }
      const whole = joined([data, second.value], parts)
      return await (this.#outside ? this.#storeOutside(this.#outside.files, whole) : this.#store(whole))
    } finally {
      await parts.return(undefined)
    }
  }

  /** Stores files of one part. @returns the ids of their blobs, in the same order */
  storeSmall(files: readonly SmallFile[]): Promise<string[]> {
    return this.#storeAll(files, async (missing) => {
      if (this.#outside) return this.#addOutside(this.#outside, missing)
      const added: { sha256: string; id: string }[] = []
      for (const files of inBatches(missing, ADDED)) {
        const data = binaryBytesArray(column(files, 'data'), this.#allocate)
        added.push(...(await this.#run('add_blobs', [hashesOf(files), data])).rows)
      }
      return added
    })
  }

  /** @param add stores those that are not stored where they belong */
  async #storeAll<File extends StorableFile>(
    files: readonly File[],
    add: (missing: File[]) => Promise<{ sha256: string; id: string }[]>,
  ): Promise<string[]> {
    const byHash = new Map(files.map((file) => [file.sha256.toString('hex'), file]))
    const wanted = [hashesOf([...byHash.values()]), this.#outside !== undefined]
    const { rows: stored } = await this.#run('stored_blobs', wanted)
    const ids = new Map(stored.map(({ sha256, id }) => [sha256, id]))
    const missing = [...byHash].filter(([hex]) => !ids.has(hex)).map(([, file]) => file)
    const added = missing.length > 0 ? await add(missing) : []
    for (const { sha256, id } of added) ids.set(sha256, id)
    return files.map(({ sha256 }) => ids.get(sha256.toString('hex'))!)
  }

  async #addOutside({ files, record }: OutsideStore, missing: readonly StorableFile[]) {
    const hashes = hashesOf(missing)
    await record(hashes)
    await files.put(missing)
    return (await this.#run('add_blobs_outside', [hashes])).rows
  }

  async #storeOutside(store: FileStore, whole: AsyncIterable<Buffer>): Promise<ReadFile> {
    const file = await store.spool(whole)
    try {
      const add = (missing: StorableFile[]) => this.#addOutside(this.#outside!, missing)
      return { blobId: (await this.#storeAll([file], add))[0]!, bytes: file.data.length }
    } finally {
      await file.remove()
    }
  }

  async #store(whole: AsyncIterable<Buffer>): Promise<ReadFile> {
    const { id } = (await this.#run('begin_blob', [])).rows[0]!
    const hash = createHash('sha256')
    let part = 0
    let bytes = 0
    try {
      for await (const data of whole) {
        hash.update(data)
        bytes += data.length
        await this.#run('add_blob_part', [id, part++, data])
      }
    } catch (error) {
      if (error instanceof ImportError) await this.#run('delete_blob', [id])
      throw error
    }
    const { rows } = await this.#run('finish_blob', [id, hash.digest()])
    return { blobId: rows[0]!.id, bytes }
  }
}

const hashesOf = (files: readonly StorableFile[]): Buffer => binaryBytesArray(column(files, 'sha256'))

async function* joined(begun: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* begun
  yield* rest
}

/** Bytes in parts of one size, of which only the last can be shorter. @throws ImportError for more bytes than `bytesMax` */
async function* partsOf(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer, undefined> {
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
