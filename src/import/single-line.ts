import { nfc, truncateBytes } from '../wiki/text.ts'

/** A text as one line of a record: well-formed, NFC, runs of controls and spaces as one space, cut to so many bytes. */
export const toSingleLine = (text: string, bytes: number): string =>
  truncateBytes(nfc(text.replace(/[\p{Cc} ]+/gu, ' ').trim()), bytes).trimEnd()
