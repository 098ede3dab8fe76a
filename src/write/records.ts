import { z } from 'zod'
import { CATEGORIES_MAX, FIELD_BYTES_MAX, TEXT_BYTES_MAX } from '../limits.ts'
import { parseSourceLocale } from '../wiki/locales.ts'
import { byteLength, isPlainText, isUuid, nfc } from '../wiki/text.ts'
import type { Timestamp } from '../wiki/time.ts'
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
  formerPaths?: PageAddress[]
}

/** A page that the source no longer has. Only a source that reads what changed says so. */
export interface AbsentPageRecord extends PageAddress {
  type: 'absent'
}

interface PageAddress {
  locale: string
  path: string
}

export type ImportRecord = WikiRecord | CategoryRecord | ImportedPage | AbsentPageRecord

/**
 * What an import reads: validated and normalized records, in any order. If the source is invalid, it throws an
 * ImportError with the location and what was expected.
 */
export interface ImportSource {
  records: AsyncIterable<ImportRecord>
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

/** A revision before its text is read. */
interface RevisionIdentity {
  id: string
  locale: string
  path: string
  createdAt: Timestamp
}

/** A place in the order of revisions: by time, then id. */
interface RevisionPlace {
  createdAt: Timestamp
  id: string
}

/** Revisions between two places, both included. Null: from the newest, or to the oldest. */
export interface RevisionRange {
  newest: RevisionPlace | null
  oldest: RevisionPlace | null
}

/** A stored revision without its text. */
export interface RevisionSummary {
  id: string
  path: string
  author: string
  comment: string
  status: RevisionRecord['status']
}

/** A page in the database. */
export interface StoredPage {
  locale: string
  path: string
  /** How many revisions it has. */
  revisions: number
  /** The revision that guests see, and its timestamp; null if they see none. */
  liveId: string | null
  liveAt: Timestamp | null
  /** The last revision by time and id, whether guests see it or not, and its timestamp; null if the page has none. */
  lastId: string | null
  lastAt: Timestamp | null
}

/** A page in the database, for a source that reads only what changed. */
export interface StoredPageState extends PageAddress {
  /** Whether the source imported it last. */
  isOwn: boolean
  isLive: boolean
  /** Its last revision, by time, then id; null if it has none. */
  newestId: string | null
  newestAt: Timestamp | null
  /** Keys of the categories in which guests see it. */
  categories: string[]
}

/** The page of a category that changed last. */
interface NewestMember extends PageAddress {
  key: string
  revisionId: string
  createdAt: Timestamp
}

/** Queries of sources, which need not read again what the database has. */
export interface StoredContentQueries {
  /** Ids of the revisions that are stored with the same page and timestamp. */
  knownRevisions(revisions: RevisionIdentity[]): Promise<Set<string>>
  /** The pages that are stored. */
  storedPages(pages: PageAddress[]): Promise<StoredPage[]>
  /** How many live pages came from this source, by language. */
  livePages(): Promise<{ locale: string; pages: number }[]>
  /** The pages of these that are stored. */
  storedPageStates(pages: readonly PageAddress[]): Promise<StoredPageState[]>
  /** The pages of this source that changed last in each of these categories, except some pages. */
  newestMembers(
    categories: readonly { locale: string; key: string }[],
    except: readonly PageAddress[],
  ): Promise<NewestMember[]>
  /** The `state` of the source after its last import; null if there is none, or if everything must be read. */
  sourceState(): Promise<unknown>
}

/** Queries of sources that compare what is stored with what they have now. */
export interface SourceContentQueries extends StoredContentQueries {
  /** Former paths that are stored for these pages. */
  formerPaths(pages: PageAddress[]): Promise<(PageAddress & { formerPath: string })[]>
  /** Revisions of the pages of this source in one language, newest first: at most `limit` of the range. */
  revisionsOfSource(locale: string, range: RevisionRange, limit: number): Promise<RevisionSummary[]>
}
