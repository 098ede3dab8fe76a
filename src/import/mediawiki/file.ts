import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { PassThrough, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import unbzip2 from 'unbzip2-stream'
import { ImportError, UsageError } from '../../errors.ts'

/** A dump as text, chunk by chunk, and how much of the file has been read. */
export interface DumpFile {
  text: AsyncIterable<string>
  bytesRead(): number
  /** undefined for a pipe */
  bytes: number | undefined
}

const CHUNK = 1 << 20

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

// The callbacks have nothing to do: pipeline hands an error on to the stream that is read, which throws it.
const unpacked = (file: string, bytes: ReadStream): AsyncIterable<Buffer> => {
  if (file.endsWith('.gz')) return pipeline(bytes, createGunzip(), () => {})
  if (!file.endsWith('.bz2')) return bytes
  // An old-style stream, which knows neither `pipeline` nor iterators.
  const unpacking = unbzip2()
  const unpacked = new PassThrough()
  // Whoever reads it is told of an error too; until then nobody listens.
  unpacked.on('error', () => {})
  bytes.on('error', (error) => unpacked.destroy(error))
  // It fails in many words where bits are missing or wrong (`reading '0'`), none of which says more.
  unpacking.on('error', () => unpacked.destroy(new Error('it is no whole bzip2 file')))
  unpacked.on('close', () => bytes.destroy())
  bytes.pipe(unpacking).pipe(unpacked)
  return unpacked
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
