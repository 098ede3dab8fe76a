import { createHash } from 'node:crypto'
import { UsageError } from '../errors.ts'
import { FIELD_BYTES_MAX } from '../limits.ts'
import { ownName } from '../locales.ts'
import { type WikiRecord, wikiRecord } from '../records.ts'
import { nfc, truncateBytes } from '../text.ts'

/** A UUID of version 8: its first 48 bits are given in hexadecimal, its other 74 are from SHA-256. @see RFC 9562, 5.8 */
export const revisionIdOf = (first: string, text: string): string => {
  const hash = createHash('sha256').update(text).digest('hex')
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16)
  return `${first.slice(0, 8)}-${first.slice(8, 12)}-8${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}

/** Converts a text to one line in NFC: replaces runs of controls and spaces by one space, and truncates to `bytes`. */
export const toSingleLine = (text: string, bytes: number): string =>
  truncateBytes(nfc(text.replace(/[\p{Cc} ]+/gu, ' ').trim()), bytes).trimEnd()

/** The wiki record of a source. Languages have their native names. @throws UsageError if an option of the user is invalid */
export const makeWikiRecord = (wiki: {
  name: string
  defaultLocale: string
  license: string | undefined
  locales: readonly string[]
}): WikiRecord => {
  const parsed = wikiRecord.safeParse({
    type: 'wiki',
    name: toSingleLine(wiki.name, FIELD_BYTES_MAX.title),
    default_locale: wiki.defaultLocale,
    license: wiki.license,
    locales: wiki.locales.map((locale) => ({ locale, name: ownName(locale) })),
  })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new UsageError(`${issue.path.join('.')}: ${issue.message}`)
}
