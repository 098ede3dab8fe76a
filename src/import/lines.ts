const LF = 0x0a

/** Some bytes of a line, without its end: all of them where it is short. */
export interface InputLine {
  /** Of the line, counted from 1. */
  number: number
  bytes: Buffer
  isLast: boolean
}

/**
 * Lines of a stream of bytes. A line ends with LF alone: `readline` would also end one at U+2028, which JSON leaves in
 * its strings.
 * @param whole a line of at most so many bytes comes at once; a longer one comes in several pieces
 */
export async function* readLines(stream: AsyncIterable<Buffer>, whole: number): AsyncGenerator<InputLine> {
  let number = 1
  let isFirst = true
  let held: Buffer[] = []
  let length = 0
  const take = (isLast: boolean): InputLine => {
    const line = { number, bytes: held.length === 1 ? held[0]! : Buffer.concat(held), isLast }
    held = []
    length = 0
    isFirst = isLast
    if (isLast) number += 1
    return line
  }
  const hold = (bytes: Buffer): void => {
    held.push(bytes)
    length += bytes.length
  }
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      hold(chunk.subarray(start, end))
      if (isFirst && length > whole) yield take(false)
      yield take(true)
      start = end + 1
    }
    hold(chunk.subarray(start))
    if (!isFirst || length > whole) yield take(false)
  }
  if (isFirst && length > whole) yield take(false)
  yield take(true)
}
