import { createHash } from 'node:crypto'

/**
 * The id of the revision that a commit creates of a file: a UUID of version 8. Its first 48 bits are the generation of
 * the commit; its other 74 free bits are from SHA-256 over commit, NUL and file. Lectern orders revisions by time, then
 * id, so a commit of the same second comes after its ancestors. (D17)
 * @param generation length of the longest path from the commit to a root; it never changes
 * @param file its name in the commit, not the path of the page; of a symbolic link, with NUL and the file that it shows
 * @see RFC 9562, 5.8
 */
export const revisionId = (generation: number, commit: string, file: string): string => {
  const hash = createHash('sha256').update(`${commit}\0${file}`).digest('hex')
  const first = generation.toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16)
  return `${first.slice(0, 8)}-${first.slice(8)}-8${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}
