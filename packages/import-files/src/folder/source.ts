import { createHash } from 'node:crypto'
import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { type ImportedPage, type ImportRecord, type ImportSource, pageKey } from '@lectern/wiki/records'
import type { StoredContentQueries, StoredPage } from '@lectern/wiki/stored-content'
import { nfc } from '@lectern/wiki/text'
import { parseInstant, type Timestamp, timestampAfter, timestampFromInstant } from '@lectern/wiki/time'
import { type FileSourceOptions, wikiRecordOf } from '../files/layouts.ts'
import type { TextMarkup } from '../files/link-markup/markup.ts'
import {
  addDocumentNotes,
  aliasesOf,
  CategoryNames,
  readContent,
  revisionContent,
  tagsForGuests,
} from '../files/revision-content.ts'
import { type FileVersion, readFolderFile, type UnreadableFile } from './files.ts'
import { FolderNotes, type FolderPage, findFolderContents } from './pages.ts'
import { FolderRenames } from './renames.ts'
import { folderFiles } from './source-files.ts'

/** What identifies the revision of a page in a folder. */
interface RevisionOfFolder {
  locale: string
  path: string
  /** SHA-256 of the content of the file, in hexadecimal. */
  digest: string
  createdAt: Timestamp
}

/**
 * The id of a revision of a page in a folder: a UUID of version 8. Its first 48 bits are from the digest of the content,
 * its other 74 free bits from SHA-256 over page, time and content. A content has the same id at the same time only, so
 * the id of the stored revision tells whether the content has changed since. (D98)
 * @see RFC 9562, 5.8
 */
export const folderRevisionId = ({ locale, path, digest, createdAt }: RevisionOfFolder): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify([locale, path, createdAt, digest]))
    .digest('hex')
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}

/**
 * When a revision was created: when its file was changed. But it is not in the future, and it is later than the former
 * revision: then it gets the time of the import.
 * @param lastAt time of the former revision; null if there is none
 */
export const revisionTime = (modifiedAt: Timestamp, lastAt: Timestamp | null, now: Timestamp): Timestamp => {
  const time = modifiedAt > now ? now : modifiedAt
  if (lastAt === null || time > lastAt) return time
  return now > lastAt ? now : timestampAfter(parseInstant(lastAt)!)
}

export interface FolderOptions extends FileSourceOptions {
  /** Queries for the content of the wiki, while records are read: they tell which texts are new. */
  stored?: () => StoredContentQueries
  /** The time of the import, in milliseconds since 1970. Default: now. */
  now?: number
}

/** Pages of one query for stored pages, and files that are read at a time. */
const BATCH = { pages: 500, files: 8 } as const

/**
 * Reads a folder of Markdown files as a wiki. The folder has no history: an import adds one revision to each page whose
 * text differs from its last stored revision. (D98)
 * @throws UsageError if the folder cannot be read or has no page, or an option is invalid
 */
export const openFolderSource = async (path: string, options: FolderOptions): Promise<ImportSource> => {
  const contents = await findFolderContents(path, options)
  const { pages, locale, notes } = contents
  const naming = { name: options.name ?? contents.name, license: options.license }
  wikiRecordOf(new Map(), locale, naming) // refuses invalid options before anything is read
  const now = timestampOf(options.now ?? Date.now())
  let done = 0
  let readingNotes = new FolderNotes()
  let renames = new FolderRenames(null, pages, contents.isWhole)
  const read = async function* (): AsyncGenerator<ImportRecord> {
    done = 0
    readingNotes = new FolderNotes()
    renames = new FolderRenames(await options.stored?.().sourceState(), pages, contents.isWhole)
    const categories = new CategoryNames()
    const livePages = new Map<string, number>()
    for (let start = 0; start < pages.length; start += BATCH.pages) {
      const batch = pages.slice(start, start + BATCH.pages)
      const stored = new Map(
        ((await options.stored?.().storedPages(batch)) ?? []).map((one) => [pageKey(one), one]),
      )
      const converter = new PageConverter(contents.markup, stored, now, readingNotes, categories)
      for (let from = 0; from < batch.length; from += BATCH.files) {
        const some = batch.slice(from, from + BATCH.files)
        const files = await Promise.all(
          some.map(({ content }) => readFolderFile(contents.root, content, TEXT_BYTES_MAX)),
        )
        for (const [i, page] of some.entries()) {
          const digest = digestOf(files[i]!)
          const record = await converter.convert(page, files[i]!, digest)
          done += 1
          if (record?.state === 'live') livePages.set(record.locale, (livePages.get(record.locale) ?? 0) + 1)
          if (record !== null) yield { ...record, formerPaths: renames.formerPathsOf(page, digest) }
        }
      }
    }
    yield* categories.records()
    yield wikiRecordOf(livePages, locale, naming)
  }
  return {
    records: { [Symbol.asyncIterator]: read },
    progress: () => ({ done, total: pages.length, unit: 'pages' }),
    notes: () => [...notes.lines(), ...readingNotes.lines(), ...contents.files.notes.lines()],
    covers: () => (contents.isWhole ? 'wiki' : 'some'),
    state: () => renames.state(),
    files: () => folderFiles(contents.root, contents.found, contents.files),
    recognition: contents.recognition,
  }
}

const timestampOf = (ms: number): Timestamp =>
  timestampFromInstant({
    seconds: Math.floor(ms / 1000),
    fraction: String(Math.floor(ms) % 1000).padStart(3, '0'),
  })

/** SHA-256 of the content of a file, in hexadecimal; null if the content is unknown or too long. */
const digestOf = (file: FileVersion | UnreadableFile): string | null =>
  'reason' in file || file.bytes === null ? null : createHash('sha256').update(file.bytes).digest('hex')

/** Converts pages to records. */
class PageConverter {
  readonly #markup: TextMarkup
  readonly #stored: ReadonlyMap<string, StoredPage>
  readonly #now: Timestamp
  readonly #notes: FolderNotes
  readonly #categories: CategoryNames

  constructor(
    markup: TextMarkup,
    stored: ReadonlyMap<string, StoredPage>,
    now: Timestamp,
    notes: FolderNotes,
    categories: CategoryNames,
  ) {
    this.#markup = markup
    this.#stored = stored
    this.#now = now
    this.#notes = notes
    this.#categories = categories
  }

  /** @returns null if the file cannot be read, and the page is not stored */
  async convert(
    page: FolderPage,
    file: FileVersion | UnreadableFile,
    digest: string | null,
  ): Promise<ImportedPage | null> {
    const stored = this.#stored.get(pageKey(page))
    if ('reason' in file) {
      this.#notes.add('unreadable file', `${file.reason}: ${page.file}`)
      // The page stays as it is: public only if it was.
      return stored === undefined ? null : recordOf(page, stored.liveId === null ? 'draft' : 'live')
    }
    const document = await readContent(file.bytes, page.content, page, this.#markup)
    addDocumentNotes(document, page.file, this.#notes)
    if (document.isLfsPointer) this.#notes.add('LFS pointer', page.file)
    // If the text is too long, the page is hidden. It does not show an older text instead. (D70)
    if (digest === null || document.isTooLong) {
      this.#notes.add('too long now', page.file)
      return recordOf(page, 'draft')
    }
    const { locale, path } = page
    const revisionAt = (createdAt: Timestamp) => ({
      id: folderRevisionId({ locale, path, digest, createdAt }),
      createdAt,
    })
    const last = stored?.lastAt == null ? null : revisionAt(stored.lastAt)
    const isStored = last !== null && last.id === stored?.lastId
    if (file.modifiedAt > this.#now) this.#notes.add('future', page.file)
    const revision = isStored
      ? last
      : revisionAt(revisionTime(file.modifiedAt, last?.createdAt ?? null, this.#now))
    const tags = tagsForGuests(document)
    if (tags !== null) this.#categories.add(locale, revision, tags)
    const aliases = aliasesOf(document, this.#markup)
    const record = { ...recordOf(page, tags === null ? 'draft' : 'live'), aliases }
    if (isStored) return { ...record, unreadRevisions: [revision.id] }
    const content = revisionContent(document, page.file, page, this.#markup)
    const { id, createdAt } = revision
    return { ...record, revisions: [{ id, created_at: createdAt, author: '', comment: '', ...content }] }
  }
}

const recordOf = (
  { locale, path, hasTranslations, file }: FolderPage,
  state: 'live' | 'draft',
): ImportedPage => ({
  type: 'page',
  locale,
  path,
  state,
  ...(hasTranslations ? { translation_group: path } : {}),
  revisions: [],
  sourcePath: nfc(file),
})
