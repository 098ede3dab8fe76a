import { UsageError } from '../errors.ts'
import { FIELD_BYTES_MAX } from '../limits.ts'
import { ownName } from '../locales.ts'
import { type WikiRecord, wikiRecord } from '../records.ts'
import { nfc, truncateBytes } from '../text.ts'

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
