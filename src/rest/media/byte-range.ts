import type { IncomingMessage } from 'node:http'
import rangeParser from 'range-parser'

/** Part of a file: positions of its first and its last byte. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * The part of a file that a request asks for. Several ranges, and what is no range of bytes, mean the whole file, as RFC
 * 9110 (14.2) allows: so thousands of overlapping ranges cost no more than one.
 * @returns null for the whole file; 'unsatisfiable' for a range beyond its end
 */
export const requestedRange = (
  { method, headers }: IncomingMessage,
  etag: string,
  bytes: number,
): ByteRange | 'unsatisfiable' | null => {
  const { range, 'if-range': condition } = headers
  if (range === undefined || method !== 'GET' || range.includes(',')) return null
  // A date never matches, because files have no Last-Modified: the client then gets the whole file.
  if (condition !== undefined && condition !== etag) return null
  const ranges = rangeParser(bytes, range)
  if (ranges === -1) return isByteRange(range) ? 'unsatisfiable' : null
  return ranges === -2 || ranges.type !== 'bytes' ? null : ranges[0]!
}

const isByteRange = (range: string): boolean => /^bytes=/i.test(range)
