import { createHash } from 'node:crypto'

/**
 * The id of a revision of a MediaWiki: a UUID of version 8. Its first 48 bits are the number of the revision in
 * MediaWiki; its other 74 free bits are from SHA-256 over the wiki, the page and the number. Lectern orders revisions
 * by time, then id, so two revisions in one second have the order that they have in MediaWiki.
 * @param database name of the database in the dump; it distinguishes two wikis of one language
 * @see RFC 9562, 5.8
 */
export const mediawikiRevisionId = (database: string, locale: string, path: string, id: number): string => {
  const hash = createHash('sha256').update([database, locale, path, id].join('\0')).digest('hex')
  const first = numberText(id)
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16)
  return `${first.slice(0, 8)}-${first.slice(8)}-8${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}

/** A UUID that is just below the ids of all revisions with this number. */
export const lowestRevisionId = (id: number): string => {
  const first = numberText(id)
  return `${first.slice(0, 8)}-${first.slice(8)}-0000-0000-000000000000`
}

const numberText = (id: number): string => (id % 2 ** 48).toString(16).padStart(12, '0')
