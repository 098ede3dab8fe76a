import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import split2 from 'split2'
import type { z } from 'zod'
import { ImportError, UsageError } from '../errors.ts'
import { quotable } from '../wiki/text.ts'
import { type ImportRecord, type ImportSource, wikiFileRecord } from './records.ts'

/**
 * A wiki in the interchange form, `.ndjson` or `.ndjson.gz`, read as a stream: memory holds one line.
 * @throws UsageError when the file cannot be read; its records throw ImportError with line and field
 */
export const openNdjsonSource = async (file: string): Promise<ImportSource> => {
  const total = await stat(file).then(
    (found) => (found.isFile() ? found.size : undefined),
    (error: NodeJS.ErrnoException) => {
      throw new UsageError(
        error.code === 'ENOENT' ? `There is no file ${file}.` : `${file}: ${error.message}`,
      )
    },
  )
  const bytes = createReadStream(file, { highWaterMark: 1 << 20 })
  return {
    records: parseLines(file.endsWith('.gz') ? [bytes, createGunzip()] : [bytes]),
    progress: () => ({ done: bytes.bytesRead, total, unit: 'bytes' }),
    notes: () => [],
  }
}

/** Lines end with LF alone: `readline` would also end them at U+2028, which JSON leaves in its strings. */
async function* parseLines(streams: (Readable | Duplex)[]): AsyncGenerator<ImportRecord> {
  const lines = split2('\n')
  // Its callback has nothing to do: pipeline hands an error on to `lines`, which throws it below.
  pipeline([...streams, lines], () => {})
  let number = 0
  try {
    for await (const line of lines as AsyncIterable<string>) {
      number += 1
      const text = number === 1 ? line.replace(/^\ufeff/, '') : line
      if (text.trim() !== '') yield parseRecord(text, number)
    }
  } catch (error) {
    if (error instanceof ImportError) throw error
    throw new ImportError(`After line ${number} the file cannot be read: ${(error as Error).message}`)
  } finally {
    lines.destroy()
  }
}

const parseRecord = (text: string, number: number): ImportRecord => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ImportError(`Line ${number}: not JSON: ${quotable((error as Error).message)}`)
  }
  const parsed = wikiFileRecord.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ImportError(`Line ${number}: ${describe(parsed.error.issues[0]!)}`)
}

/** The field as one would write it (`revisions[2].created_at`), and what was expected there. */
const describe = (issue: z.core.$ZodIssue): string => {
  const field = issue.path.reduce<string>(
    (so, part) =>
      typeof part === 'number' ? `${so}[${part}]` : so === '' ? String(part) : `${so}.${String(part)}`,
    '',
  )
  if (issue.code === 'invalid_union') return `type: must be "wiki", "category" or "page"`
  if (issue.code === 'unrecognized_keys') {
    return `${field === '' ? '' : `${field}: `}unknown field ${issue.keys.map(quotable).join(', ')}`
  }
  return `${quotable(field || 'the line')}: ${issue.message}`
}
