import { ImportError } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'

/** Bytes of a line, and its values, at most: as objects, these take many times their bytes. They bound memory. (D71) */
export type LineBounds = { bytes: number; values: number }

const [LF, QUOTE, BACKSLASH] = [0x0a, 0x22, 0x5c]

const tooLarge = (number: number, bound: string): ImportError =>
  new ImportError(
    `Line ${number}: must have at most ${bound}. Divide the revisions of a page among several lines.`,
  )

/** Splits a stream of bytes into lines. Only LF ends one. `readline` would split at U+2028, which JSON may contain. (D71) */
export async function* readLines(stream: AsyncIterable<Buffer>, { bytes: maxBytes }: LineBounds) {
  let number = 1
  let pending: Buffer[] = []
  let length = 0
  for await (const chunk of stream)
    for (let start = 0; start <= chunk.length; ) {
      const newline = chunk.indexOf(LF, start)
      const end = newline < 0 ? chunk.length : newline
      pending.push(chunk.subarray(start, end))
      length += end - start
      if (length > maxBytes) throw tooLarge(number, `${maxBytes} bytes`)
      if (newline >= 0) {
        yield { number, bytes: joined(pending) }
        number += 1
        pending = []
        length = 0
      }
      start = end + 1
    }
  yield { number, bytes: joined(pending) }
}

/** Most lines are in one chunk: these are not copied. */
const joined = (parts: Buffer[]): Buffer => (parts.length === 1 ? parts[0]! : Buffer.concat(parts))

const BEFORE_VALUES: ReadonlySet<number> = new Set(Buffer.from('[{,:'))

const hasMoreValues = (bytes: Buffer, max: number): boolean => {
  let values = 0
  let isInText = false
  for (let i = 0; i < bytes.length && values <= max; i += 1) {
    const byte = bytes[i]!
    if (byte === QUOTE) isInText = !isInText
    else if (isInText) i += byte === BACKSLASH ? 1 : 0
    else if (BEFORE_VALUES.has(byte)) values += 1
  }
  return values > max
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a line. Bytes that are not UTF-8 are refused, not replaced. @throws ImportError */
export const parseLine = (bytes: Buffer, number: number, { values }: LineBounds): unknown => {
  if (bytes.length > values && hasMoreValues(bytes, values)) throw tooLarge(number, `${values} values`)
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'not UTF-8' : `not JSON: ${quote(message)}`
    throw new ImportError(`Line ${number}: ${reason}`)
  }
}

const WHITE_SPACE = Buffer.from(' \t\r\n')
export const isOnlySpace = (bytes: Buffer): boolean => bytes.every((byte) => WHITE_SPACE.includes(byte))
