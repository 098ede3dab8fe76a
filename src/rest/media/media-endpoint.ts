import { NotFound } from '@lectern/wiki/errors'
import fresh from 'fresh'
import { LRUCache } from 'lru-cache'
import { KEEP_ALIVE_HEADER } from '../../http/connections.ts'
import { unreadResponses } from '../../http/unread-responses.ts'
import { MEDIA_CACHE_BYTES } from '../../limits/content.ts'
import { FILE_PART_BYTES, WRITE_CHUNK_BYTES } from '../../limits/responses.ts'
import { makeSingleFlight } from '../../shared/memoize.ts'
import { scaledToHeap } from '../../shared/resources.ts'
import type { AdmissionControl } from '../admission/admission.ts'
import type { Settings } from '../route.ts'
import type { Exchange } from '../transport/exchange.ts'
import { readTarget } from '../transport/request.ts'
import type { ResponseSender } from '../transport/response-sender.ts'
import type { HeaderList } from '../transport/responses.ts'
import { type ByteRange, requestedRange } from './byte-range.ts'
import { contentHeaders, etagOf, fileHeaders } from './media-headers.ts'

/** The files that guests may read. */
export interface MediaFiles {
  /** Null: guests see no file with this hash and name. */
  find(key: MediaKey): Promise<MediaFile | null>
  /** @param part number of a part of `FILE_PART_BYTES` bytes, from 0. Undefined: guests may no longer read it */
  readPart(blobId: string, part: number): Promise<Buffer | undefined>
}

/** What the URL of a file says: its hash (SHA-256, hexadecimal) and the last segment of its path. */
interface MediaKey {
  sha256: string
  name: string
}

interface MediaFile {
  /** Files with the same bytes have the same one. */
  blobId: string
  mediaType: string
  bytes: number
}

/** A file to send. One of a single part has its bytes. */
interface SendableFile extends MediaFile {
  etag: string
  /** Headers of every response, and those of the bytes. */
  headers: HeaderList
  contentHeaders: HeaderList
  body?: Buffer
}

interface MediaEndpointOptions {
  files: MediaFiles
  /** How long caches of clients may store a file, seconds. */
  cacheSeconds: number
  /** With `cacheSeconds`: how long this process may store a file, seconds. 0: not at all. */
  settings: Pick<Settings, 'cacheSeconds'>
  admission: Pick<AdmissionControl, 'limitOf'>
  sender: ResponseSender
}

/** The files at `/media/{sha256}/{name}`, beside the API. */
interface MediaEndpoint {
  /** Sends a file, all of it or a part. @throws PublicError */
  handle(exchange: Exchange): void
  /** The wiki changed: no stored file is valid any more. */
  clear(): void
}

const MEDIA_PATH = '/media/'

/** Whether a request's target is that of a file. */
export const isMediaPath = (url: string): boolean => url.startsWith(MEDIA_PATH)

const MEDIA_URL = /^\/media\/([0-9a-f]{64})\/([^/]{1,3100})$/

const keyOf = (url: string): MediaKey | null => {
  const [, sha256, encoded] = MEDIA_URL.exec(readTarget(url).path) ?? []
  if (sha256 === undefined || encoded === undefined) return null
  try {
    const name = decodeURIComponent(encoded).normalize('NFC')
    return name.includes('\0') ? null : { sha256, name }
  } catch {
    return null
  }
}

/**
 * Sends files in parts as fast as the client reads, so that memory does not grow with the file. Files of one part are
 * stored in memory, until the wiki changes.
 */
export const makeMediaEndpoint = (options: MediaEndpointOptions): MediaEndpoint => {
  const { files, cacheSeconds, admission, sender } = options
  const storedSeconds = options.settings.cacheSeconds
  const limit = admission.limitOf('page')
  const stored = new LRUCache<string, SendableFile>({
    maxSize: scaledToHeap(MEDIA_CACHE_BYTES),
    sizeCalculation: ({ body }) => (body?.length ?? 0) + 2_048,
    ttl: 1000 * storedSeconds,
  })
  const reading = makeSingleFlight<Buffer | undefined>()
  let generation = 0

  const load = async (key: MediaKey, id: string): Promise<SendableFile> => {
    const generationAtStart = generation
    const found = await files.find(key)
    if (found === null) throw new NotFound(NO_FILE)
    const file: SendableFile = {
      ...found,
      etag: etagOf(key.sha256),
      headers: fileHeaders(key.sha256, cacheSeconds),
      contentHeaders: contentHeaders(found.mediaType),
    }
    if (found.bytes > FILE_PART_BYTES) return file
    file.body = await reading.run(found.blobId, () => files.readPart(found.blobId, 0))
    if (file.body === undefined) throw new NotFound(NO_FILE)
    if (storedSeconds > 0 && generationAtStart === generation) stored.set(id, file)
    return file
  }
  const send = (exchange: Exchange, file: SendableFile): void => {
    sender.countResponse(exchange, sendFile(exchange, file, files.readPart))
  }
  return {
    handle: (exchange) => {
      exchange.route = 'media'
      const key = keyOf(exchange.request.url!)
      if (key === null) throw new NotFound(NO_FILE)
      const id = `${key.sha256}/${key.name}`
      const known = stored.get(id)
      if (known) {
        send(exchange, known)
        return
      }
      if (limit.isSaturated(exchange.clientKey)) throw limit.recordShed()
      limit
        .run(exchange.clientKey, () => load(key, id))
        .then((file) => send(exchange, file))
        .catch((error: unknown) => sender.sendError(exchange, error))
    },
    clear: () => {
      generation += 1
      stored.clear()
      reading.clear()
    },
  }
}

const NO_FILE = 'This file does not exist.'

/** Sends the head of the response and begins to send the bytes. @returns the status */
const sendFile = (
  { request, response, ownHeaders }: Exchange,
  file: SendableFile,
  readPart: MediaFiles['readPart'],
): number => {
  const { etag, bytes } = file
  if (response.shouldKeepAlive) ownHeaders.push(...KEEP_ALIVE_HEADER)
  const begin = (status: number, ...headers: HeaderList[]) =>
    response.writeHead(status, file.headers.concat(...headers, ownHeaders))
  const known = request.headers['if-none-match']
  if (known !== undefined && fresh({ 'if-none-match': known }, { etag })) {
    begin(304).end()
    return 304
  }
  const range = requestedRange(request, etag, bytes)
  if (range === 'unsatisfiable') {
    begin(416, ['Content-Range', `bytes */${bytes}`, 'Content-Length', '0']).end()
    return 416
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  const length = ['Content-Length', String(end + 1 - start)]
  if (range) begin(206, file.contentHeaders, length, ['Content-Range', `bytes ${start}-${end}/${bytes}`])
  else begin(200, file.contentHeaders, length)
  if (request.method === 'HEAD' || bytes === 0) response.end()
  else sendBytes({ request, response }, file, { start, end }, readPart).catch(() => response.destroy())
  return range ? 206 : 200
}

/** Sends a range of bytes, which begins and ends anywhere in the parts. */
const sendBytes = async (
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  { blobId, body }: SendableFile,
  { start, end }: ByteRange,
  readPart: MediaFiles['readPart'],
): Promise<void> => {
  if (body && end - start < WRITE_CHUNK_BYTES) {
    const chunk = body.subarray(start, end + 1)
    unreadResponses.add(request.socket, response, chunk)
    response.end(chunk)
    return
  }
  let data = body
  for (let at = start; at <= end && !response.destroyed; ) {
    const part = Math.floor(at / FILE_PART_BYTES)
    const offset = at - part * FILE_PART_BYTES
    if (body === undefined && (data === undefined || offset === 0)) data = await readPart(blobId, part)
    // The file was withdrawn meanwhile. The client sees that bytes are missing.
    if (data === undefined) throw new NotFound(NO_FILE)
    if (at === start) unreadResponses.add(request.socket, response, data)
    const chunk = data.subarray(offset, Math.min(offset + WRITE_CHUNK_BYTES, offset + end + 1 - at))
    at += chunk.length
    if (!response.write(chunk)) await drained(response)
  }
  response.end()
}

const drained = (response: Exchange['response']): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      response.off('drain', finish).off('close', finish)
      resolve()
    }
    response.on('drain', finish).on('close', finish)
    if (response.destroyed) finish()
  })
