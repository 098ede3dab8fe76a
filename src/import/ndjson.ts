import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ImportError, UsageError } from '../errors.ts'
import { LINE_BYTES_MAX, TRANSFER_BATCH } from '../limits.ts'
import { type ImportRecord, type ImportSource, wikiFileRecord } from '../write/records.ts'
import { type InputLine, readLines } from './lines.ts'
import { type LongLineBounds, readLongLine } from './long-line.ts'
import { parseJson, parseRecord } from './parse-record.ts'

/**
 * A wiki in the interchange form, compressed by gzip or not, read as a stream: memory holds a part of a line.
 * @param bounds bytes: `whole` of a line that is parsed at once
 * @throws UsageError when the file cannot be read; its records throw ImportError with line and field
 */
export const openNdjsonSource = async (
  file: string,
  bounds: LongLineBounds & { whole: number } = { ...LINE_BYTES_MAX, batch: TRANSFER_BATCH.bytes },
): Promise<ImportSource> => {
  const total = await sizeOf(file)
  const bytes = createReadStream(file, { highWaterMark: 1 << 20 })
  let number = 0
  let namesWiki = false
  const read = async function* (): AsyncGenerator<ImportRecord> {
    try {
      const lines = readLines(unpacked(bytes, file.endsWith('.gz')), bounds.whole)
      for await (const line of lines) {
        number = line.number
        const first = number === 1 ? withoutMark(line.bytes) : line.bytes
        if (!line.isLast) yield* readLongLine(withRest(first, lines), number, bounds)
        else if (!isBlank(first)) {
          const record = parseRecord(wikiFileRecord, parseJson(first, number), number)
          namesWiki ||= record.type === 'wiki'
          yield record
        }
      }
    } catch (error) {
      throw error instanceof UsageError ? error : unreadable(file, number, error as NodeJS.ErrnoException)
    }
  }
  return {
    records: read(),
    lineOf: () => `Line ${number}`,
    progress: () => ({ done: bytes.bytesRead, total, unit: 'bytes' }),
    notes: () => [],
    // A file that does not say what the wiki is adds to one.
    covers: () => (namesWiki ? 'wiki' : 'some'),
  }
}

/** What a line begins with, and what follows of it. */
async function* withRest(first: Buffer, lines: AsyncGenerator<InputLine>): AsyncGenerator<Buffer> {
  yield first
  for (;;) {
    const { value } = await lines.next()
    if (value) yield value.bytes
    if (!value || value.isLast) return
  }
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes

const isBlank = (bytes: Buffer): boolean => !bytes.some((byte) => byte > 0x20)

/** With what a gzip file begins, and no text does. */
const GZIP = Buffer.from([0x1f, 0x8b])

/** @param isGzip whether it is known to be; else its first bytes tell, since a pipe has no name that does */
async function* unpacked(bytes: AsyncIterable<Buffer>, isGzip: boolean): AsyncGenerator<Buffer> {
  const chunks = bytes[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < GZIP.length) {
    const { value, done } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  const all = async function* () {
    yield first
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  // The callback has nothing to do: pipeline hands an error on to the stream that is read, which throws it.
  if (isGzip || first.subarray(0, GZIP.length).equals(GZIP))
    yield* pipeline(all, createGunzip({ chunkSize: 1 << 18 }), () => {})
  else yield* all()
}

/** Bytes of a file; undefined for a pipe, of which nothing is known. */
const sizeOf = async (file: string): Promise<number | undefined> => {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${error.message}`,
    )
  })
  if (found.isDirectory()) throw new UsageError(`${file} is a folder: give a file, .ndjson or .ndjson.gz.`)
  return found.isFile() ? found.size : undefined
}

const unreadable = (file: string, number: number, error: NodeJS.ErrnoException): UsageError => {
  if (error.syscall === 'open') return new UsageError(`${file} cannot be read: ${error.message}`)
  const gzip = error.code?.startsWith('Z_') ? ' (is it a whole gzip file?)' : ''
  return new ImportError(`After line ${number} the file cannot be read: ${error.message}${gzip}`)
}
