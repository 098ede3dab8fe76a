import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ImportError, UsageError } from '../../errors.ts'
import { bunzip2 } from '../compressed/bunzip2.ts'
import { refuseWrongSource } from '../wrong-source.ts'

/** A dump as a stream of text, and how much of the file has been read. */
interface DumpFile {
  text: AsyncIterable<string>
  bytesRead(): number
  /** Size of the file; undefined for a pipe. */
  bytes: number | undefined
}

const CHUNK = 1 << 20
/** Size of a chunk of decompressed bytes. */
const DECOMPRESSED_CHUNK = 1 << 18

/**
 * Opens `dump.xml`, `.xml.gz` or `.xml.bz2`, parallel bzip2 (several streams in one file) included.
 * @throws UsageError if the file cannot be read; its text throws ImportError for bytes that are not UTF-8, or a damaged
 * compressed file
 */
export const openDump = async (file: string): Promise<DumpFile> => {
  await refuseWrongSource(file)
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT' ? `The file ${file} does not exist.` : `Cannot read ${file}: ${error.message}`,
    )
  })
  if (stats.isDirectory())
    throw new UsageError(`${file} is a folder. Specify a file, .xml, .xml.gz or .xml.bz2.`)
  const bytes = createReadStream(file, { highWaterMark: CHUNK })
  return {
    text: decodeUtf8(file, decompress(file, bytes)),
    bytesRead: () => bytes.bytesRead,
    bytes: stats.isFile() ? stats.size : undefined,
  }
}

// The pipeline has an empty callback: the stream that is read throws its errors.
const decompress = (file: string, bytes: ReadStream): AsyncIterable<Buffer> => {
  if (file.endsWith('.gz')) return pipeline(bytes, createGunzip({ chunkSize: DECOMPRESSED_CHUNK }), () => {})
  return file.endsWith('.bz2') ? decompressBzip2(bytes) : bytes
}

async function* decompressBzip2(bytes: ReadStream): AsyncGenerator<Buffer> {
  let readError: unknown
  const read = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* bytes
    } catch (error) {
      readError = error
      throw error
    }
  }
  try {
    yield* bunzip2(read())
  } catch {
    // The decoder's own messages for missing or wrong bits (`reading '0'`) do not help.
    throw readError ?? new Error('the bzip2 file is damaged or incomplete')
  }
}

async function* decodeUtf8(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new ImportError(`${file} is not UTF-8.`)
    throw new ImportError(`Cannot read ${file} to its end: ${message}`)
  }
}
