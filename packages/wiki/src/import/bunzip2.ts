import bitIterator from 'unbzip2-stream/lib/bit_iterator.js'
import bzip2 from 'unbzip2-stream/lib/bzip2.js'

const CHUNK = 1 << 20
/** The largest compressed block, bytes: `base`, plus `perLevel` for each level of compression in the header. */
const BLOCK_BYTES = { base: 25_000, perLevel: 100_000 }
const HEADER = 4

/**
 * Decompresses bzip2 block by block, on demand. Memory holds one block, at most 46 MB, even if a file expands a
 * thousandfold. The stream of `unbzip2-stream` decompresses everything that has arrived, with each byte as a number in
 * an array. So this function uses only its block decoder.
 * @throws Error if the file is damaged or incomplete
 */
export async function* bunzip2(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = compressed[Symbol.asyncIterator]()
  const queue: Buffer[] = []
  let arrived = 0
  let isEnd = false
  let bits: ReturnType<typeof bitIterator> | undefined
  const available = () => arrived - (bits?.bytesRead ?? 0)
  const waitFor = async (bytes: number): Promise<void> => {
    while (!isEnd && available() < bytes) {
      const { value, done } = await chunks.next()
      isEnd = done === true
      if (isEnd || value.length === 0) continue
      queue.push(value)
      arrived += value.length
    }
  }
  /** Compression level; 0 between two bzip2 streams. */
  let level = 0
  let checksum = 0
  try {
    for (;;) {
      await waitFor(level === 0 ? HEADER : BLOCK_BYTES.base + BLOCK_BYTES.perLevel * level)
      if (available() === 0) break
      bits ??= bitIterator(() => queue.shift())
      if (level === 0) {
        level = bzip2.header(bits)
        checksum = 0
        continue
      }
      const block = new ChunkedBytes()
      const size = 100_000 * level
      const next = bzip2.decompress(bits, block.add, new Int32Array(size), size, checksum)
      if (next === null) level = 0
      else {
        checksum = next
        yield* block.all()
      }
    }
    if (level !== 0 || bits === undefined) throw new Error('the bzip2 file is incomplete')
  } finally {
    await chunks.return?.()
  }
}

class ChunkedBytes {
  readonly #full: Buffer[] = []
  #current = Buffer.allocUnsafe(CHUNK)
  #length = 0

  add = (byte: number): void => {
    if (this.#length === CHUNK) {
      this.#full.push(this.#current)
      this.#current = Buffer.allocUnsafe(CHUNK)
      this.#length = 0
    }
    this.#current[this.#length] = byte
    this.#length += 1
  };

  *all(): Generator<Buffer> {
    for (let chunk = this.#full.shift(); chunk; chunk = this.#full.shift()) yield chunk
    yield this.#current.subarray(0, this.#length)
  }
}
