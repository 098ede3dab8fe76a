import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ImportError, UsageError } from '../../errors.ts'
import { bunzip2 } from './bunzip2.ts'

/** A dump as text, chunk by chunk, and how much of the file has been read. */
interface DumpFile {
  text: AsyncIterable<string>
  bytesRead(): number
  /** undefined for a pipe */
  bytes: number | undefined
}

const CHUNK = 1 << 20
/** Of what is unpacked. */
const PIECE = 1 << 18

/**
 * Opens `dump.xml`, `.xml.gz` or `.xml.bz2`, parallel bzip2 (several streams in one file) included.
 * @throws UsageError when the file cannot be read; its text throws ImportError where bytes are no UTF-8, or
 * the compressed file is broken
 */
export const openDump = async (file: string): Promise<DumpFile> => {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${error.message}`,
    )
  })
  if (found.isDirectory())
    throw new UsageError(`${file} is a folder: give a file, .xml, .xml.gz or .xml.bz2.`)
  const bytes = createReadStream(file, { highWaterMark: CHUNK })
  return {
    text: decoded(file, unpacked(file, bytes)),
    bytesRead: () => bytes.bytesRead,
    bytes: found.isFile() ? found.size : undefined,
  }
}

// The callback has nothing to do: pipeline hands an error on to the stream that is read, which throws it.
const unpacked = (file: string, bytes: ReadStream): AsyncIterable<Buffer> => {
  if (file.endsWith('.gz')) return pipeline(bytes, createGunzip({ chunkSize: PIECE }), () => {})
  return file.endsWith('.bz2') ? unpackedBzip2(bytes) : bytes
}

async function* unpackedBzip2(bytes: ReadStream): AsyncGenerator<Buffer> {
  let unreadable: unknown
  const read = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* bytes
    } catch (error) {
      unreadable = error
      throw error
    }
  }
  try {
    yield* bunzip2(read())
  } catch {
    // The decoder fails in many words where bits are missing or wrong (`reading '0'`), none of which says more.
    throw unreadable ?? new Error('it is no whole bzip2 file')
  }
}

async function* decoded(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new ImportError(`${file} is not UTF-8.`)
    throw new ImportError(`${file} cannot be read to its end: ${message}`)
  }
}
