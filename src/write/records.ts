import { z } from 'zod'
import { CATEGORIES_MAX, FIELD_BYTES_MAX, TEXT_BYTES_MAX } from '../limits.ts'
import { parseSourceLocale } from '../wiki/locales.ts'
import { byteLength, isPlainText, isUuid, nfc } from '../wiki/text.ts'
import { parseInstant, timestampFromInstant } from '../wiki/time.ts'

/** A line of text: in NFC, without control characters, with at most `bytes` bytes of UTF-8. */
const line = (bytes: number, options: { empty?: boolean } = {}) =>
  z
    .string()
    .refine(isPlainText, 'must be text without control characters')
    .transform(nfc)
    .refine((text) => options.empty || text !== '', 'must not be empty')
    .refine((text) => byteLength(text) <= bytes, `must be at most ${bytes} bytes of UTF-8`)

/** A locale code, changed to lower case, with `-` instead of `_`. */
const locale = z.string().transform((text, context) => {
  const code = parseSourceLocale(text)
  if (code !== null) return code
  context.addIssue({ code: 'custom', message: 'must be a locale code such as en or pt-br' })
  return z.NEVER
})

/** A date-time with at most six digits of a second. */
const timestamp = z.string().transform((text, context) => {
  const instant = parseInstant(text)
  if (instant !== null && instant.fraction.length <= 6) return timestampFromInstant(instant)
  context.addIssue({
    code: 'custom',
    message: 'must be an RFC 3339 date-time with at most six digits of a second',
  })
  return z.NEVER
})

/** Text of a page: any text that UTF-8 and PostgreSQL can store. */
const markdown = z
  .string()
  .refine(
    (text) => text.isWellFormed() && !text.includes('\u0000'),
    'must be well-formed text without U+0000',
  )
  .refine((text) => byteLength(text) <= TEXT_BYTES_MAX, `must be at most ${TEXT_BYTES_MAX} bytes of UTF-8`)

export const wikiRecord = z
  .strictObject({
    type: z.literal('wiki'),
    name: line(FIELD_BYTES_MAX.title),
    default_locale: locale,
    license: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    locales: z
      .array(z.strictObject({ locale, name: line(FIELD_BYTES_MAX.name) }))
      .min(1)
      .refine(
        (locales) => new Set(locales.map((one) => one.locale)).size === locales.length,
        'must name each language once',
      ),
  })
  .refine(({ default_locale, locales }) => locales.some((one) => one.locale === default_locale), {
    path: ['default_locale'],
    error: 'must be one of locales',
  })

export const categoryRecord = z.strictObject({
  type: z.literal('category'),
  locale,
  key: line(FIELD_BYTES_MAX.key),
  name: line(FIELD_BYTES_MAX.title),
})

export const revisionRecord = z.strictObject({
  id: z
    .string()
    .refine(isUuid, 'must be a UUID')
    .transform((id) => id.toLowerCase())
    .optional(),
  created_at: timestamp,
  author: line(FIELD_BYTES_MAX.name, { empty: true }),
  comment: line(FIELD_BYTES_MAX.comment, { empty: true }).default(''),
  status: z.enum(['accepted', 'pending', 'rejected', 'draft']),
  title: line(FIELD_BYTES_MAX.title),
  markdown,
  categories: z
    .array(
      z.strictObject({ key: line(FIELD_BYTES_MAX.key), sort_key: line(FIELD_BYTES_MAX.sortKey).optional() }),
    )
    .max(CATEGORIES_MAX, `must be at most ${CATEGORIES_MAX}`)
    .default([]),
})

/** A page. Several records of one page give it the revisions of all of them. */
export const pageRecord = z.strictObject({
  type: z.literal('page'),
  locale,
  path: line(FIELD_BYTES_MAX.path),
  state: z.enum(['live', 'draft', 'deleted']),
  translation_group: line(FIELD_BYTES_MAX.path).optional(),
  revisions: z.array(revisionRecord),
})

/** One line of the interchange format. */
export const wikiFileRecord = z.discriminatedUnion('type', [wikiRecord, categoryRecord, pageRecord])

export type WikiRecord = z.output<typeof wikiRecord>
export type CategoryRecord = z.output<typeof categoryRecord>
export type PageRecord = z.output<typeof pageRecord>
export type RevisionRecord = z.output<typeof revisionRecord>
/** A page as a source yields it. */
export interface ImportedPage extends PageRecord {
  /** Ids of revisions that the source has, too, but did not read, because the database has them. */
  unreadRevisions?: string[]
  /** Whether the records of this page have all of its revisions; said with any of them. */
  hasAllRevisions?: boolean
  /**
   * Paths that the page had before it moved; said with the last of its records. Absent: those of a page that has not all
   * of its revisions here stay as they are.
   */
  formerPaths?: PageKey[]
}

/** A page that the source no longer has. Only a source that reads what changed says so. */
export interface AbsentPageRecord extends PageKey {
  type: 'absent'
}

/** What identifies a page. */
export interface PageKey {
  locale: string
  path: string
}

/** The same as one text, for maps and for sorting by locale, then path. */
export const pageKey = ({ locale, path }: PageKey): string => `${locale}\0${path}`

export type ImportRecord = WikiRecord | CategoryRecord | ImportedPage | AbsentPageRecord

/**
 * What an import reads: validated and normalized records, in any order. If the source is invalid, it throws an
 * ImportError with the location and what was expected.
 */
export interface ImportSource {
  records: AsyncIterable<ImportRecord>
  /** What the source was recognized as, as one line for the user; null or absent if there is nothing to say. */
  recognition?: string | null
  /** Location of the last record (`Line 12`), for later errors; absent if the source has no lines. */
  lineOf?(): string
  /** How much of the source has been read, for the progress line; `total` is absent if it is unknown. */
  progress(): { done: number; total?: number; unit: string }
  /** Notes for the summary at the end: one line each. */
  notes(): string[]
  /**
   * Whether a revision that is stored as another page's moves to the page of its record. True if ids stay the same when
   * the source is read with other options. Otherwise such a revision is an error.
   */
  moves?: boolean
  /** Call it at the end. Default: some. */
  covers?(): Coverage
  /**
   * What the source is now, as JSON, for `StoredContentQueries.sourceState` of the next import. Call it at the end. It is
   * stored in the transaction of the import.
   */
  state?(): unknown
}

/**
 * What a source has: all pages of the wiki, all pages of one language, some pages, or what changed since the stored
 * state: then it names the pages that are gone.
 */
type Coverage = 'wiki' | { locale: string } | 'some' | 'changes'

/** A revision with an id, and a sort key in each category. */
export type CompleteRevision = Omit<RevisionRecord, 'id' | 'categories'> & {
  id: string
  categories: { key: string; sort_key: string }[]
}
export type CompletePage = Omit<ImportedPage, 'revisions'> & { revisions: CompleteRevision[] }
