import { ImportError } from '../errors.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Longer than "revisions" with every letter escaped. A longer key is another one. */
const KEY_BYTES = 64

export interface SplitBounds {
  /** Bytes of one revision. */
  revision: number
  /** Bytes of one revision outside strings. As an object, each small value takes many times its bytes. */
  structure: number
  /** Bytes of everything except the revisions. */
  rest: number
}

/**
 * Cuts the revisions out of a page's line as its bytes arrive. It recognizes only where strings, arrays and objects
 * begin and end. The caller parses the revisions, and the rest of the line with `0` in place of each revision; all of
 * them are valid JSON if and only if the line is. (D71)
 * @throws ImportError with the line and the field that exceeds the bounds
 */
export class RevisionSplitter {
  readonly #number: number
  readonly #bounds: SplitBounds
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** Bytes of the last string directly in the page's object. */
  #string: number[] = []
  /** The current key of the page's object. */
  #key: string | null = null
  #isSplitting = false
  #revision: Buffer[] = []
  #revisionBytes = 0
  #structure = 0
  #rest: Buffer[] = []
  #restBytes = 0
  #count = 0
  #hasSplit = false

  constructor(number: number, bounds: SplitBounds) {
    this.#number = number
    this.#bounds = bounds
  }

  /** Whether the array of revisions has begun. */
  get hasSplit(): boolean {
    return this.#hasSplit
  }

  /** Everything so far except revisions. */
  rest(): Buffer {
    return Buffer.concat(this.#rest)
  }

  /** @returns the bytes of each revision that the chunk completes */
  *read(chunk: Buffer): Generator<Buffer> {
    let start = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!
      if (this.#isInString) {
        this.#readString(byte)
        continue
      }
      if (this.#isSplitting) {
        this.#structure += 1
        if (this.#depth === 2 && (byte === COMMA || byte === CLOSE_ARRAY)) {
          this.#append(chunk.subarray(start, at))
          start = at
          yield* this.#endRevision(byte === CLOSE_ARRAY)
          if (byte === CLOSE_ARRAY) this.#depth -= 1
          else start = at + 1
          continue
        }
      }
      if (byte === QUOTE) {
        this.#isInString = true
        if (this.#depth === 1) this.#string = []
      } else if (byte === OPEN_OBJECT) this.#depth += 1
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth -= 1
      else if (byte === OPEN_ARRAY) {
        this.#depth += 1
        if (this.#depth === 2 && this.#key === 'revisions') {
          this.#append(chunk.subarray(start, at + 1))
          start = at + 1
          this.#beginRevisions()
        }
      } else if (this.#depth === 1 && byte === COLON) this.#key = this.#readKey()
      else if (this.#depth === 1 && byte === COMMA) this.#key = null
    }
    this.#append(chunk.subarray(start))
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) {
      this.#isInString = false
      return
    }
    if (this.#depth === 1 && this.#string.length <= KEY_BYTES) this.#string.push(byte)
  }

  #readKey(): string | null {
    if (this.#string.length > KEY_BYTES) return null
    try {
      return JSON.parse(`"${Buffer.from(this.#string).toString()}"`)
    } catch {
      return null // the parser of the rest of the line reports the invalid key
    }
  }

  #beginRevisions(): void {
    if (this.#hasSplit) throw new ImportError(`Line ${this.#number}: revisions: must occur only once`)
    this.#hasSplit = true
    this.#isSplitting = true
  }

  *#endRevision(isLast: boolean): Generator<Buffer> {
    const bytes = this.#revision.length === 1 ? this.#revision[0]! : Buffer.concat(this.#revision)
    this.#revision = []
    this.#revisionBytes = 0
    this.#structure = 0
    this.#isSplitting = !isLast
    if (isLast && this.#count === 0 && isBlank(bytes)) return
    this.#count += 1
    this.#appendRest(isLast ? PLACEHOLDER : NEXT_PLACEHOLDER)
    yield bytes
  }

  #append(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (!this.#isSplitting) {
      this.#appendRest(bytes)
      return
    }
    this.#revision.push(bytes)
    this.#revisionBytes += bytes.length
    const { revision, structure } = this.#bounds
    const field = `Line ${this.#number}: revisions[${this.#count}]`
    if (this.#revisionBytes > revision) throw new ImportError(`${field}: must be at most ${revision} bytes`)
    if (this.#structure > structure)
      throw new ImportError(`${field}: must have at most ${structure} bytes besides its strings`)
  }

  #appendRest(bytes: Buffer): void {
    this.#rest.push(bytes)
    this.#restBytes += bytes.length
    const { rest } = this.#bounds
    if (this.#restBytes > rest)
      throw new ImportError(
        `Line ${this.#number}: must have at most ${rest} bytes besides the objects in "revisions"`,
      )
  }
}

const PLACEHOLDER = Buffer.from('0')
const NEXT_PLACEHOLDER = Buffer.from('0,')

const isBlank = (bytes: Buffer): boolean => bytes.toString('latin1').trim() === ''
