/** PostgreSQL's number of the type `text`. */
const TEXT = 25

/** Bytes before the first text: dimensions, whether there are nulls, type, length, first index. */
const HEAD = 20

/**
 * Texts as a parameter of type `text[]`, in PostgreSQL's binary form. As pg writes arrays, each text is quoted,
 * joined and copied, and PostgreSQL takes the whole apart again: for long texts that is most of sending them.
 */
export const binaryTextArray = (texts: readonly string[]): Buffer => {
  let size = HEAD
  for (const text of texts) size += 4 + Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const number of [1, 0, TEXT, texts.length, 1]) at = bytes.writeInt32BE(number, at)
  for (const text of texts) {
    const written = bytes.write(text, at + 4)
    bytes.writeInt32BE(written, at)
    at += 4 + written
  }
  return bytes
}
