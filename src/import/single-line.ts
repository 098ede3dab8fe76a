import { nfc, truncateBytes } from '../wiki/text.ts'

/** Converts a text to one line in NFC: replaces runs of controls and spaces by one space, and truncates to `bytes`. */
export const toSingleLine = (text: string, bytes: number): string =>
  truncateBytes(nfc(text.replace(/[\p{Cc} ]+/gu, ' ').trim()), bytes).trimEnd()
