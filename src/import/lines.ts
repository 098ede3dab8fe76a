import { isUtf8 } from 'node:buffer'
import { ImportError } from '../errors.ts'
import { LINE_BYTES } from '../limits.ts'

const LF = 0x0a

/** A line's bytes as they come in: what a file without an end of line would fill memory with is refused. */
class OpenLine {
  #chunks: Buffer[] = []
  #bytes = 0

  /** @throws ImportError at the limit */
  add(chunk: Buffer, number: number): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > LINE_BYTES) {
      throw new ImportError(`Line ${number}: longer than ${LINE_BYTES} bytes; a page may take several lines`)
    }
  }

  /** @throws ImportError when the line is not UTF-8 */
  take(number: number): string {
    const line = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#bytes = 0
    if (!isUtf8(line)) throw new ImportError(`Line ${number}: not UTF-8`)
    return line.toString('utf8')
  }
}

/**
 * Lines of a stream of bytes, without their ends. A line ends with LF alone: `readline` would also end one
 * at U+2028, which JSON leaves in its strings. Bytes that are not UTF-8 are refused, where a decoder would
 * put U+FFFD into the wiki.
 * @throws ImportError with the line's number, counted from 1
 */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const open = new OpenLine()
  let number = 1
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      open.add(chunk.subarray(start, end), number)
      yield open.take(number)
      number += 1
      start = end + 1
    }
    open.add(chunk.subarray(start), number)
  }
  yield open.take(number)
}
