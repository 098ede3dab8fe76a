import bitIterator from 'unbzip2-stream/lib/bit_iterator.js'
import bzip2 from 'unbzip2-stream/lib/bzip2.js'

/** A block is given out in pieces of so many bytes. */
const PIECE = 1 << 20
/** Bytes that a block takes at most, compressed: so many, and more by the level that the file's first bytes tell. */
const BLOCK = { least: 25_000, perLevel: 100_000 }
const HEADER = 4

/**
 * Unpacks bzip2 block by block, each when it is asked for: of a file that holds a thousand times its size memory holds
 * one block, 46 MB at most. The stream of `unbzip2-stream` unpacks all that has arrived, each byte as a number of a
 * list, so its decoder of blocks is used by itself.
 * @throws Error when it is no whole bzip2 file
 */
export async function* bunzip2(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = packed[Symbol.asyncIterator]()
  const queue: Buffer[] = []
  let arrived = 0
  let isEnd = false
  let bits: ReturnType<typeof bitIterator> | undefined
  const left = () => arrived - (bits?.bytesRead ?? 0)
  const arrive = async (bytes: number): Promise<void> => {
    while (!isEnd && left() < bytes) {
      const { value, done } = await chunks.next()
      isEnd = done === true
      if (isEnd || value.length === 0) continue
      queue.push(value)
      arrived += value.length
    }
  }
  /** 0 between two bzip2 streams. */
  let level = 0
  let checksum = 0
  try {
    for (;;) {
      await arrive(level === 0 ? HEADER : BLOCK.least + BLOCK.perLevel * level)
      if (left() === 0) break
      bits ??= bitIterator(() => queue.shift())
      if (level === 0) {
        level = bzip2.header(bits)
        checksum = 0
        continue
      }
      const block = new Pieces()
      const next = bzip2.decompress(
        bits,
        block.add,
        new Int32Array(100_000 * level),
        100_000 * level,
        checksum,
      )
      if (next === null) level = 0
      else {
        checksum = next
        yield* block.all()
      }
    }
    if (level !== 0 || bits === undefined) throw new Error('it ends too early')
  } finally {
    await chunks.return?.()
  }
}

class Pieces {
  readonly #full: Buffer[] = []
  #open = Buffer.allocUnsafe(PIECE)
  #length = 0

  add = (byte: number): void => {
    if (this.#length === PIECE) {
      this.#full.push(this.#open)
      this.#open = Buffer.allocUnsafe(PIECE)
      this.#length = 0
    }
    this.#open[this.#length] = byte
    this.#length += 1
  };

  *all(): Generator<Buffer> {
    for (let piece = this.#full.shift(); piece; piece = this.#full.shift()) yield piece
    yield this.#open.subarray(0, this.#length)
  }
}
