import { createHash } from 'node:crypto'

/**
 * The id of the edit that a commit made to a file: a UUID of version 8 whose first 48 bits are the commit's
 * generation and whose other 74 free bits are of SHA-256 over commit, NUL and file. The wiki orders edits by
 * time, then id: of two edits in one second, a commit's descendant comes after it.
 * @param generation the longest way from the commit down to a root, in steps; commits can never change theirs
 * @param file its name in the commit, not the page's path
 * @see RFC 9562, 5.8
 */
export const revisionId = (generation: number, commit: string, file: string): string => {
  const hash = createHash('sha256').update(`${commit}\0${file}`).digest('hex')
  const first = generation.toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16)
  return `${first.slice(0, 8)}-${first.slice(8)}-8${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}
