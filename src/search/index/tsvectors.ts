import { TYPO_MARK } from '../lexemes.ts'
import { GrowingBytes } from './growing-bytes.ts'
import { type PageLexemes, positionsOf, toTsvector } from './page-lexemes.ts'

/** The OID of PostgreSQL's type `tsvector`. */
const TSVECTOR = 3614
/** PostgreSQL's limit for the lexemes and positions of a tsvector, bytes. */
const TSVECTOR_BYTES_MAX = (1 << 20) - 1
/** The weights of `page-words.ts` as PostgreSQL's numbers. */
const WEIGHTS = [0, 2, 3] as const

/**
 * The lexemes of pages as parameters of a statement. PostgreSQL reads a tsvector in its binary format in a third of the
 * time of its text format. But it leaves a gap after the positions of each lexeme, until a function such as `||` copies
 * the value, and the gaps count for its limit. So a page near the limit is null in the array and has a text. (D93)
 */
export class Tsvectors {
  /** The pages that are null in the array, in the syntax of a tsvector; null for the others. */
  readonly texts: (string | null)[] = []
  readonly #bytes = new GrowingBytes()

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
    const { size, gaps } = writeLexemes(bytes, lexemes, tag)
    if (size > TSVECTOR_BYTES_MAX) {
      bytes.length = start
      return false
    }
    const isText = size + gaps > TSVECTOR_BYTES_MAX
    if (isText) bytes.length = start + 4
    bytes.setInt32(start, isText ? -1 : bytes.length - start - 4)
    this.texts.push(isText ? toTsvector(lexemes, tag) : null)
    return true
  }

  /** The tsvectors as a parameter of type `tsvector[]`. */
  array(): Buffer {
    this.#bytes.setInt32(12, this.texts.length)
    return this.#bytes.written()
  }
}

/** @returns how many bytes of the limit they take, and how many more the gaps take */
const writeLexemes = (
  bytes: GrowingBytes,
  { occurrences, candidates }: PageLexemes,
  tag: string,
): { size: number; gaps: number } => {
  let size = 0
  let gaps = 0
  bytes.writeInt32(occurrences.size + candidates.size)
  for (const [lexeme, found] of occurrences) {
    const length = writeLexeme(bytes, found.level, tag, lexeme)
    const positions = positionsOf(found)
    bytes.writeUint16(positions.length)
    for (const weighted of positions) bytes.writeUint16((WEIGHTS[weighted & 3]! << 14) | (weighted >> 2))
    size += length + (length & 1) + 2 + 2 * positions.length
    gaps += 2 * positions.length
  }
  for (const candidate of candidates) {
    size += writeLexeme(bytes, TYPO_MARK, tag, candidate)
    bytes.writeUint16(0)
  }
  return { size, gaps }
}

/** @returns the length of the lexeme in bytes, without its end */
const writeLexeme = (bytes: GrowingBytes, mark: string, tag: string, lexeme: string): number => {
  const start = bytes.length
  for (const part of [mark, tag, lexeme, '\u0000']) bytes.writeText(part)
  return bytes.length - start - 1
}
