import { z } from 'zod'
import { DIALECT_NAMES } from './dialects/dialect.ts'
import { CATEGORIES_MAX, FIELD_BYTES_MAX, FILE_PATH_BYTES_MAX, TEXT_BYTES_MAX } from './limits.ts'
import { parseSourceLocale } from './locales.ts'
import { byteLength, isPlainText, isUuid, nfc } from './text.ts'
import { parseInstant, type Timestamp, timestampFromInstant } from './time.ts'

/*
 * The metadata of each field goes into `schema/ndjson.schema.json`. A keyword there may refuse only what the import
 * refuses, too: so a bound in bytes is a bound in characters of text in NFC. (D71)
 */

/** A line of text: in NFC, without control characters, with at most `bytes` bytes of UTF-8. */
const line = (bytes: number, description: string, options: { empty?: boolean } = {}) =>
  z
    .string()
    .meta({
      description: `${description} A line of text with at most ${bytes} bytes of UTF-8.`,
      ...(options.empty ? {} : { minLength: 1 }),
      maxLength: bytes,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    })
    .refine(isPlainText, 'must be text without control characters')
    .transform(nfc)
    .refine((text) => options.empty || text !== '', 'must not be empty')
    .refine((text) => byteLength(text) <= bytes, `must be at most ${bytes} bytes of UTF-8`)

const orIssue =
  (parse: (text: string) => string | null, message: string) =>
  (text: string, context: z.RefinementCtx): string => {
    const parsed = parse(text)
    if (parsed === null) context.addIssue({ code: 'custom', message })
    return parsed ?? z.NEVER
  }

/** A locale code, changed to lower case, with `-` instead of `_`. */
const locale = z
  .string()
  .meta({
    description: 'Code of a language, such as `en` or `pt-br`.',
    pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$',
    maxLength: 35,
  })
  .transform(orIssue(parseSourceLocale, 'must be a locale code such as en or pt-br'))

const timestamp = z
  .string()
  .meta({
    description: 'When the edit was made: an RFC 3339 date-time with at most six digits of a second.',
    format: 'date-time',
    pattern:
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?([Zz]|[+-][0-9]{2}:[0-9]{2})$',
  })
  .transform(
    orIssue((text): Timestamp | null => {
      const instant = parseInstant(text)
      return instant && instant.fraction.length <= 6 ? timestampFromInstant(instant) : null
    }, 'must be an RFC 3339 date-time with at most six digits of a second'),
  )

/** Text of a page: any text that UTF-8 and PostgreSQL can store. */
const markdown = z
  .string()
  .meta({
    description: `The text after this edit, in Markdown: at most ${TEXT_BYTES_MAX} bytes of UTF-8.`,
    maxLength: TEXT_BYTES_MAX,
  })
  .refine(
    (text) => text.isWellFormed() && !text.includes('\u0000'),
    'must be well-formed text without U+0000',
  )
  .refine((text) => byteLength(text) <= TEXT_BYTES_MAX, `must be at most ${TEXT_BYTES_MAX} bytes of UTF-8`)

export const wikiRecord = z
  .strictObject({
    type: z.literal('wiki'),
    name: line(FIELD_BYTES_MAX.title, 'Name of the wiki.'),
    default_locale: locale.describe('The language that clients get if they name none; one of `locales`.'),
    license: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .describe('URL of the license of the texts. Absent: unknown.')
      .optional(),
    locales: z
      .array(
        z.strictObject({
          locale,
          name: line(FIELD_BYTES_MAX.name, 'Name of the language, in that language.'),
        }),
      )
      .min(1)
      .describe('The languages of the wiki, each once.')
      .refine(
        (locales) => new Set(locales.map((one) => one.locale)).size === locales.length,
        'must name each language once',
      ),
    file_roots: z
      .array(line(FILE_PATH_BYTES_MAX, 'A folder.', { empty: true }))
      .max(50)
      .describe(
        'Folders in which references to files that begin with `/` are looked up, in this order. Absent: the top folder.',
      )
      .optional(),
  })
  .refine(({ default_locale, locales }) => locales.some((one) => one.locale === default_locale), {
    path: ['default_locale'],
    error: 'must be one of locales',
  })

export const categoryRecord = z.strictObject({
  type: z.literal('category'),
  locale,
  key: line(FIELD_BYTES_MAX.key, 'Key of the category: what its address contains.'),
  name: line(FIELD_BYTES_MAX.title, 'Name of the category, as readers see it.'),
})

export const revisionRecord = z.strictObject({
  id: z
    .string()
    .meta({
      description:
        'UUID of the edit. Absent: made from language, path, time and text, so that a second import finds it again.',
      pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
    })
    .refine(isUuid, 'must be a UUID')
    .transform((id) => id.toLowerCase())
    .optional(),
  created_at: timestamp,
  author: line(FIELD_BYTES_MAX.name, 'Display name of the author; may be empty.', { empty: true }),
  comment: line(FIELD_BYTES_MAX.comment, 'What the author said of the edit.', { empty: true }).default(''),
  status: z
    .enum(['accepted', 'pending', 'rejected', 'draft'])
    .describe('Guests see `accepted` edits of live pages, and nothing else.'),
  title: line(FIELD_BYTES_MAX.title, 'Title of the page from this edit on.'),
  markdown,
  categories: z
    .array(
      z.strictObject({
        key: line(FIELD_BYTES_MAX.key, 'Key of the category.'),
        sort_key: line(
          FIELD_BYTES_MAX.sortKey,
          'What the page is sorted by in the category. Absent: its title in lower case (NFKC).',
        ).optional(),
      }),
    )
    .max(CATEGORIES_MAX, `must be at most ${CATEGORIES_MAX}`)
    .describe('Categories of the page from this edit on. Those of the newest accepted edit count.')
    .default([]),
})

/** A page. Several records of one page give it the revisions of all of them. */
export const pageRecord = z.strictObject({
  type: z.literal('page'),
  locale,
  path: line(
    FIELD_BYTES_MAX.path,
    'Path of the page in its language. It may begin with a namespace: `template:`, `page_template:`, `module:`, or `category:` for the page that describes a category.',
  ),
  state: z.enum(['live', 'draft', 'deleted']).describe('Guests see `live` pages, and nothing of others.'),
  translation_group: line(
    FIELD_BYTES_MAX.path,
    'Name of a group: its pages are translations of each other.',
  ).optional(),
  revisions: z.array(revisionRecord).describe('Edits of the page, in any order.'),
  dialect: z
    .enum([...DIALECT_NAMES, 'markdown'])
    .describe('The dialect of Markdown of the page, as a site generator reads it. Absent: plain Markdown.')
    .optional(),
  source_path: line(
    FILE_PATH_BYTES_MAX,
    'Path of a file in whose folder relative references to files begin. Absent: the path of the page.',
  ).optional(),
  position: z
    .int32()
    .min(1)
    .describe('Place of the page in the order of its site, from 1. Absent: it has none.')
    .optional(),
  group_title: line(
    FIELD_BYTES_MAX.title,
    'Title of the group that has the page in the navigation of its site: only with `position`.',
  ).optional(),
  group_titles: z
    .array(line(FIELD_BYTES_MAX.title, 'Title of a group.'))
    .min(1)
    .max(8)
    .describe('Instead of `group_title`: titles of groups within each other, the outermost first.')
    .optional(),
  nav_title: line(
    FIELD_BYTES_MAX.title,
    'Title of the page in that navigation, if it has one there: only with `position`.',
  ).optional(),
  site_path: line(
    FIELD_BYTES_MAX.path,
    'Path in the URL of the page on its site, such as `/docs/tea/`. Absent: its path.',
  )
    .refine((path) => path.startsWith('/'), 'must begin with a slash')
    .optional(),
})

/** A file that pages may show or link. Its bytes are in a folder beside the file with this record. */
export const fileRecord = z.strictObject({
  type: z.literal('file'),
  locale: locale.describe('Language of the file. Absent: it belongs to all.').optional(),
  path: line(FILE_PATH_BYTES_MAX, 'Path of the file, as references in texts have it.').refine(
    (path) => path.split('/').every((segment) => !['', '.', '..'].includes(segment)),
    'must not have empty segments, `.` or `..`',
  ),
  sha256: z
    .string()
    .meta({ description: 'SHA-256 of its bytes, in hexadecimal.', pattern: '^[0-9a-f]{64}$' })
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case'),
  modified_at: timestamp.describe('When the file was changed: an RFC 3339 date-time.').optional(),
  author: line(FIELD_BYTES_MAX.name, 'Who changed it last.').optional(),
})

export const wikiFileRecord = z.discriminatedUnion('type', [wikiRecord, categoryRecord, pageRecord])

export const ndjsonLine = z.discriminatedUnion('type', [wikiRecord, categoryRecord, pageRecord, fileRecord])

export type WikiRecord = z.output<typeof wikiRecord>
export type CategoryRecord = z.output<typeof categoryRecord>
export type PageRecord = z.output<typeof pageRecord>
export type FileRecord = z.output<typeof fileRecord>
export type RevisionRecord = z.output<typeof revisionRecord>
export interface ImportedPage extends Omit<PageRecord, 'source_path'> {
  /** Ids of revisions that the source has, too, but did not read, because the database has them. */
  unreadRevisions?: string[]
  /** Whether the records of this page have all of its revisions; said with any of them. */
  hasAllRevisions?: boolean
  /** Paths that the page had before it moved; said with its last record. Absent: they stay as they are. */
  formerPaths?: FormerPath[]
  aliases?: string[]
  /** Where the source has the page now (`docs/tea/index.md`): references start in its folder. Absent: the path of the page. */
  sourcePath?: string
}

/** A path that a page had before it moved. It is public if guests could see the page there. */
export interface FormerPath extends PageKey {
  /** Ids of the revisions there, of which guests must see one. `any`: everybody is told of the move. Absent: unknown. */
  revisions?: string[] | 'any'
}

/** A page that the source no longer has. Only a source that reads what changed says so. */
export type AbsentPageRecord = PageKey & { type: 'absent' }

export type PageKey = { locale: string; path: string }

/** The same as one text, for maps and for sorting by locale, then path. */
export const pageKey = ({ locale, path }: PageKey): string => `${locale}\0${path}`

export type ImportRecord = WikiRecord | CategoryRecord | ImportedPage | AbsentPageRecord

/** What an import reads: validated records, in any order. An invalid source throws an ImportError that says where and why. */
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
  /** Call it at the end. Default: some. */
  covers?(): Coverage
  /**
   * Whether a stored text goes that the import did not have, because it shows what is hidden since this import, or is replaced: its
   * page has a later revision. Call it at the end.
   */
  newlyHides?(): ((markdown: string, isReplaced: boolean) => boolean) | undefined
  /** Whether the site shows other files at the same paths than at the last import, so that their edits replace the former ones. Call it at the end. */
  replacesEdits?(): boolean
  /**
   * Texts that the last import left out by options, and these; they can be of former pages, too. At the first import, the options that
   * should leave texts out, and leave out none. Call it at the end.
   */
  newlyShows?(): { texts: number; options: string[]; unused: string[] }
  /** What the next import tells if nothing has changed: the version of its `Connector` now, and notes. Call it at the end. */
  nothingNew?(): { version: string; notes: string[] }
  /** What the source is now, as JSON, for the next import. Call it at the end: it is stored in the transaction of the import. */
  state?(): unknown
  /** Whether the wiki keeps the license that this source has given, if its record has none. */
  keepsLicense?: boolean
  /** The pages in the order of the site, and their paths there; empty: both are unknown. Call it at the end. Absent or undefined: they stay. */
  order?(): readonly PlacedPage[] | undefined
  /** The files that pages may use. Call it at the end. Absent: the source has none. */
  files?(): SourceFiles
  /** Ends what reading has started. Call it when nothing more is read, also after an error. Absent: nothing to end. */
  close?(): Promise<void>
}

/** A page on its site. `position` in the navigation: absent, its place in the list, from 1; null, none; `groupTitles`: those of the groups around it, the outermost first; `navTitle`: its own title there; `sitePath`: in its URL, as `/docs/tea/`, if it is not the path of the page. */
export interface PlacedPage extends PageKey {
  position?: number | null
  groupTitles?: readonly string[]
  navTitle?: string
  sitePath?: string
}

/** The files of a source. Only those are stored that a live page uses; the bytes of the others are never read. */
export interface SourceFiles {
  /** Every file, in any order, without its bytes. A stored file that is not listed is gone. */
  list(): AsyncIterable<SourceFile>
  /** Folders in which a reference that begins with `/` is looked up, such as `static`, in this order. `''` is the root. */
  roots: readonly string[]
}

/** When a file was changed last, and by whom; null if the source does not tell. */
export type LastChange = { modifiedAt: Timestamp | null; author: string | null }

export interface SourceFile extends LastChange {
  /** Language of the file, where the source has files by language; else ''. */
  locale: string
  /** Path from the root of the source, in NFC, such as `docs/images/cup.png`. */
  path: string
  /** A text that changes when the bytes change: the hash of a blob, or size and modification time. */
  version: string
  bytes: number
  /** Finds its last change, for a file that is stored. Absent: `modifiedAt` and `author` are known. */
  lastChange?(): Promise<LastChange>
  /** The bytes; one file after another, each to its end or not. @throws FileLeftOut, or ImportError: then the summary says why */
  open(): AsyncIterable<Buffer>
}

/** All pages of the wiki, or of one language; some pages; or what changed since the stored state, with the pages that are gone. */
type Coverage = 'wiki' | { locale: string } | 'some' | 'changes'

export type CompleteRevision = Omit<RevisionRecord, 'id' | 'categories'> & {
  id: string
  categories: { key: string; sort_key: string }[]
}
export type CompletePage = Omit<ImportedPage, 'revisions'> & { revisions: CompleteRevision[] }

/** Bytes of a revision on its way to the database: its text and its other columns. */
export const revisionBytes = ({ markdown, comment, author, title, categories }: RevisionRecord): number => {
  let bytes =
    byteLength(markdown) + byteLength(comment) + byteLength(author) + byteLength(title) + REVISION_OVERHEAD
  for (const { key, sort_key = title } of categories)
    bytes += byteLength(key) + byteLength(sort_key) + CATEGORY_OVERHEAD
  return bytes
}

/** Bytes of a revision and of a category in addition to their texts: id, time, names of fields. */
const REVISION_OVERHEAD = 100
const CATEGORY_OVERHEAD = 30

/** Revisions of one page that a source collects for a record, within the bounds of a batch. */
export const makeRevisionBatch = (limits: { revisions: number; bytes: number }) => {
  const revisions: RevisionRecord[] = []
  let bytes = 0
  const take = (): RevisionRecord[] => {
    bytes = 0
    return revisions.splice(0)
  }
  return {
    take,
    /** Adds a revision. @returns those before it, which are full; null: it is one more of them */
    add: (revision: RevisionRecord): RevisionRecord[] | null => {
      const own = revisionBytes(revision)
      const isFull = revisions.length >= limits.revisions || bytes + own > limits.bytes
      const full = isFull && revisions.length > 0 ? take() : null
      revisions.push(revision)
      bytes += own
      return full
    },
  }
}
