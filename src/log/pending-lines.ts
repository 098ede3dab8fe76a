/** Lines that wait to be written, and the chunk of them that is being written. */
export class PendingLines {
  readonly #chunkBytes: number
  readonly #lines: string[] = []
  /** Whole lines, or the rest of them. */
  #chunk: Buffer = Buffer.alloc(0)
  #bytes = 0

  /** @param chunkBytes largest chunk of more than one line */
  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  add(line: string, bytes: number): void {
    this.#lines.push(line)
    this.#bytes += bytes
  }

  /** What to write next; empty when nothing is pending. */
  get chunk(): Buffer {
    if (this.#chunk.length === 0 && this.#lines.length > 0) this.#chunk = this.#nextChunk()
    return this.#chunk
  }

  /** The first bytes of the chunk have been written. */
  advance(bytes: number): void {
    this.#chunk = this.#chunk.subarray(bytes)
    this.#bytes -= bytes
  }

  discardChunk(): void {
    this.#chunk = Buffer.alloc(0)
  }

  #nextChunk(): Buffer {
    let bytes = 0
    let count = 0
    while (count < this.#lines.length) {
      bytes += Buffer.byteLength(this.#lines[count]!)
      if (count > 0 && bytes > this.#chunkBytes) break
      count += 1
    }
    return Buffer.from(this.#lines.splice(0, count).join(''))
  }
}
