import { createHash } from 'node:crypto'

/**
 * The id of an edit of a MediaWiki: a UUID of version 8 whose first 48 bits are the edit's number there, and
 * whose other 74 free bits are of SHA-256 over the wiki, the page and the number. The wiki orders edits by
 * time, then id: of two edits in one second, the one with the higher number comes later, as in MediaWiki.
 * @param database as the dump names it; two wikis of one language in one Lectern differ by it
 * @see RFC 9562, 5.8
 */
export const mediawikiRevisionId = (database: string, locale: string, path: string, id: number): string => {
  const hash = createHash('sha256').update([database, locale, path, id].join('\0')).digest('hex')
  const first = (id % 2 ** 48).toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16)
  return `${first.slice(0, 8)}-${first.slice(8)}-8${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}
