/**
 * The cursor of a change: eight bytes of its number, and six of its check code, in base64url. A program that invents a
 * cursor gets an error instead of a list with gaps. (D100)
 */

const NUMBER_BYTES = 8
const CODE_BYTES = 6

/** @param number a bigint that is not negative, as text; @param code twelve hexadecimal digits */
export const changeCursor = (number: string, code: string): string => {
  const bytes = Buffer.alloc(NUMBER_BYTES + CODE_BYTES)
  bytes.writeBigInt64BE(BigInt(number))
  bytes.write(code, NUMBER_BYTES, 'hex')
  return bytes.toString('base64url')
}

/** @returns null if the text is not the cursor of any number and code */
export const readChangeCursor = (cursor: string): { number: string; code: string } | null => {
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding skips what is no base64url, and ignores unused bits.
  if (bytes.length !== NUMBER_BYTES + CODE_BYTES || bytes.toString('base64url') !== cursor) return null
  const number = bytes.readBigInt64BE()
  return number < 0n ? null : { number: String(number), code: bytes.toString('hex', NUMBER_BYTES) }
}
