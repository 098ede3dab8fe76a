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
import { refuseWrongSource } from './wrong-source.ts'

/**
 * Reads a wiki in the interchange format, plain or compressed with gzip, as a stream. Memory holds a part of a line.
 * @param bounds bytes; `whole`: a line that is parsed at once
 * @throws UsageError if the file cannot be read; its records throw ImportError with the line and the field
 */
export const openNdjsonSource = async (
  file: string,
  bounds: LongLineBounds & { whole: number } = { ...LINE_BYTES_MAX, batch: TRANSFER_BATCH.bytes },
): Promise<ImportSource> => {
  const total = await sizeOf(file)
  const bytes = createReadStream(file, { highWaterMark: 1 << 20 })
  let number = 0
  let hasWikiRecord = false
  const read = async function* (): AsyncGenerator<ImportRecord> {
    try {
      const lines = readLines(decompress(bytes, file.endsWith('.gz')), bounds.whole)
      for await (const line of lines) {
        number = line.number
        const first = number === 1 ? withoutByteOrderMark(line.bytes) : line.bytes
        if (!line.isLast) {
          for await (const record of readLongLine(withRest(first, lines), number, bounds))
            yield complete(record)
        } else if (!isBlank(first)) {
          const record = parseRecord(wikiFileRecord, parseJson(first, number), number)
          hasWikiRecord ||= record.type === 'wiki'
          yield complete(record)
        }
      }
    } catch (error) {
      throw error instanceof UsageError ? error : readError(file, number, error as NodeJS.ErrnoException)
    }
  }
  return {
    records: read(),
    lineOf: () => `Line ${number}`,
    progress: () => ({ done: bytes.bytesRead, total, unit: 'bytes' }),
    notes: () => [],
    // A file without a wiki record adds to the existing wiki.
    covers: () => (hasWikiRecord ? 'wiki' : 'some'),
  }
}

/** A file has all revisions of its pages; in how many lines is known only at its end. */
const complete = (record: ImportRecord): ImportRecord =>
  record.type === 'page' ? { ...record, hasAllRevisions: true } : record

/** All chunks of the line that starts with `first`. */
async function* withRest(first: Buffer, lines: AsyncGenerator<InputLine>): AsyncGenerator<Buffer> {
  yield first
  for (;;) {
    const { value } = await lines.next()
    if (value) yield value.bytes
    if (!value || value.isLast) return
  }
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

const withoutByteOrderMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes

const isBlank = (bytes: Buffer): boolean => !bytes.some((byte) => byte > 0x20)

/** The first bytes of a gzip file. No text starts with them. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])

/** @param isGzip whether the file name says gzip; otherwise the first bytes decide, because a pipe has no file name */
async function* decompress(bytes: AsyncIterable<Buffer>, isGzip: boolean): AsyncGenerator<Buffer> {
  const chunks = bytes[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < GZIP_MAGIC.length) {
    const { value, done } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  const all = async function* () {
    yield first
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  // An empty callback: the stream that is read throws the errors of the pipeline.
  if (isGzip || first.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC))
    yield* pipeline(all, createGunzip({ chunkSize: 1 << 18 }), () => {})
  else yield* all()
}

/** Size of a file, bytes; undefined for a pipe. */
const sizeOf = async (file: string): Promise<number | undefined> => {
  await refuseWrongSource(file)
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT' ? `The file ${file} does not exist.` : `Cannot read ${file}: ${error.message}`,
    )
  })
  if (stats.isDirectory()) throw new UsageError(`${file} is a folder. Specify a file, .ndjson or .ndjson.gz.`)
  return stats.isFile() ? stats.size : undefined
}

const readError = (file: string, number: number, error: NodeJS.ErrnoException): UsageError => {
  if (error.syscall === 'open') return new UsageError(`Cannot read ${file}: ${error.message}`)
  const gzip = error.code?.startsWith('Z_') ? ' (the gzip file may be incomplete)' : ''
  return new ImportError(`Cannot read the file after line ${number}: ${error.message}${gzip}`)
}
