import { createHash } from 'node:crypto'
import type { PageRecord, RevisionRecord } from './records.ts'

/** Namespace of the derived ids: a random UUID, which must never change. */
const NAMESPACE = Buffer.from('6f1c1d0e8a5b4d6f9d3e0b7a52c9e417', 'hex')

/**
 * The id of a revision that has none in its source: UUIDv5 of its page, time and text, so that importing the same file
 * again gives the same ids.
 * @see RFC 9562, 5.5
 */
export const derivedId = (
  page: Pick<PageRecord, 'locale' | 'path'>,
  revision: Pick<RevisionRecord, 'created_at' | 'markdown'>,
): string => {
  const name = JSON.stringify([page.locale, page.path, revision.created_at, revision.markdown])
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
