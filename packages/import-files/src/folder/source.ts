import { hash } from 'node:crypto'
import { UsageError } from '@lectern/wiki/errors'
import { revisionIdOf } from '@lectern/wiki/import/wiki-record'
import { TEXT_BYTES_MAX, TRANSFER_BATCH } from '@lectern/wiki/limits'
import { type ImportedPage, type ImportRecord, type ImportSource, pageKey } from '@lectern/wiki/records'
import type { StoredPage } from '@lectern/wiki/stored-content'
import { parseInstant, type Timestamp, timestampAfter } from '@lectern/wiki/time'
import { hasObsidianComments } from '../files/comments.ts'
import { type FileSourceOptions, wikiRecordOf } from '../files/layouts.ts'
import type { TextMarkup } from '../files/link-markup/markup.ts'
import { asFormerly, type Formerly, withVaults } from '../files/page-files.ts'
import type { FormerVaults } from '../files/recognition/tree.ts'
import {
  addDocumentNotes,
  CategoryNames,
  filePageRecord,
  readContent,
  revisionContent,
  shownPageRecord,
} from '../files/revision-content.ts'
import { importWithHistory } from '../git/repository.ts'
import { parseGitState } from '../git/state.ts'
import {
  type FolderFile,
  folderFiles,
  folderIncludableFiles,
  readFolderFile,
  timestampFromNanoseconds,
  withResults,
} from './files.ts'
import {
  type FolderNotes,
  type FolderPage,
  findFolderContents,
  hasCurrentEditsOnly,
  makeFolderNotes,
} from './pages.ts'
import { FolderRenames, parseFolderState } from './renames.ts'

/**
 * The id of a revision: 48 bits of the digest of its content, others of page, time and content. A content has the same id at the
 * same time only: so the id of the stored revision tells whether it has changed.
 */
const folderRevisionId = ({ locale, path }: FolderPage, digest: string, createdAt: Timestamp): string =>
  revisionIdOf(digest, JSON.stringify([locale, path, createdAt, digest]))

/** When its file was changed; but not in the future, and not before the former revision: then, the time of the import. */
const revisionTime = (modifiedAt: Timestamp, lastAt: Timestamp | null, now: Timestamp): Timestamp => {
  const time = modifiedAt > now ? now : modifiedAt
  if (lastAt === null || time > lastAt) return time
  return now > lastAt ? now : timestampAfter(parseInstant(lastAt)!)
}

/**
 * Reads a folder as a wiki: an import adds a revision to each page whose text differs from its last stored one; without a
 * history, this one takes the place of all that are stored.
 * @throws UsageError if the folder cannot be read or has no page, or an option is invalid
 */
export const openFolderSource = async (path: string, options: FileSourceOptions): Promise<ImportSource> => {
  const openedAt = options.now ?? Date.now()
  let contents = await findFolderContents(path, options)
  const now = timestampFromNanoseconds(BigInt(Math.floor(openedAt)) * 1_000_000n)
  let [done, readingNotes] = [0, makeFolderNotes()]
  let renames = new FolderRenames(undefined, contents.pages, contents.isWhole)
  let [hasNewComments, formerly]: [boolean, Formerly] = [false, { excluded: [] }]
  const read = async function* (): AsyncGenerator<ImportRecord> {
    ;[done, readingNotes] = [0, makeFolderNotes()]
    const state = await options.stored?.().sourceState()
    if (parseGitState(state) && (await importWithHistory(contents.root))) throw new UsageError(HAS_HISTORY)
    const find = (last: FormerVaults) => findFolderContents(path, options, last)
    ;({ content: contents, hasNewComments, formerly } = await asFormerly(contents, state, options, find))
    const { root, pages, defaultLocale, markup, texts, isWhole, declared } = contents
    const includable = new Set(contents.found.flatMap(({ kind, name }) => (kind === 'regular' ? name : [])))
    const former = parseFolderState(state)
    renames = new FolderRenames(former, pages, isWhole)
    const isAgain = former?.texts?.digest !== texts.digest
    const categories = new CategoryNames()
    const livePages = new Map<string, number>()
    for (let start = 0; start < pages.length; start += TRANSFER_BATCH.pages) {
      const batch = pages.slice(start, start + TRANSFER_BATCH.pages)
      const storedPages = (await options.stored?.().storedPages(batch)) ?? []
      const stored = new Map(storedPages.map((one) => [pageKey(one), one]))
      const readFile = ({ content }: FolderPage) => readFolderFile(root, content, TEXT_BYTES_MAX)
      for await (const [page, file] of withResults(batch, readFile)) {
        if (file.reason !== undefined) contents.unreadable.add(page.file)
        const digest = file.bytes && hash('sha256', file.bytes)
        const record = await readPage(page, file, digest, stored.get(pageKey(page)), {
          ...{ markup, now, notes: readingNotes, categories, isAgain },
          files: folderIncludableFiles(root, includable, contents.unreadable),
        })
        done += 1
        if (record?.state === 'live') livePages.set(record.locale, (livePages.get(record.locale) ?? 0) + 1)
        const former = renames.formerPathsOf(page, digest).filter((one) => !declared.has(pageKey(one)))
        const formerPaths = [...former, ...(contents.aliasPaths.get(pageKey(page)) ?? [])]
        if (record !== null) yield { ...record, formerPaths }
      }
    }
    yield* categories.records()
    yield wikiRecordOf(livePages, defaultLocale, { name: contents.name, license: options.license })
  }
  const notes = () => [...contents.notes.lines(), ...readingNotes.lines(), ...contents.files.notes.lines()]
  return {
    records: { [Symbol.asyncIterator]: read },
    progress: () => ({ done, total: contents.pages.length, unit: 'pages' }),
    notes: () => [...(renames.isFirst ? contents.firstNotes : []), ...notes()],
    nothingNew: () => ({ version: settledVersion(contents, openedAt), notes: notes() }),
    newlyHides: () => removedTexts(hasCurrentEditsOnly(options.history), hasNewComments),
    newlyShows: () => contents.index.newlyShown(formerly),
    keepsLicense: true,
    covers: () => (contents.isWhole ? 'wiki' : 'some'),
    state: () => withVaults(renames.state(contents.texts), contents, options),
    order: () => contents.order,
    files: () => folderFiles(contents.root, contents.found, contents.files),
    get recognition() {
      return contents.message
    },
  }
}

/** As `newlyHides` of a source. */
const removedTexts = (isCurrentOnly: boolean, hasNewComments: boolean) => {
  const hides = hasNewComments ? hasObsidianComments : undefined
  return isCurrentOnly ? (text: string, isReplaced: boolean) => isReplaced || hides?.(text) === true : hides
}

/** Empty if something could not be read, or may change again in the two seconds that some file systems do not tell apart: the next import tries again. */
const settledVersion = (
  { version, modifiedAt, isWhole, unreadable }: Awaited<ReturnType<typeof findFolderContents>>,
  openedAt: number,
) => (isWhole && unreadable.size === 0 && modifiedAt < openedAt - 2_000 ? version : '')

/** Edits of the folder would be mixed with those of the history. */
const HAS_HISTORY =
  'This source was imported from a git repository, and the folder is in one. Name the folder that contains .git instead. ' +
  'If the folder is another source, give it a name with --source, such as --source notes.'

interface Conversion {
  markup: TextMarkup
  now: Timestamp
  notes: FolderNotes
  categories: CategoryNames
  files: ReturnType<typeof folderIncludableFiles>
  isAgain: boolean
}

/** @returns the record of a page; null if its file cannot be read, and the page is not stored */
const readPage = async (
  page: FolderPage,
  file: FolderFile,
  fileDigest: string | null,
  stored: StoredPage | undefined,
  { markup, now, notes, categories, files, isAgain }: Conversion,
): Promise<ImportedPage | null> => {
  if (file.reason !== undefined) {
    notes.add('unreadable file', `${file.reason}: ${page.file}`)
    // The page stays as it is: public only if it was.
    return stored === undefined ? null : filePageRecord(page, stored.liveId === null ? 'draft' : 'live')
  }
  const document = await readContent(file.bytes, page.content, page, markup, files)
  addDocumentNotes(document, page.file, notes)
  const record = shownPageRecord(page, document, markup, notes)
  if (fileDigest === null || document.isTooLong) return record
  // Another text of an included file, or another title in the navigation, is an edit, too.
  const title = markup.titles.get(pageKey(page)) ?? ''
  const around = (document.includedDigest ?? '') + (title === '' ? '' : ` ${title}`)
  const version = around === '' ? fileDigest : hash('sha256', fileDigest + around)
  const isLast = stored?.lastAt != null && stored.lastId === folderRevisionId(page, version, stored.lastAt)
  const modifiedAt = files.modifiedAt > file.modifiedAt ? files.modifiedAt : file.modifiedAt
  if (modifiedAt > now) notes.add('future', page.file)
  const createdAt = isLast ? stored.lastAt! : revisionTime(modifiedAt, stored?.lastAt ?? null, now)
  const id = folderRevisionId(page, version, createdAt)
  if (record.state === 'live') categories.add(page.locale, { id, createdAt }, document.tags)
  // Guests have not seen the last revision of a page that was hidden until a date.
  const appears = record.state === 'live' && stored?.liveId === null
  if (isLast && !isAgain && !appears) return { ...record, unreadRevisions: [id] }
  const content = revisionContent(document, page.file, page, markup)
  return { ...record, revisions: [{ id, created_at: createdAt, author: '', comment: '', ...content }] }
}
