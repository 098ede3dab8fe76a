import type { IncomingMessage } from 'node:http'
import { NotFound, PublicError } from '@lectern/wiki/errors'
import rangeParser from 'range-parser'
import { KEEP_ALIVE_HEADER } from '../../http/connections.ts'
import { drained, unreadResponses } from '../../http/unread-responses.ts'
import { FILE_PART_BYTES, WRITE_CHUNK_BYTES } from '../../limits/responses.ts'
import type { Exchange } from '../transport/exchange.ts'
import type { HeaderList } from '../transport/responses.ts'
import { isFresh } from '../transport/send.ts'
import type { ReadPart, SendableFile } from './stored-files.ts'

/** The position of the first byte that the response has; undefined if it has none. */
export const firstByteOf = (request: IncomingMessage, file: SendableFile): number | undefined => {
  if (request.method === 'HEAD' || isFresh(request, file.etag)) return undefined
  const range = requestedRange(request, file.etag, file.bytes)
  return range === 'unsatisfiable' ? undefined : (range?.start ?? 0)
}

/**
 * Sends the head of the response and begins to send the bytes.
 * @param first the part with the first of them, unless the file has its bytes
 * @returns the status
 * @throws PublicError with the status 416
 */
export const sendFile = (
  { request, response, ownHeaders }: Exchange,
  file: SendableFile,
  readPart: ReadPart,
  first?: Buffer,
): number => {
  const { etag, bytes } = file
  if (response.shouldKeepAlive) ownHeaders.push(...KEEP_ALIVE_HEADER)
  const begin = (status: number, ...headers: HeaderList[]) =>
    response.writeHead(status, file.headers.concat(...headers, ownHeaders))
  if (isFresh(request, etag)) {
    begin(304).end()
    return 304
  }
  const range = requestedRange(request, etag, bytes)
  if (range === 'unsatisfiable')
    throw new PublicError('bad_parameter', `Range: the file has ${bytes} bytes.`, {
      status: 416,
      headers: { 'Content-Range': `bytes */${bytes}` },
    })
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  const length = ['Content-Length', String(end + 1 - start)]
  if (range) begin(206, file.contentHeaders, length, ['Content-Range', `bytes ${start}-${end}/${bytes}`])
  else begin(200, file.contentHeaders, length)
  if (request.method === 'HEAD' || bytes === 0) response.end()
  else
    sendBytes({ request, response }, { ...file, first }, { start, end }, readPart).catch(() =>
      response.destroy(),
    )
  return range ? 206 : 200
}

/** Sends the bytes from `start` to `end`, which can be anywhere in the parts. */
const sendBytes = async (
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  { blobId, body, first }: SendableFile & { first: Buffer | undefined },
  { start, end }: { start: number; end: number },
  readPart: ReadPart,
): Promise<void> => {
  if (body && end - start < WRITE_CHUNK_BYTES) {
    const chunk = body.subarray(start, end + 1)
    unreadResponses.add(request.socket, response, chunk)
    response.end(chunk)
    return
  }
  let data = body ?? first
  for (let at = start; at <= end && !response.destroyed; ) {
    const part = Math.floor(at / FILE_PART_BYTES)
    const offset = at - part * FILE_PART_BYTES
    if (body === undefined && offset === 0 && at > start) data = await readPart(blobId, part)
    // The file was withdrawn meanwhile. The client sees that bytes are missing.
    if (data === undefined) throw new NotFound('The file was withdrawn.')
    if (at === start) unreadResponses.add(request.socket, response, data)
    const chunk = data.subarray(offset, Math.min(offset + WRITE_CHUNK_BYTES, offset + end + 1 - at))
    at += chunk.length
    if (!response.write(chunk)) await drained(response)
  }
  response.end()
}

/**
 * The part of a file that a request asks for. Several ranges, and what is no range of bytes, mean the whole file, as RFC
 * 9110 (14.2) allows: so thousands of overlapping ranges cost no more than one.
 * @returns null for the whole file; 'unsatisfiable' for a range beyond its end
 */
const requestedRange = ({ method, headers }: IncomingMessage, etag: string, bytes: number) => {
  const { range, 'if-range': condition } = headers
  if (range === undefined || method !== 'GET' || range.includes(',')) return null
  // A date never matches, because files have no Last-Modified: the client then gets the whole file.
  if (condition !== undefined && condition !== etag) return null
  const ranges = rangeParser(bytes, range)
  if (ranges === -1) return /^bytes=/i.test(range) ? 'unsatisfiable' : null
  return ranges === -2 || ranges.type !== 'bytes' ? null : ranges[0]!
}
