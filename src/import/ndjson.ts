import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { z } from 'zod'
import { ImportError, UsageError } from '../errors.ts'
import { quotable } from '../wiki/text.ts'
import { linesOf } from './lines.ts'
import { type ImportRecord, type ImportSource, wikiFileRecord } from './records.ts'

/**
 * A wiki in the interchange form, compressed by gzip or not, read as a stream: memory holds one line.
 * @throws UsageError when the file cannot be read; its records throw ImportError with line and field
 */
export const openNdjsonSource = async (file: string): Promise<ImportSource> => {
  const total = await sizeOf(file)
  const bytes = createReadStream(file, { highWaterMark: 1 << 20 })
  let number = 0
  let namesWiki = false
  const read = async function* (): AsyncGenerator<ImportRecord> {
    try {
      for await (const line of linesOf(unpacked(bytes, file.endsWith('.gz')))) {
        number += 1
        const text = number === 1 ? line.replace(/^\ufeff/, '') : line
        if (text.trim() === '') continue
        const record = parseRecord(text, number)
        namesWiki ||= record.type === 'wiki'
        yield record
      }
    } catch (error) {
      throw error instanceof ImportError ? error : unreadable(file, number, error as NodeJS.ErrnoException)
    }
  }
  return {
    records: read(),
    place: () => `Line ${number}`,
    progress: () => ({ done: bytes.bytesRead, total, unit: 'bytes' }),
    notes: () => [],
    // A file that does not say what the wiki is adds to one.
    covers: () => (namesWiki ? 'wiki' : 'some'),
  }
}

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
  if (isGzip || first.subarray(0, GZIP.length).equals(GZIP)) yield* pipeline(all, createGunzip(), () => {})
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

const parseRecord = (text: string, number: number): ImportRecord => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ImportError(`Line ${number}: not JSON: ${quotable((error as Error).message)}`)
  }
  const parsed = wikiFileRecord.safeParse(value, { error: expectation })
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new ImportError(`Line ${number}: ${fieldOf(path)}: ${message}`)
}

/** A field as one would write it: `revisions[2].created_at`. */
const fieldOf = (path: PropertyKey[]): string =>
  path.reduce<string>(
    (so, part) =>
      typeof part === 'number' ? `${so}[${part}]` : so === '' ? String(part) : `${so}.${String(part)}`,
    '',
  ) || 'the line'

const KINDS: Record<string, string> = { string: 'a string', array: 'an array', object: 'an object' }
const TYPES = wikiFileRecord.options.map((option) => option.shape.type.value)

/** What was expected, where the record's own rules do not say it. */
const expectation = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code === 'invalid_type') {
    return `${issue.input === undefined ? 'is missing, ' : ''}must be ${KINDS[issue.expected] ?? issue.expected}`
  }
  if (issue.code === 'invalid_value') return `must be ${oneOf(issue.values.map(String))}`
  if (issue.code === 'invalid_union') return `must be ${oneOf(TYPES)}`
  if (issue.code === 'too_small') return 'must not be empty'
  if (issue.code === 'unrecognized_keys') return `has an unknown field, ${quotable(issue.keys.join(', '))}`
  return undefined
}

const oneOf = (words: string[]): string =>
  words.map((word, i) => `${i === 0 ? '' : i === words.length - 1 ? ' or ' : ', '}"${word}"`).join('')
