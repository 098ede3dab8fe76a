/** The OID of PostgreSQL's type `text`. */
const TEXT = 25

/** Length of the header, bytes: dimensions, whether there are nulls, type, length, first index. */
const HEADER_BYTES = 20

/**
 * Texts as a parameter of type `text[]`, in PostgreSQL's binary format. `pg` would quote, join and copy every text, and
 * PostgreSQL would parse the result: for long texts, this takes most of the time of sending them.
 */
export const binaryTextArray = (texts: readonly string[]): Buffer => {
  let size = HEADER_BYTES
  for (const text of texts) size += 4 + Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const number of [1, 0, TEXT, texts.length, 1]) at = bytes.writeInt32BE(number, at)
  for (const text of texts) {
    const length = bytes.write(text, at + 4)
    bytes.writeInt32BE(length, at)
    at += 4 + length
  }
  return bytes
}
