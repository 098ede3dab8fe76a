import { createHash } from 'node:crypto'
import type { Timestamp } from '../../wiki/time.ts'
import { parseInstant, timestampAfter } from '../../wiki/time.ts'

/** What identifies the revision of a page in a folder. */
interface RevisionOfFolder {
  locale: string
  path: string
  /** SHA-256 of the content of the file, in hexadecimal. */
  digest: string
  createdAt: Timestamp
}

/**
 * The id of a revision of a page in a folder: a UUID of version 8. Its first 48 bits are from the digest of the content,
 * its other 74 free bits from SHA-256 over page, time and content. A content has the same id at the same time only, so
 * the id of the stored revision tells whether the content has changed since. (D98)
 * @see RFC 9562, 5.8
 */
export const folderRevisionId = ({ locale, path, digest, createdAt }: RevisionOfFolder): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify([locale, path, createdAt, digest]))
    .digest('hex')
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}

/**
 * When a revision was created: when its file was changed. But it is not in the future, and it is later than the former
 * revision: then it gets the time of the import.
 * @param lastAt time of the former revision; null if there is none
 */
export const revisionTime = (modifiedAt: Timestamp, lastAt: Timestamp | null, now: Timestamp): Timestamp => {
  const time = modifiedAt > now ? now : modifiedAt
  if (lastAt === null || time > lastAt) return time
  return now > lastAt ? now : timestampAfter(parseInstant(lastAt)!)
}
