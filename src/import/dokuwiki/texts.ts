import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { TEXT_BYTES_MAX } from '../../limits.ts'
import { bunzip2 } from '../compressed/bunzip2.ts'
import { decodeText } from '../files/decode.ts'
import type { DataFolder } from './data-folder.ts'

/** A text of a file, or why there is none. */
export type FileText = { text: string } | 'missing' | 'broken' | 'too long'

/** Size of a chunk of decompressed bytes. */
const CHUNK = 1 << 16

/**
 * Reads a text, compressed with gzip (`.gz`) or bzip2 (`.bz2`) or not. Stops after the longest text that a page can
 * have, so a small file that expands to gigabytes costs no more than any other.
 */
export const readText = async (folder: DataFolder, path: string): Promise<FileText> => {
  const file = await folder.openFile(path)
  if (file === null) return 'missing'
  try {
    if (!(await file.stat()).isFile()) return 'broken'
    return await collect(decompress(path, file))
  } catch {
    return 'broken'
  } finally {
    await file.close().catch(() => {}) // a stream that ended has closed it
  }
}

const collect = async (chunks: AsyncIterable<Buffer>): Promise<FileText> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > TEXT_BYTES_MAX) return 'too long'
    parts.push(chunk)
  }
  return { text: decodeText(Buffer.concat(parts)).text.toWellFormed() }
}

// The pipeline has an empty callback: the stream that is read throws its errors.
const decompress = (path: string, file: FileHandle): AsyncIterable<Buffer> => {
  const bytes = file.createReadStream({ highWaterMark: CHUNK })
  if (path.endsWith('.gz')) return pipeline(bytes, createGunzip({ chunkSize: CHUNK }), () => {})
  return path.endsWith('.bz2') ? bunzip2(bytes) : bytes
}
