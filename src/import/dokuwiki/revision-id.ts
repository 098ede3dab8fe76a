import { createHash } from 'node:crypto'

/**
 * The id of a revision of a DokuWiki: a UUID of version 8. Its first 48 bits are the time of the revision in seconds,
 * which DokuWiki itself uses as its id; its other 74 free bits are from SHA-256 over the language, the page and the time.
 * @see RFC 9562, 5.8
 */
export const dokuwikiRevisionId = (locale: string, id: string, time: number): string => {
  const hash = createHash('sha256').update(['dokuwiki', locale, id, time].join('\0')).digest('hex')
  const first = time.toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16)
  return `${first.slice(0, 8)}-${first.slice(8)}-8${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}
