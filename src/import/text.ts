import { cutToBytes, nfc } from '../wiki/text.ts'

/** A text as one line of a record: well-formed, NFC, runs of controls and spaces as one space, cut to so many bytes. */
export const lineOf = (text: string, bytes: number): string =>
  cutToBytes(nfc(text.replace(/[\p{Cc} ]+/gu, ' ').trim()), bytes).trimEnd()
