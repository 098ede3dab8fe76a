import { GrowingBuffer } from '@lectern/wiki/growing-buffer'
import { STOP_WORD_MARK } from '../lexemes.ts'
import { type Occurrences, type PageLexemes, positionsOf, unpositionedLexemes } from './page-words.ts'

const TSVECTOR = 3614
/** PostgreSQL's limit for the lexemes and positions of a tsvector, bytes. */
const TSVECTOR_BYTES_MAX = (1 << 20) - 1
/** The weights of `page-words.ts` as PostgreSQL's numbers. */
const WEIGHTS = [0, 2, 3] as const

/**
 * The lexemes of pages as parameters of a statement. PostgreSQL reads a tsvector in its binary format in a third of the
 * time of its text format. But it leaves a gap after the positions of each lexeme, until a function such as `||` copies
 * the value, and the gaps count for its limit.
 */
export class Tsvectors {
  readonly #bytes = new GrowingBytes()
  #pages = 0

  constructor() {
    for (const number of [1, 1, TSVECTOR, 0, 1]) this.#bytes.writeInt32(number)
  }

  /**
   * @param tag the letter of the configuration
   * @returns false if the page has too many words; then it is not added
   */
  add(lexemes: PageLexemes, tag: string): boolean {
    const bytes = this.#bytes
    const start = bytes.length
    bytes.writeInt32(0)
    if (writeLexemes(bytes, lexemes, tag) > TSVECTOR_BYTES_MAX) {
      bytes.length = start
      return false
    }
    bytes.setInt32(start, bytes.length - start - 4)
    this.#pages += 1
    return true
  }

  /** The tsvectors as a parameter of type `tsvector[]`. */
  array(): Buffer {
    this.#bytes.setInt32(12, this.#pages)
    return this.#bytes.written()
  }
}

/** @returns how many bytes of the limit they take, with the gaps */
const writeLexemes = (bytes: GrowingBytes, lexemes: PageLexemes, tag: string): number => {
  const tagCode = tag.charCodeAt(0)
  let size = 0
  let count = 0
  const start = bytes.length
  bytes.writeInt32(0)
  const writePositioned = (mark: string, lexeme: string, found: Occurrences) => {
    const length = bytes.writeTerminated(mark.charCodeAt(0), tagCode, lexeme)
    size += length + (length & 1) + 2 + 4 * writePositions(bytes, found)
    count += 1
  }
  for (const [lexeme, found] of lexemes.occurrences) writePositioned(found.level, lexeme, found)
  for (const [word, found] of lexemes.stopWords) writePositioned(STOP_WORD_MARK, word, found)
  for (const [mark, lexeme] of unpositionedLexemes(lexemes)) {
    size += bytes.writeTerminated(mark.charCodeAt(0), tagCode, lexeme)
    bytes.writeUint16(0)
    count += 1
  }
  bytes.setInt32(start, count)
  return size
}

const writePositions = (bytes: GrowingBytes, found: Occurrences): number => {
  const positions = positionsOf(found)
  bytes.writeUint16(positions.length)
  for (const weighted of positions) bytes.writeUint16((WEIGHTS[weighted & 3]! << 14) | (weighted >> 2))
  return positions.length
}

/** Values of PostgreSQL's binary format. Numbers are in network byte order. */
class GrowingBytes extends GrowingBuffer {
  constructor() {
    super(1 << 16)
  }

  writeInt32(number: number): void {
    this.reserve(4)
    this.length = this.bytes.writeInt32BE(number, this.length)
  }

  setInt32(at: number, number: number): void {
    this.bytes.writeInt32BE(number, at)
  }

  writeUint16(number: number): void {
    this.reserve(2)
    this.length = this.bytes.writeUInt16BE(number, this.length)
  }

  /** Two ASCII characters, a text in UTF-8, and a zero byte. @returns how many bytes they are, without the zero */
  writeTerminated(first: number, second: number, text: string): number {
    const start = this.length
    this.reserve(3 * text.length + 3)
    this.bytes[start] = first
    this.bytes[start + 1] = second
    this.length = start + 2 + this.bytes.write(text, start + 2)
    this.bytes[this.length++] = 0
    return this.length - start - 1
  }
}
