import pLimit from 'p-limit'
import { FILE_PART_BYTES } from '../../limits/responses.ts'
import type { AdmissionControl } from '../admission/admission.ts'
import type { Settings } from '../route.ts'
import type { Exchange } from '../transport/exchange.ts'
import { readTarget } from '../transport/request.ts'
import type { ResponseSender } from '../transport/response-sender.ts'
import { firstByteOf, sendFile } from './send-file.ts'
import {
  type MediaFiles,
  type MediaKey,
  makeStoredFiles,
  noSuchFile,
  type ReadPart,
  type SendableFile,
} from './stored-files.ts'

export interface MediaEndpointOptions {
  files: MediaFiles
  /** How long caches of clients may store a file, seconds. */
  cacheSeconds: number
  /** With `cacheSeconds`: how long this process may store a file, seconds. 0: not at all. */
  settings: Pick<Settings, 'cacheSeconds'>
  admission: Pick<AdmissionControl, 'limitOf'>
  sender: ResponseSender
}

export const isMediaPath = (url: string): boolean => url.startsWith('/media/')

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

/** Parts that a process reads at a time, so that downloads leave connections to the database for the API. */
const PARALLEL_READS = 4

/**
 * Sends files in parts as fast as the client reads, so that memory does not grow with the file. Files of one part are
 * stored in memory, until the wiki changes.
 */
export const makeMediaEndpoint = (options: MediaEndpointOptions) => {
  const { files, cacheSeconds, settings, admission, sender } = options
  const limit = admission.limitOf('page')
  const limitReads = pLimit(PARALLEL_READS)
  const readPart: ReadPart = (blobId, part) => limitReads(() => files.readPart(blobId, part))
  const storedFiles = makeStoredFiles({ ...files, readPart }, cacheSeconds, settings.cacheSeconds)
  const send = (exchange: Exchange, file: SendableFile, first?: Buffer): void =>
    sender.countResponse(exchange, sendFile(exchange, file, readPart, first))
  /** The first part that the response has is read before its head is sent: until then, a failure is an error of the API. */
  const load = async (exchange: Exchange, key: MediaKey): Promise<{ file: SendableFile; first?: Buffer }> => {
    const file = await storedFiles.load(key)
    const start = file.body === undefined ? firstByteOf(exchange.request, file) : undefined
    if (start === undefined) return { file }
    const first = await readPart(file.blobId, Math.floor(start / FILE_PART_BYTES))
    if (first === undefined) throw noSuchFile()
    return { file, first }
  }
  return {
    /** Sends a file, all of it or a part. @throws PublicError */
    handle: (exchange: Exchange) => {
      exchange.route = 'media'
      const key = keyOf(exchange.request.url!)
      if (key === null) throw noSuchFile()
      const stored = storedFiles.find(key)
      if (stored) return send(exchange, stored)
      if (limit.isSaturated(exchange.clientKey)) throw limit.recordShed()
      limit
        .run(exchange.clientKey, () => load(exchange, key))
        .then(({ file, first }) => send(exchange, file, first))
        .catch((error: unknown) => sender.sendError(exchange, error))
    },
    clear: storedFiles.clear,
  }
}
