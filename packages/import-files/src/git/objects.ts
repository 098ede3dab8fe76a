import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { ImportError } from '@lectern/wiki/errors'
import type { GitProcess, GitProcesses } from './process.ts'

/** Bytes of a blob that are read at a time, if it is read as a stream or skipped. */
const CHUNK_BYTES = 64 * 1024

/** Reads objects with one process of git; another starts if a question comes before all answers of an earlier one are read. */
export class ObjectReader {
  readonly #processes: GitProcesses
  readonly #idle = new Set<BatchProcess>()

  constructor(processes: GitProcesses) {
    this.#processes = processes
  }

  /** Reads blobs in the given order; null for one of more than `maxBytes`. @throws ImportError if one is missing or damaged */
  readAll<File extends { content: string }>(files: readonly File[], maxBytes: number) {
    const blobs = files.map(({ content }) => content)
    return this.#ask(blobs, async function* (batch): AsyncGenerator<[File, Buffer | null]> {
      for (const file of files) yield [file, await batch.blob(file.content, maxBytes)]
    })
  }

  /** @returns null if the blob has more than `maxBytes` */
  async read(blob: string, maxBytes: number): Promise<Buffer | null> {
    let found: Buffer | null = null
    for await (const [, bytes] of this.readAll([{ content: blob }], maxBytes)) found = bytes
    return found
  }

  /** Reads a blob of any length. @throws ImportError if it is missing or damaged */
  stream(blob: string): AsyncGenerator<Buffer> {
    return this.#ask([blob], async function* (batch) {
      for (let left = await batch.lengthOf(blob); left > 0; left -= CHUNK_BYTES)
        yield await batch.take(Math.min(left, CHUNK_BYTES))
      await batch.takeEnd()
    })
  }

  /** The full hash of the commit that a ref names; null if there is none. */
  async commit(ref: string): Promise<string | null> {
    if (/[\n\0]/.test(ref)) return null
    let found: string | null = null
    const answers = this.#ask([`${ref}^{commit}`], async function* (batch) {
      yield await batch.commit()
    })
    for await (const hash of answers) found = hash
    return found
  }

  /** Asks for objects. A process whose answers are not all read is stopped. */
  async *#ask<T>(objects: string[], read: (batch: BatchProcess) => AsyncGenerator<T>): AsyncGenerator<T> {
    if (objects.length === 0) return
    const batch = this.#take()
    let isIdle = false
    try {
      batch.ask(objects)
      yield* read(batch)
      isIdle = await batch.takeLast()
    } finally {
      if (isIdle) this.#idle.add(batch)
      else await batch.git.stop()
    }
  }

  #take(): BatchProcess {
    const [idle] = this.#idle
    if (idle !== undefined) {
      this.#idle.delete(idle)
      return idle
    }
    const batch = new BatchProcess(this.#processes.start(['cat-file', '--batch']))
    batch.git.ended.catch(() => {}).then(() => this.#idle.delete(batch))
    return batch
  }
}

/**
 * A process that prints the objects that it is asked for. Of a truncated object, git prints fewer bytes than it
 * announces, without an error. So each question ends with a name that no object can have: its answer is the last one.
 */
class BatchProcess {
  readonly git: GitProcess
  readonly #last = `last object ${randomUUID()}`
  readonly #reader: ByteReader

  constructor(git: GitProcess) {
    this.git = git
    this.#reader = new ByteReader(git.stdout, Buffer.from(`${this.#last} missing\n`))
  }

  ask(objects: readonly string[]): void {
    this.git.stdin.write([...objects, this.#last].map((object) => `${object}\n`).join(''))
  }

  async takeLast(): Promise<boolean> {
    return (await this.#header()) === `${this.#last} missing`
  }

  /** The next blob, which was asked for; null if it has more than `maxBytes`. */
  async blob(blob: string, maxBytes: number): Promise<Buffer | null> {
    const length = await this.lengthOf(blob)
    const bytes = length > maxBytes ? await this.#skip(length) : await this.take(length)
    await this.takeEnd()
    return bytes
  }

  async lengthOf(blob: string): Promise<number> {
    const header = await this.#header()
    if (!header.startsWith(`${blob} blob `)) throw await this.#unreadable(header === `${blob} missing`)
    return Number(header.slice(blob.length + 6))
  }

  async take(length: number): Promise<Buffer> {
    const bytes = await this.#reader.take(length)
    if (bytes === null) throw await this.#unreadable(false)
    return bytes
  }

  async takeEnd(): Promise<void> {
    if ((await this.take(1))[0] !== NEWLINE) throw await this.#unreadable(false)
  }

  /** The hash of the commit that was asked for; null if there is none. */
  async commit(): Promise<string | null> {
    const header = await this.#header()
    const [, hash, length] = /^([0-9a-f]{40,64}) commit (\d+)$/.exec(header) ?? []
    if (hash === undefined) {
      if (/ (?:missing|ambiguous)$/.test(header)) return null
      throw await this.#unreadable(false)
    }
    await this.#skip(Number(length))
    await this.takeEnd()
    return hash
  }

  async #skip(length: number): Promise<null> {
    for (let left = length; left > 0; left -= CHUNK_BYTES) await this.take(Math.min(left, CHUNK_BYTES))
    return null
  }

  async #header(): Promise<string> {
    return (await this.#reader.until(NEWLINE))?.toString('latin1') ?? ''
  }

  async #unreadable(isMissing: boolean): Promise<ImportError> {
    await this.git.stop()
    const stderr = this.git.stderrText()
    const reason = isMissing
      ? 'is missing. If this is a partial clone, clone again without --filter'
      : 'is damaged. Run git fsck'
    return new ImportError(`git cat-file: an object ${stderr === '' ? reason : `cannot be read: ${stderr}`}`)
  }
}

export const NEWLINE = 0x0a

export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #last: Buffer | undefined
  #rest: Buffer = Buffer.alloc(0)

  /** @param last after these bytes, the stream pauses: no more is awaited. Absent: it does not pause */
  constructor(stream: Readable, last?: Buffer) {
    this.#chunks = stream[Symbol.asyncIterator]()
    this.#last = last
  }

  /** The bytes before the next delimiter, which is dropped; null if the stream ends first. */
  async until(delimiter: number): Promise<Buffer | null> {
    let end = this.#rest.indexOf(delimiter)
    while (end === -1) {
      const from = this.#rest.length
      const chunks = await this.#readMore(1)
      if (chunks === null) return null
      this.#rest = Buffer.concat(chunks)
      end = this.#rest.indexOf(delimiter, from)
    }
    const bytes = this.#rest.subarray(0, end)
    this.#rest = this.#rest.subarray(end + 1)
    return bytes
  }

  /** Exactly `length` bytes; null if the stream ends first. */
  async take(length: number): Promise<Buffer | null> {
    const chunks = await this.#readMore(length - this.#rest.length)
    if (chunks === null) return null
    const last = chunks.at(-1)!
    const before = chunks.slice(0, -1).reduce((bytes, chunk) => bytes + chunk.length, 0)
    this.#rest = last.subarray(length - before)
    return before === 0 ? last.subarray(0, length) : Buffer.concat(chunks, length)
  }

  /** @returns what is read already, and at least `length` more bytes; null if the stream ends first */
  async #readMore(length: number): Promise<Buffer[] | null> {
    const chunks = [this.#rest]
    for (let read = 0; read < length; ) {
      if (this.#isPaused(chunks)) return null
      const next = await this.#chunks.next()
      if (next.done) return null
      chunks.push(next.value)
      read += next.value.length
    }
    return chunks
  }

  #isPaused(chunks: readonly Buffer[]): boolean {
    const last = this.#last
    if (last === undefined) return false
    const ends = chunks.slice(-3).map((chunk) => chunk.subarray(-last.length))
    return Buffer.concat(ends).subarray(-last.length).equals(last)
  }
}
