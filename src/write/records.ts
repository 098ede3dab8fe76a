import { z } from 'zod'
import { CATEGORIES_MAX, FIELD_BYTES_MAX, TEXT_BYTES_MAX } from '../limits.ts'
import { parseSourceLocale } from '../wiki/locales.ts'
import { byteLength, isPlainText, isUuid, nfc } from '../wiki/text.ts'
import type { Timestamp } from '../wiki/time.ts'
import { parseInstant, timestampFromInstant } from '../wiki/time.ts'

/** A line of text: NFC, no control characters, at most so many bytes of UTF-8. */
const line = (bytes: number, options: { empty?: boolean } = {}) =>
  z
    .string()
    .refine(isPlainText, 'must be text without control characters')
    .transform(nfc)
    .refine((text) => options.empty || text !== '', 'must not be empty')
    .refine((text) => byteLength(text) <= bytes, `must be at most ${bytes} bytes of UTF-8`)

/** A locale code, lower-cased, with `-` for `_`. */
const locale = z.string().transform((text, context) => {
  const code = parseSourceLocale(text)
  if (code !== null) return code
  context.addIssue({ code: 'custom', message: 'must be a locale code such as en or pt-br' })
  return z.NEVER
})

/** A date-time with at most six digits of a second, as a moment. */
const moment = z.string().transform((text, context) => {
  const instant = parseInstant(text)
  if (instant !== null && instant.fraction.length <= 6) return timestampFromInstant(instant)
  context.addIssue({
    code: 'custom',
    message: 'must be an RFC 3339 date-time with at most six digits of a second',
  })
  return z.NEVER
})

/** Text of a page: anything that UTF-8 and PostgreSQL can hold. */
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
    license: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
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
  created_at: moment,
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

/** A line for a page; several lines for one page, and records in a row, give it the edits of all. */
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
export type ImportRecord = z.output<typeof wikiFileRecord>

/**
 * What an import reads: records, validated and normalised, in any order. A source throws ImportError, with
 * the place and what was expected, where it cannot go on.
 */
export interface ImportSource {
  records: AsyncIterable<ImportRecord>
  /** Where the record read last stands (`Line 12`), for what is found out later; absent where it cannot say. */
  lineOf?(): string
  /** How much of the source has been read, for the progress line; `total` is absent where unknown. */
  progress(): { done: number; total?: number; unit: string }
  /** What the person should know at the end: one line each. */
  notes(): string[]
  /**
   * Whether an edit that is stored as another page's belongs to the page that it comes with now: where ids
   * name an edit by what does not change when the same source is read in another way. Else it is an error.
   */
  moves?: boolean
  /** Known at the end: whether it holds all of the wiki's pages, those of one language, or (absent) only some. */
  covers?(): 'wiki' | { locale: string } | 'some'
}

/** A revision that has its id, and a sort key in each category. */
export type CompleteRevision = Omit<RevisionRecord, 'id' | 'categories'> & {
  id: string
  categories: { key: string; sort_key: string }[]
}
export type CompletePage = Omit<PageRecord, 'revisions'> & { revisions: CompleteRevision[] }

/** An edit as a source knows it before its text is read. */
interface RevisionIdentity {
  id: string
  locale: string
  path: string
  createdAt: Timestamp
}

/** What is stored of a page. */
export interface StoredPage {
  locale: string
  path: string
  /** How many edits it has. */
  revisions: number
  /** The edit that guests see, and its time; null where they see none. */
  liveId: string | null
  liveAt: Timestamp | null
}

/** What is stored already, for sources that need not read again what the wiki has. */
export interface StoredContentQueries {
  /** Ids of those revisions that are stored already, with the same page and time. */
  knownRevisions(revisions: RevisionIdentity[]): Promise<Set<string>>
  /** Those of these pages that are stored. */
  storedPages(pages: { locale: string; path: string }[]): Promise<StoredPage[]>
}
