import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import type { S3 } from '@aws-sdk/client-s3'
import { ConfigError, Unavailable, UsageError } from '@lectern/wiki/errors'

/** Bytes to store, and their hash (SHA-256). */
export interface StorableFile {
  sha256: Buffer
  /** In memory, or in a file with this path and length. */
  data: Buffer | { path: string; length: number }
}

/** Bytes in a temporary file. */
export interface SpooledFile extends StorableFile {
  data: { path: string; length: number }
  remove(): Promise<void>
}

/**
 * A store of files outside the database. Its objects have the hashes of their bytes as names. A method that fails throws
 * a UsageError that says why, except `read`. (D143)
 */
export interface FileStore {
  /** Looks for what the client needs before it can send a request. @throws ConfigError if it is not set */
  checkSettings(): Promise<void>
  /** Asks for an object that is not there, which shows whether the bucket can be read. */
  checkReadable(): Promise<void>
  /** Writes, reads and deletes an object of its own. */
  checkWritable(): Promise<void>
  /** Writes bytes to a temporary file: the hash, which is the name of the object, is known only at their end. */
  spool(parts: AsyncIterable<Buffer>): Promise<SpooledFile>
  /** Writes those objects that are not there. */
  put(files: readonly StorableFile[]): Promise<void>
  /**
   * Reads bytes of an object. @param sha256 hexadecimal @param end position after the last byte
   * @throws Unavailable
   */
  read(sha256: string, start: number, end: number): Promise<Buffer>
  /** Deletes objects, if they are there. @param hashes SHA-256, hexadecimal */
  delete(hashes: readonly string[]): Promise<void>
}

/** Requests of an import at a time. */
const PARALLEL_REQUESTS = 8
/** How long one read may take, milliseconds, and for how long reads then fail at once. */
const READ_MS = 5_000
const PAUSE_MS = 1_000

/**
 * An S3-compatible store. Endpoint, region and credentials are those of the SDK's own environment variables and files.
 * @param url `s3://bucket/prefix`
 */
export const makeFileStore = (url: string): FileStore => new S3FileStore(url)

class S3FileStore implements FileStore {
  readonly #bucket: string
  /** Empty, or with a slash at its end. */
  readonly #prefix: string
  #client: Promise<S3> | undefined
  /** Reads fail until then, without a request: those that wait for a frozen store would keep others waiting. */
  #failed: { until: number; error: unknown } = { until: 0, error: undefined }

  constructor(url: string) {
    const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/*(.*?)\/*$/.exec(url) ?? []
    this.#bucket = bucket
    this.#prefix = prefix === '' ? '' : `${prefix}/`
  }

  async checkSettings(): Promise<void> {
    this.#client ??= makeClient()
    const { config } = await this.#client
    await config.region().catch((error: Error) => {
      throw new ConfigError(`FILES_URL: ${reasonOf(error, this.#bucket)}.`, { cause: error })
    })
  }

  async checkReadable(): Promise<void> {
    const isThere = await this.#call(async (s3) => {
      try {
        // Not HEAD, whose response does not tell a missing bucket from a missing object.
        const { Body } = await s3.getObject(this.#named(`lectern-${randomUUID()}`))
        ;(Body as Readable).destroy()
        return true
      } catch (error) {
        if (nameOf(error) !== 'NoSuchKey') throw error
        return false
      }
    })
    if (isThere) throw new UsageError('FILES_URL: the store has an object with any name.')
  }

  async checkWritable(): Promise<void> {
    const object = this.#named(`lectern-check-${randomUUID()}`)
    await this.#call(async (s3) => {
      await s3.putObject({ ...object, Body: Buffer.from('lectern') })
      const { Body } = await s3.getObject(object)
      await readBody(Body as Readable, 7)
      await s3.deleteObject(object)
    })
  }

  async spool(parts: AsyncIterable<Buffer>): Promise<SpooledFile> {
    const folder = await mkdtemp(join(tmpdir(), 'lectern-file-'))
    const remove = () => rm(folder, { recursive: true, force: true })
    try {
      const path = join(folder, 'data')
      const hash = createHash('sha256')
      let length = 0
      const file = await open(path, 'w', 0o600)
      try {
        for await (const part of parts) {
          hash.update(part)
          length += part.length
          await file.writeFile(part)
        }
      } finally {
        await file.close()
      }
      return { sha256: hash.digest(), data: { path, length }, remove }
    } catch (error) {
      await remove()
      throw error
    }
  }

  put(files: readonly StorableFile[]): Promise<void> {
    return this.#call((s3) =>
      forEachOf(files, async ({ sha256, data }) => {
        const object = this.#named(sha256.toString('hex'))
        if ((await lengthOf(s3, object)) === data.length) return
        const Body = 'path' in data ? createReadStream(data.path) : data
        await s3.putObject({ ...object, Body, ContentLength: data.length })
      }),
    )
  }

  async read(sha256: string, start: number, end: number): Promise<Buffer> {
    if (start === end) return Buffer.alloc(0)
    try {
      if (performance.now() < this.#failed.until) throw this.#failed.error
      return await this.#call(async (s3) => {
        const abortSignal = AbortSignal.timeout(READ_MS)
        const range = { ...this.#named(sha256), Range: `bytes=${start}-${end - 1}` }
        const { Body } = await s3.getObject(range, { abortSignal })
        return readBody(addAbortSignal(abortSignal, Body as Readable), end - start)
      })
    } catch (error) {
      // One object that is lost says nothing of the others.
      const isStore = error !== this.#failed.error && nameOf((error as Error).cause ?? error) !== 'NoSuchKey'
      if (isStore) this.#failed = { until: performance.now() + PAUSE_MS, error }
      throw new Unavailable('This file is temporarily unavailable. Try again in a few seconds.', 1, error)
    }
  }

  delete(hashes: readonly string[]): Promise<void> {
    return this.#call((s3) =>
      forEachOf(hashes, async (sha256) => void (await s3.deleteObject(this.#named(sha256)))),
    )
  }

  #named(name: string): ObjectName {
    return { Bucket: this.#bucket, Key: this.#prefix + name }
  }

  async #call<Result>(work: (s3: S3) => Promise<Result>): Promise<Result> {
    this.#client ??= makeClient()
    const s3 = await this.#client
    try {
      return await work(s3)
    } catch (error) {
      throw new UsageError(`FILES_URL: ${reasonOf(error as Error, this.#bucket)}.`, { cause: error })
    }
  }
}

interface ObjectName {
  Bucket: string
  Key: string
}

const makeClient = async (): Promise<S3> => {
  const sdk = await import('@aws-sdk/client-s3').catch(() => {
    throw new UsageError(
      'FILES_URL needs the client of S3, which is not installed. Run `npm install @aws-sdk/client-s3` where Lectern is installed.',
    )
  })
  return new sdk.S3({
    // Every compatible store understands these addresses, and bucket names with dots work with TLS.
    forcePathStyle: true,
    // Not every store knows the checksums that newer clients add to each request.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 2_000, socketTimeout: 30_000 },
  })
}

const nameOf = (error: unknown): string => (error as Error).name

/** The length of an object, bytes; undefined if it is not there. */
const lengthOf = async (s3: S3, object: ObjectName): Promise<number | undefined> => {
  try {
    return (await s3.headObject(object)).ContentLength
  } catch (error) {
    if (nameOf(error) === 'NotFound') return undefined
    throw error
  }
}

/** @throws Error unless the body has exactly `length` bytes: a store may ignore the range */
const readBody = async (body: Readable, length: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    read += chunk.length
    if (read > length) break
    chunks.push(chunk)
  }
  if (read !== length) throw new Error('the store sent another number of bytes')
  return Buffer.concat(chunks)
}

/** Runs `work` for each item, some at a time. After a failure, no more begin: it ends the generator for all. */
const forEachOf = async <Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const rest = (function* () {
    yield* items
  })()
  const worker = async () => {
    for (const item of rest) await work(item)
  }
  const results = await Promise.allSettled(Array.from({ length: PARALLEL_REQUESTS }, worker))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** Why the store cannot be used, and what to do. */
const reasonOf = (
  { name, message, $metadata, code }: Error & { $metadata?: { httpStatusCode?: number }; code?: string },
  bucket: string,
): string => {
  const status = $metadata?.httpStatusCode
  if (name === 'NoSuchBucket') return `the bucket "${bucket}" does not exist. Create it, or correct the name`
  if (name === 'NoSuchKey') return `the bucket "${bucket}" has lost an object`
  if (name === 'CredentialsProviderError')
    return 'there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
  if (/region (?:is missing|not accepted)/i.test(message)) return 'no region is set. Set AWS_REGION'
  if (status === 301 || status === 307)
    return `the bucket "${bucket}" is in another region. Correct AWS_REGION`
  if (status === 401 || status === 403)
    return `the store does not allow this user to use the bucket "${bucket}" (${name}: ${message})`
  return `the store does not respond as expected (${message || code || name})`
}
