import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { ImportError } from '../errors.ts'
import { quote } from '../wiki/text.ts'
import { wikiFileRecord } from '../write/records.ts'

/**
 * Parses a line, or a part of one, as JSON. Refuses bytes that are not UTF-8; a decoder would replace them by U+FFFD.
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
 * Validates a value of a line.
 * @param basePath the path of the value in the line
 * @throws ImportError with the line, the field and the expected value
 */
export const parseRecord = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  number: number,
  basePath: PropertyKey[] = [],
): z.output<Schema> => {
  const parsed = schema.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new ImportError(`Line ${number}: ${fieldOf([...basePath, ...path])}: ${message}`)
}

/** The name of a field in messages: `revisions[2].created_at`. */
const fieldOf = (path: PropertyKey[]): string =>
  path.reduce<string>(
    (field, part) =>
      typeof part === 'number'
        ? `${field}[${part}]`
        : field === ''
          ? String(part)
          : `${field}.${String(part)}`,
    '',
  ) || 'the line'

const TYPE_NAMES: Record<string, string> = { string: 'a string', array: 'an array', object: 'an object' }
const RECORD_TYPES = wikiFileRecord.options.map((option) => option.shape.type.value)

/** The message of an issue that has no message of its own. */
const describeIssue = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code === 'invalid_type') {
    return `${issue.input === undefined ? 'is missing, ' : ''}must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
  }
  if (issue.code === 'invalid_value') return `must be ${oneOf(issue.values.map(String))}`
  if (issue.code === 'invalid_union') return `must be ${oneOf(RECORD_TYPES)}`
  if (issue.code === 'too_small') return 'must not be empty'
  if (issue.code === 'unrecognized_keys') return `has an unknown field, ${quote(issue.keys.join(', '))}`
  return undefined
}

const oneOf = (words: string[]): string =>
  words.map((word, i) => `${i === 0 ? '' : i === words.length - 1 ? ' or ' : ', '}"${word}"`).join('')
