import { createReadStream } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImportError, UsageError } from '@lectern/wiki/errors'

const LF = 0x0a

/** Some bytes of a line, without its line end: all of them if the line is short. */
export type InputLine = { number: number; bytes: Buffer; isLast: boolean }

/**
 * Splits a stream of bytes into lines. Only LF ends one. `readline` would split at U+2028, which JSON may contain. (D71)
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

/** A temporary file of revisions, created with the first one. Its methods throw UsageError if it cannot be written. */
export const makeSpillFile = () => {
  let folder: string | undefined
  const fileIn = (parent: string): string => join(parent, 'revisions')
  const fail = ({ message }: Error): never => {
    throw new UsageError(
      `Cannot store the edits of a long line in ${tmpdir()}: ${message}. ` +
        'Free some space there, set TMPDIR to another folder, or write "revisions" as the last field of each line.',
    )
  }
  return {
    /** @param bytes without a line end; a part of a line has none */
    write: async (bytes: Buffer): Promise<void> => {
      folder ??= await mkdtemp(join(tmpdir(), 'lectern-import-')).catch(fail)
      await appendFile(fileIn(folder!), Buffer.concat([bytes, Buffer.of(LF)])).catch(fail)
    },
    async *read(): AsyncGenerator<Buffer> {
      if (folder === undefined) return
      const stream = createReadStream(fileIn(folder))
      for await (const { bytes } of readLines(stream, Number.POSITIVE_INFINITY)) {
        if (bytes.length > 0) yield bytes
      }
    },
    remove: async (): Promise<void> => {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

const [QUOTE, COMMA, BACKSLASH] = Buffer.from('",\\')
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('[]{}')

/** The key of the revisions, up to their array. More white space than in these bytes is another key. */
const REVISIONS_KEY = /[{,]\s*"revisions"\s*:\s*$/
const KEY_BYTES = 64

export interface SplitBounds {
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
  #isSplitting = false
  #revision: Buffer[] = []
  #revisionBytes = 0
  #structure = 0
  #rest: Buffer[] = []
  #restBytes = 0
  #count = 0
  hasSplit = false

  constructor(number: number, bounds: SplitBounds) {
    this.#number = number
    this.#bounds = bounds
  }

  rest(): Buffer {
    return Buffer.concat(this.#rest)
  }

  /** @returns the bytes of each revision that the chunk completes */
  *read(chunk: Buffer): Generator<Buffer> {
    let start = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isInString = false
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
      if (byte === QUOTE) this.#isInString = true
      else if (byte === OPEN_OBJECT) this.#depth += 1
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth -= 1
      else if (byte === OPEN_ARRAY) {
        this.#depth += 1
        if (this.#depth === 2 && this.#endsWithKey(chunk.subarray(start, at))) {
          this.#append(chunk.subarray(start, at + 1))
          start = at + 1
          if (this.hasSplit) throw new ImportError(`Line ${this.#number}: revisions: must occur only once`)
          this.hasSplit = true
          this.#isSplitting = true
        }
      }
    }
    this.#append(chunk.subarray(start))
  }

  #endsWithKey(bytes: Buffer): boolean {
    const end = Buffer.concat([...this.#rest.slice(-KEY_BYTES), bytes]).subarray(-KEY_BYTES)
    return REVISIONS_KEY.test(end.toString('latin1'))
  }

  *#endRevision(isLast: boolean): Generator<Buffer> {
    const bytes = this.#revision.length === 1 ? this.#revision[0]! : Buffer.concat(this.#revision)
    this.#revision = []
    this.#revisionBytes = 0
    this.#structure = 0
    this.#isSplitting = !isLast
    if (isLast && this.#count === 0 && isOnlySpace(bytes)) return
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

const WHITE_SPACE = Buffer.from(' \t\r\n')
export const isOnlySpace = (bytes: Buffer): boolean => bytes.every((byte) => WHITE_SPACE.includes(byte))
