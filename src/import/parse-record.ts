import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { ImportError } from '../errors.ts'
import { quote } from '../wiki/text.ts'
import { wikiFileRecord } from '../write/records.ts'

/**
 * A line, or a part of one, as JSON. Bytes that are not UTF-8 are refused, where a decoder would put U+FFFD into the
 * wiki.
 * @param number of the line
 * @throws ImportError
 */
export const parseJson = (bytes: Buffer, number: number): unknown => {
  if (!isUtf8(bytes)) throw new ImportError(`Line ${number}: not UTF-8`)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new ImportError(`Line ${number}: not JSON: ${quote((error as Error).message)}`)
  }
}

/**
 * A value of a line as its record.
 * @param place of the value in the line
 * @throws ImportError with line, field and what was expected
 */
export const parseRecord = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  number: number,
  place: PropertyKey[] = [],
): z.output<Schema> => {
  const parsed = schema.safeParse(value, { error: expectation })
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new ImportError(`Line ${number}: ${fieldOf([...place, ...path])}: ${message}`)
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
  if (issue.code === 'unrecognized_keys') return `has an unknown field, ${quote(issue.keys.join(', '))}`
  return undefined
}

const oneOf = (words: string[]): string =>
  words.map((word, i) => `${i === 0 ? '' : i === words.length - 1 ? ' or ' : ', '}"${word}"`).join('')
