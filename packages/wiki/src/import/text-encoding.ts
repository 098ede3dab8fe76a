import { isUtf8 } from 'node:buffer'

/** The text of a file in UTF-8, in UTF-16 with a byte order mark, or in Latin-1. The text has no byte order mark. */
export const decodeText = (bytes: Buffer): { text: string; encoding: 'UTF-8' | 'UTF-16' | 'Latin-1' } => {
  const utf16 = UTF16_MARKS.find(({ mark }) => bytes.subarray(0, 2).equals(mark))
  if (utf16 !== undefined) return { text: utf16.decoder.decode(bytes), encoding: 'UTF-16' }
  if (!isUtf8(bytes) && isLatin1(bytes)) return { text: decodeLatin1(bytes), encoding: 'Latin-1' }
  return { text: bytes.toString('utf8').replace(/^\ufeff/, ''), encoding: 'UTF-8' }
}

const UTF16_MARKS = [
  { mark: Buffer.from([0xff, 0xfe]), decoder: new TextDecoder('utf-16le') },
  { mark: Buffer.from([0xfe, 0xff]), decoder: new TextDecoder('utf-16be') },
]

/**
 * What Windows-1252 has in place of the control characters from 0x80 to 0x9f. As on the web, it counts as Latin-1.
 * TextDecoder would not convert them: Node 20 decodes windows-1252 as ISO-8859-1.
 */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const decodeLatin1 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80]!)

/** The greatest share of letters with accents that stand next to another one. */
const ADJACENT_SHARE = 0.2

/**
 * Whether bytes that are not UTF-8 are Latin-1. In European languages, letters with accents mostly stand alone between
 * ASCII. In damaged UTF-8, and in the encodings of other scripts, bytes above 0x7f stand next to each other.
 */
const isLatin1 = (bytes: Buffer): boolean => {
  const text = bytes.toString('latin1')
  const highIn = (part: string) => part.replace(/[\0-\x7f]+/g, '').length
  const adjacent = highIn(text) - highIn(text.replace(/[\x80-\xff]+/g, '\x80'))
  return !NO_TEXT.test(text) && adjacent <= highIn(text) * ADJACENT_SHARE
}

/** Control characters, and bytes that Windows-1252 does not define. */
const NO_TEXT = /[\0-\x08\x0b\x0e-\x1f\x7f\x81\x8d\x8f\x90\x9d]/
