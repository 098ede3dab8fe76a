import { createHash } from 'node:crypto'

/**
 * Characters that mean something to a file system, or to `fileNameOf`, and half of a surrogate pair, which UTF-8 cannot
 * express. Windows forbids most of them.
 */
const UNSAFE = /[\u0000-\u001f\u007f%/\\:*?"<>|\ud800-\udfff]/u

/** Names of devices, with which the name of a file on Windows cannot begin. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i

/** Bytes of the name of a file or folder: file systems allow 255. */
const LONGEST_NAME = 200
/** Bytes of a path within the folder: Linux allows 4,096 for the whole path, macOS 1,024. */
const LONGEST_PATH = 700

/**
 * The file of a page, as a path in the folder of the mirror, with `/`. No two pages have the same file. The Python
 * client computes the same names.
 * @param extension ends the name of each file, and of no folder
 * @param foldsCase whether the file system takes `Tea` and `tea` for the same name
 */
export const fileNameOf = (locale: string, path: string, extension: string, foldsCase: boolean): string => {
  const name = (text: string, isFolder: boolean) => shorten(escapeName(text, isFolder, extension, foldsCase))
  const segments = path.split('/')
  const whole = [
    name(locale, true),
    ...segments.map((segment, i) => name(segment, i < segments.length - 1)),
  ].join('/')
  const inFolder = Buffer.byteLength(whole) <= LONGEST_PATH ? whole : `${name(locale, true)}/${hashed(whole)}`
  return inFolder + extension
}

/** The folder of the pictures and documents. No language has this name. */
export const FILES_FOLDER = 'files'

/**
 * The file of a picture or document, as a path in the folder of the mirror: by the hash of its bytes, with its own name.
 * @param sha256 64 hexadecimal digits; @param path of the file on the wiki
 */
export const fileInFolder = (sha256: string, path: string, foldsCase: boolean): string => {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`This is no hash: ${sha256}`)
  const name = path.slice(path.lastIndexOf('/') + 1)
  return `${FILES_FOLDER}/${sha256}/${shorten(escapeName(name, false, '', foldsCase))}`
}

const escapeName = (text: string, isFolder: boolean, extension: string, foldsCase: boolean): string => {
  // A name is never empty, and no other text becomes this one, since `%` itself is escaped.
  if (text === '') return '%'
  let name = [...text]
    .map((character) =>
      UNSAFE.test(character) || (foldsCase && hasCase(character)) ? percentEncode(character) : character,
    )
    .join('')
  // A dot at the beginning hides a file; Windows drops a dot or a space at the end.
  if (name.startsWith('.') || DEVICE.test(name)) name = percentEncode(name[0]!) + name.slice(1)
  if (/[. ]$/.test(name)) name = name.slice(0, -1) + percentEncode(name.at(-1)!)
  // The page `tea.md/green` must not need a folder where the page `tea` has its file.
  if (isFolder && name.toLowerCase().endsWith(extension))
    name = `${name.slice(0, -extension.length)}%2E${name.slice(-extension.length + 1)}`
  return name
}

/**
 * Where letters had an upper and a lower case in Unicode 14. Later versions add some, and no two programs need have the
 * same version.
 */
const CASED =
  /[\0-\u1c88\u1c90-\u1cbf\u1d00-\ua7ca\ua7d0\ua7d1\ua7d6-\ua7d9\ua7f2-\uffff\u{10400}-\u{104ff}\u{10570}-\u{105bf}\u{10c80}-\u{10cff}\u{118a0}-\u{118df}\u{16e40}-\u{16e7f}\u{1e900}-\u{1e943}]/u

/** Whether another character differs from this one in case alone, on some file system. */
const hasCase = (character: string): boolean => {
  if (!CASED.test(character)) return false
  const lower = character.toLowerCase()
  return lower !== character || character.toUpperCase().toLowerCase() !== character
}

const percentEncode = (character: string): string =>
  [...bytesOf(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** Half of a surrogate pair gets the three bytes that UTF-8 would have for its number. */
const bytesOf = (character: string): Iterable<number> => {
  const code = character.codePointAt(0)!
  if (code < 0xd800 || code > 0xdfff) return Buffer.from(character)
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
}

const shorten = (name: string): string => (Buffer.byteLength(name) <= LONGEST_NAME ? name : hashed(name))

/** The beginning of a name, and a hash of all of it. `%~` is in no other name. */
const hashed = (name: string): string => {
  let start = ''
  for (const character of name.replaceAll('/', ' ')) {
    if (Buffer.byteLength(start + character) > 100) break
    start += character
  }
  return `${start}%~${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}
