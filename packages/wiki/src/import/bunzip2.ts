import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
// @ts-expect-error: it has no types.
import bitIterator from 'unbzip2-stream/lib/bit_iterator.js'
// @ts-expect-error: it has no types.
import bzip2 from 'unbzip2-stream/lib/bzip2.js'
import { GrowingBuffer } from '../growing-buffer.ts'

const CHUNK = 1 << 20
/** The largest compressed block, bytes: `base`, plus `perLevel` for each level of compression in the header. */
const BLOCK_BYTES = { base: 25_000, perLevel: 100_000 }
const HEADER = 4

/** Decompresses a file whose name ends with `.gz` or `.bz2`. @param chunkSize of decompressed bytes */
export const decompressFile = (file: string, bytes: Readable, chunkSize: number): AsyncIterable<Buffer> => {
  // The pipeline has an empty callback: the stream that is read throws its errors.
  if (file.endsWith('.gz')) return pipeline(bytes, createGunzip({ chunkSize }), () => {})
  return file.endsWith('.bz2') ? bunzip2(bytes) : bytes
}

/** The decoder's own messages for missing or wrong bits (`reading '0'`) do not help. */
const decoded = <Result>(decode: () => Result): Result => {
  try {
    return decode()
  } catch {
    throw new Error(DAMAGED)
  }
}

const DAMAGED = 'the bzip2 file is damaged or incomplete'

/**
 * Decompresses bzip2 block by block, on demand: memory holds one, at most 46 MB, twice while it grows. The stream of `unbzip2-stream`
 * decompresses all that has arrived, each byte as a number: only its decoder is used. @throws Error if the file is damaged
 */
export async function* bunzip2(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = compressed[Symbol.asyncIterator]()
  const queue: Buffer[] = []
  let arrived = 0
  let isEnd = false
  let bits: { bytesRead: number } | undefined
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
  /** Of the blocks so far; the decoder returns null at the end of a stream whose checksum is valid. */
  let checksum = 0
  try {
    for (;;) {
      await waitFor(level === 0 ? HEADER : BLOCK_BYTES.base + BLOCK_BYTES.perLevel * level)
      if (available() === 0) break
      bits ??= bitIterator(() => queue.shift())
      if (level === 0) {
        level = decoded(() => bzip2.header(bits))
        checksum = 0
        continue
      }
      const block = new Bytes(CHUNK)
      const size = 100_000 * level
      const next: number | null = decoded(() =>
        bzip2.decompress(bits, block.add, new Int32Array(size), size, checksum),
      )
      if (next === null) level = 0
      else {
        checksum = next
        const bytes = block.written()
        for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
      }
    }
    if (level !== 0 || bits === undefined) throw new Error(DAMAGED)
  } finally {
    await chunks.return?.()
  }
}

class Bytes extends GrowingBuffer {
  readonly add = (byte: number): void => {
    this.reserve(1)
    this.bytes[this.length++] = byte
  }
}
