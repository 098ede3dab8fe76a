import { NotFound } from '@lectern/wiki/errors'
import { LRUCache } from 'lru-cache'
import { FILE_PART_BYTES, MEDIA_CACHE_BYTES } from '../../limits/responses.ts'
import { makeSingleFlight } from '../../shared/memoize.ts'
import { scaledToHeap } from '../../shared/resources.ts'
import type { HeaderList } from '../transport/responses.ts'
import { CORS_HEADERS } from '../transport/send.ts'

/** @param part number of a part of `FILE_PART_BYTES` bytes, from 0. Undefined: guests may no longer read it */
export type ReadPart = (blobId: string, part: number) => Promise<Buffer | undefined>

export interface MediaFiles {
  /** Null: guests see no file with this hash and name. */
  find(key: MediaKey): Promise<MediaFile | null>
  readPart: ReadPart
}

/** What the URL of a file says: its hash (SHA-256, hexadecimal) and the last segment of its path. */
export interface MediaKey {
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
export interface SendableFile extends MediaFile {
  etag: string
  /** Headers of every response, and those of the bytes. */
  headers: HeaderList
  contentHeaders: HeaderList
  body?: Buffer
}

export const noSuchFile = (): NotFound => new NotFound('This file does not exist.')

/**
 * Files of one part, in memory.
 * @param cacheSeconds how long caches of clients may store a file, seconds
 * @param storedSeconds how long this process may store one; 0: not at all
 */
export const makeStoredFiles = (
  { find, readPart }: MediaFiles,
  cacheSeconds: number,
  storedSeconds: number,
) => {
  const stored = new LRUCache<string, SendableFile>({
    maxSize: scaledToHeap(MEDIA_CACHE_BYTES),
    sizeCalculation: ({ body }) => (body?.length ?? 0) + 2_048,
    ttl: 1000 * storedSeconds,
  })
  const reading = makeSingleFlight<Buffer | undefined>()
  let generation = 0
  return {
    find: (key: MediaKey): SendableFile | undefined => stored.get(idOf(key)),
    /** @throws NotFound */
    load: async (key: MediaKey): Promise<SendableFile> => {
      const generationAtStart = generation
      const found = await find(key)
      if (found === null) throw noSuchFile()
      const etag = `"${key.sha256}"`
      const headers = fileHeaders(etag, cacheSeconds)
      const file: SendableFile = { ...found, etag, headers, contentHeaders: contentHeaders(found.mediaType) }
      if (found.bytes > FILE_PART_BYTES) return file
      file.body = await reading.run(found.blobId, () => readPart(found.blobId, 0))
      if (file.body === undefined) throw noSuchFile()
      if (storedSeconds > 0 && generationAtStart === generation) stored.set(idOf(key), file)
      return file
    },
    /** The wiki changed: no stored file is valid any more, including those that are being loaded. */
    clear: (): void => {
      generation += 1
      stored.clear()
      reading.clear()
    },
  }
}

const idOf = ({ sha256, name }: MediaKey): string => `${sha256}/${name}`

/** Kinds of files that browsers show. All others are saved. */
const SHOWN = /^(?:image|audio|video)\/|^application\/pdf$/

/** No file runs a script, asks for anything or sends a form. A drawing may have its own styles and pictures. */
const CONTENT_SECURITY_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'"

const EXPOSED_HEADERS = `Accept-Ranges, Content-Range, ${CORS_HEADERS['Access-Control-Expose-Headers']}`

/** Headers of every response with a file, also of a 304. @param maxAge how long caches may store it, seconds */
const fileHeaders = (etag: string, maxAge: number): HeaderList => [
  ...['ETag', etag],
  // Not `immutable`, because a file that is withdrawn must go from caches, too.
  ...['Cache-Control', `public, max-age=${maxAge}`],
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', EXPOSED_HEADERS],
  ...['Cross-Origin-Resource-Policy', 'cross-origin'],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Content-Security-Policy', CONTENT_SECURITY_POLICY],
]

const contentHeaders = (mediaType: string): HeaderList => [
  ...['Content-Type', mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType],
  ...['Accept-Ranges', 'bytes'],
  ...(SHOWN.test(mediaType) ? [] : ['Content-Disposition', 'attachment']),
]
