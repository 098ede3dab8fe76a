import { FIELD_BYTES_MAX } from '../limits.ts'

/**
 * What cannot stand in a name, path or key: C0 and C1 controls, U+001F (which separates a sort key
 * from a path in `next`) among them, and lone surrogates, which UTF-8 cannot hold.
 */
const UNFIT = /[\u0000-\u001f\u007f-\u009f]/

/** Whether a text can be a path, key, title or name: well-formed and without control characters. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !UNFIT.test(text)

/**
 * More combining marks in a row than any writing needs: Unicode's stream-safe text format allows 30. Putting a run
 * of n in canonical order takes the square of n; runs up to this one cost no more than other text does.
 */
const LONG_MARKS = /(?<!\p{M})\p{M}{257}/u

/**
 * A text in NFC, in time linear in its length. A text with a longer run of combining marks stays as it is, so that
 * the same text always gives the same. (D75)
 */
export const nfc = (text: string): string => (hasLongMarks(text) ? text : text.normalize('NFC'))

const hasLongMarks = (text: string): boolean => text.length > 256 && LONG_MARKS.test(text)

/** Bytes that a text takes in UTF-8. */
export const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8')

/**
 * A title as the sort key that it gives where none is written: compatibility forms and case folded, NFC as
 * a position in a list is read (lower case can take letters apart: J\u030c). One letter can become eighteen,
 * so what would not fit as a written one is cut.
 */
export const sortKeyOf = (title: string): string =>
  truncateBytes(
    nfc((hasLongMarks(title) ? title : title.normalize('NFKC')).toLowerCase()),
    FIELD_BYTES_MAX.sortKey,
  )

/** The longest beginning of a text that takes at most so many bytes of UTF-8; no character is cut through. */
export const truncateBytes = (text: string, bytes: number): string => {
  const encoded = Buffer.from(text, 'utf8')
  if (encoded.length <= bytes) return text
  let end = bytes
  while ((encoded[end]! & 0xc0) === 0x80) end -= 1
  return encoded.toString('utf8', 0, end)
}

/** The beginning of a text, for the log. @param length UTF-16 code units; where more was left out, `…` follows */
export const truncate = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…` : text

/**
 * A text as it may be repeated in a message: controls and bidirectional marks, which could turn a
 * terminal or a line around, become U+FFFD; at most 80 characters.
 */
export const quote = (text: string): string => {
  const clean = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')
  return clean.length > 80 ? `${clean.slice(0, 79).replace(/[\ud800-\udbff]$/, '')}…` : clean
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** As RFC 9562 writes one. PostgreSQL would take braces and missing hyphens too. */
export const isUuid = (text: string): boolean => UUID.test(text)
