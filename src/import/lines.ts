const LF = 0x0a

/** Some bytes of a line, without its line end: all of them if the line is short. */
export interface InputLine {
  /** Number of the line, from 1. */
  number: number
  bytes: Buffer
  isLast: boolean
}

/**
 * Splits a stream of bytes into lines. Only LF ends a line. `readline` would also split at U+2028, which JSON does not
 * escape in strings. (D29)
 * @param maxWhole a line of at most this many bytes comes at once; a longer one comes in several chunks
 */
export async function* readLines(stream: AsyncIterable<Buffer>, maxWhole: number): AsyncGenerator<InputLine> {
  let number = 1
  let isFirst = true
  let pending: Buffer[] = []
  let length = 0
  const take = (isLast: boolean): InputLine => {
    const line = { number, bytes: pending.length === 1 ? pending[0]! : Buffer.concat(pending), isLast }
    pending = []
    length = 0
    isFirst = isLast
    if (isLast) number += 1
    return line
  }
  const append = (bytes: Buffer): void => {
    pending.push(bytes)
    length += bytes.length
  }
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      append(chunk.subarray(start, end))
      if (isFirst && length > maxWhole) yield take(false)
      yield take(true)
      start = end + 1
    }
    append(chunk.subarray(start))
    if (!isFirst || length > maxWhole) yield take(false)
  }
  if (isFirst && length > maxWhole) yield take(false)
  yield take(true)
}
