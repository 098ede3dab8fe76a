import { join } from 'node:path'
import { UsageError } from '../../errors.ts'
import { quote } from '../../wiki/text.ts'
import type { ImportRecord, ImportSource, StoredContentQueries } from '../../write/records.ts'
import { CategoryNames } from '../files/category-names.ts'
import { parseLayout } from '../files/layouts.ts'
import { openMarkup, type TextMarkup } from '../files/link-markup/markup.ts'
import {
  chosenLocaleOf,
  type FileSourceOptions,
  refuseUnusedLayouts,
  wikiRecordOf,
} from '../files/options.ts'
import { chosenContent, recognizeFiles } from '../files/recognition/recognize.ts'
import { commitTree } from './commit-tree.ts'
import { GitNotes } from './notes.ts'
import { type FoundPages, findPages, type GitPage } from './pages.ts'
import { readPages } from './records.ts'
import type { FetchProgress } from './remote/clone.ts'
import { commitOf, openRepository, type Repository } from './repository.ts'
import { knownRevisionsOf } from './stored.ts'

export interface GitOptions extends FileSourceOptions {
  /** Branch, tag or commit. Default: HEAD. */
  ref?: string
  /** Folder for clones of remote repositories. Default: `.lectern/sources`. */
  sourcesFolder?: string
  /** Called while a remote repository is fetched. */
  onFetchProgress?: (progress: FetchProgress) => void
  /** Queries for the content of the wiki, while records are read: texts of stored revisions are not read again. */
  stored?: () => StoredContentQueries
  /** Whether stored revisions that are not in the history stay; notes then name their pages. */
  keepsMissing?: boolean
}

interface GitSource extends ImportSource {
  /** What the repository was recognized as, as one line for the user; null if the user has set layouts. */
  recognition: string | null
}

/** Revisions of a batch of pages, at least. Each batch takes one query of stored revisions and one run of git. */
const BATCH_REVISIONS = 1000

/**
 * Reads a git repository of Markdown files as a wiki. Files that match a layout are pages, and each commit that changes
 * the content of such a file is a revision. Nothing is checked out, and the repository in a folder is never changed. The
 * repository of a URL is fetched into a clone in the sources folder. This function reads the tree and
 * the history; the records read the texts, page by page.
 * @param location a folder, or a URL
 * @throws UsageError if the location is not a repository, the ref is unknown, or a layout is invalid or matches no file
 */
export const openGitSource = async (location: string, options: GitOptions): Promise<GitSource> => {
  const { repository, locale, found, markup, notes, recognition } = await findContent(location, options)
  const naming = { name: options.name ?? repository.name, license: options.license }
  wikiRecordOf(new Map(), locale, naming) // refuses invalid options before anything is read
  const total = found.pages.reduce((sum, page) => sum + page.revisions.length, 0)
  let done = 0
  let readingNotes = new GitNotes()
  const read = async function* (): AsyncGenerator<ImportRecord> {
    done = 0
    readingNotes = new GitNotes()
    const categories = new CategoryNames()
    const livePages = new Map<string, number>()
    for (const batch of batchesOf(found.pages)) {
      const known = await knownRevisionsOf(
        batch,
        options.stored?.(),
        options.keepsMissing ? readingNotes : null,
      )
      const doneBefore = done
      let completed = 0
      const chunks = readPages(repository, batch, known, { notes: readingNotes, markup })
      for await (const { page, record, revisionsSoFar, published } of chunks) {
        if (published) {
          categories.add(page.locale, published.revision, published.tags)
          livePages.set(page.locale, (livePages.get(page.locale) ?? 0) + 1)
        }
        done = doneBefore + completed + revisionsSoFar
        if (published !== undefined) completed += page.revisions.length
        yield record
      }
    }
    yield* categories.records()
    yield wikiRecordOf(livePages, locale, naming)
  }
  return {
    records: { [Symbol.asyncIterator]: read },
    progress: () => ({ done, total, unit: 'edits' }),
    notes: () => [...notes.lines(), ...readingNotes.lines()],
    // An id identifies the commit and the file. The layouts decide which page the file is. (D74)
    moves: true,
    covers: () => 'wiki',
    recognition,
  }
}

interface Content {
  repository: Repository
  /** The language of pages whose layout names none. */
  locale: string
  found: FoundPages
  markup: TextMarkup
  notes: GitNotes
  recognition: string | null
}

/** Finds the pages of a repository, without their texts. */
const findContent = async (location: string, options: GitOptions): Promise<Content> => {
  const chosenLocale = chosenLocaleOf(options)
  for (const text of options.layouts) parseLayout(text, 'en') // refuses an invalid layout before anything is read
  const repository = await openRepository(location, {
    sourcesFolder: options.sourcesFolder ?? join('.lectern', 'sources'),
    onProgress: options.onFetchProgress,
  })
  const head = await commitOf(repository, options.ref ?? 'HEAD')
  const isChosen = options.layouts.length > 0
  const tree = commitTree(repository, head)
  const content = isChosen
    ? chosenContent(options.layouts, chosenLocale)
    : await recognizeFiles(tree, chosenLocale)
  const layouts = content.layouts.map((text) => parseLayout(text, content.defaultLocale))
  const notes = new GitNotes()
  if (repository.isShallow) notes.add('shallow')
  const found = await findPages(repository, head, { ...content, layouts }, notes)
  if (isChosen) refuseUnusedLayouts(options.layouts, found, 'The repository')
  else if (found.pages.length === 0) throw noMarkdown(options.ref)
  const pages = found.pages.map(({ locale, path, head }) => ({
    locale,
    path,
    current: head && { file: head.file, content: head.blob },
  }))
  const markup = await openMarkup(tree, content, pages)
  const recognition = isChosen ? null : content.message
  return { repository, locale: content.defaultLocale, found, markup, notes, recognition }
}

const noMarkdown = (ref = 'HEAD'): UsageError =>
  new UsageError(
    `The repository contains no Markdown files (.md, .mdx, .markdown, …) at ${quote(ref)}. ` +
      'If they are on another branch, set --ref. If they have another extension, set --layout.',
  )

function* batchesOf(pages: GitPage[]): Generator<GitPage[]> {
  let batch: GitPage[] = []
  let revisions = 0
  for (const page of pages) {
    batch.push(page)
    revisions += page.revisions.length
    if (revisions < BATCH_REVISIONS) continue
    yield batch
    batch = []
    revisions = 0
  }
  if (batch.length > 0) yield batch
}
