import { createReadStream } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ImportError, UsageError } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'
import { JSONParser } from '@streamparser/json'

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
  for await (const chunk of stream)
    for (let start = 0; start <= chunk.length; ) {
      const newline = chunk.indexOf(LF, start)
      const end = newline < 0 ? chunk.length : newline
      pending.push(chunk.subarray(start, end))
      length += end - start
      if (length > maxWhole || (newline < 0 && !isFirst)) yield take(false)
      if (newline >= 0) yield take(true)
      start = end + 1
    }
  yield take(true)
}

/** A temporary file of revisions, created with the first one. Its methods throw UsageError if it cannot be written. */
export const makeSpillFile = () => {
  let file: string | undefined
  const fail = ({ message }: Error): never => {
    throw new UsageError(
      `Cannot store the edits of a long line in ${tmpdir()}: ${message}. ` +
        'Free some space there, set TMPDIR to another folder, or write "revisions" as the last field of each line.',
    )
  }
  return {
    /** @param bytes without a line end; a part of a line has none */
    write: async (bytes: Buffer): Promise<void> => {
      file ??= join(await mkdtemp(join(tmpdir(), 'lectern-import-')).catch(fail), 'revisions')
      await appendFile(file, Buffer.concat([bytes, Buffer.of(LF)])).catch(fail)
    },
    async *read(): AsyncGenerator<Buffer> {
      if (file === undefined) return
      for await (const { bytes } of readLines(createReadStream(file), Number.POSITIVE_INFINITY))
        if (bytes.length > 0) yield bytes
    },
    remove: async (): Promise<void> => {
      if (file !== undefined) await rm(dirname(file), { recursive: true, force: true })
    },
  }
}

/** Of a revision, with the fields before it: bytes; and values and signs, since they take many times their bytes as objects. */
export interface PartBounds {
  revision: number
  structure: number
}

/** @param error of a parser of JSON, or of a decoder of UTF-8 */
export const parseError = (number: number, error: unknown): ImportError => {
  const { code, message } = error as NodeJS.ErrnoException
  const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'not UTF-8' : `not JSON: ${quote(message)}`
  return new ImportError(`Line ${number}: ${reason}`)
}

/** Parses the line of a page as its bytes arrive. It hands over the revisions one by one, and keeps none. (D71) */
export class LongLineParser {
  /** The fields before the first revision. */
  head: object = {}
  /** Whether revisions were, or could have been, handed over: `revisions` is an array. */
  hasRevisions = false
  readonly #number: number
  readonly #bounds: PartBounds
  readonly #parser = new JSONParser({ paths: ['$', '$.revisions', '$.revisions.*'] })
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #line: unknown
  #revisions: { value: unknown; bytes: number }[] = []
  #count = 0
  /** Bytes that were read, and where the last revision and the last token begin or end. */
  #at = { read: 0, revision: 0, token: 0 }
  #structure = 0

  constructor(number: number, bounds: PartBounds) {
    this.#number = number
    this.#bounds = bounds
    this.#parser.onToken = ({ offset }) => {
      this.#at.token = offset
      this.#structure += 1
    }
    this.#parser.onValue = ({ value, parent, stack }) => {
      if (stack.length === 0) this.#line = value
      else if (stack.length === 2 && Array.isArray(parent)) {
        if (this.#count === 0) this.head = { ...stack[1]!.value }
        parent[parent.length - 1] = 0
        this.#take(value)
      } else if (this.hasRevisions) throw this.#error('revisions: must occur only once')
      else this.hasRevisions = Array.isArray(value)
    }
  }

  /** @returns the revisions that the chunk completes @throws ImportError with the line and the field that exceeds the bounds */
  read(chunk: Buffer): { value: unknown; bytes: number }[] {
    this.#revisions = []
    this.#write(chunk)
    this.#at.read += chunk.length
    this.#check(this.#at.read)
    return this.#revisions
  }

  /** @returns the line, with `0` in place of each revision @throws ImportError */
  end(): unknown {
    this.#write()
    return this.#line
  }

  /** @param chunk absent at the end */
  #write(chunk?: Buffer): void {
    try {
      this.#decoder.decode(chunk, { stream: chunk !== undefined })
      if (chunk) this.#parser.write(chunk)
      else if (!this.#parser.isEnded) this.#parser.end()
    } catch (error) {
      throw error instanceof ImportError ? error : parseError(this.#number, error)
    }
  }

  #take(value: unknown): void {
    this.#check(this.#at.token)
    this.#revisions.push({ value, bytes: this.#at.token - this.#at.revision })
    this.#at.revision = this.#at.token
    this.#structure = 0
    this.#count += 1
  }

  #check(end: number): void {
    const { revision, structure } = this.#bounds
    const part = `revisions[${this.#count}] and the fields beside it`
    if (end - this.#at.revision > revision) throw this.#error(`${part}: must be at most ${revision} bytes`)
    if (this.#structure > structure)
      throw this.#error(`${part}: must have at most ${structure} values and signs`)
  }

  #error(reason: string): ImportError {
    return new ImportError(`Line ${this.#number}: ${reason}`)
  }
}

const WHITE_SPACE = Buffer.from(' \t\r\n')
export const isOnlySpace = (bytes: Buffer): boolean => bytes.every((byte) => WHITE_SPACE.includes(byte))
