import { join } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import type { ImportRecord, ImportSource } from '@lectern/wiki/records'
import type { StoredContentQueries } from '@lectern/wiki/stored-content'
import { quote } from '@lectern/wiki/text'
import { caseClashes } from '../files/file-tree.ts'
import {
  chosenLocaleOf,
  extensionsText,
  type FileSourceOptions,
  parseLayout,
  refuseUnusedLayouts,
  wikiRecordOf,
} from '../files/layouts.ts'
import { openMarkup } from '../files/link-markup/markup.ts'
import { chosenContent, recognizeFiles } from '../files/recognition/recognize.ts'
import { FileListNotes } from '../source-files/file-list.ts'
import { type FileRules, findFileRules } from '../source-files/file-rules.ts'
import type { ReadingContext } from './history.ts'
import { commitTree } from './objects.ts'
import { filesInTree, GitNotes, readHeadTree } from './page-index.ts'
import { readAll } from './reading.ts'
import type { FetchProgress } from './remote/clone.ts'
import { commitOf, openRepository } from './repository.ts'
import { type GitContent, GitRun } from './run.ts'
import { gitFiles } from './source-files.ts'
import { digestsOf } from './state.ts'

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

/**
 * Reads a git repository of Markdown files as a wiki. Files that match a layout are pages, and each commit that changes
 * the content of such a file is a revision. Nothing is checked out, and the repository in a folder is never changed. The
 * repository of a URL is fetched into a clone in the sources folder. This function reads the tree of the commit; the
 * records read the history and the texts, page by page. With the state of an earlier import, they are only what changed.
 * @param location a folder, or a URL
 * @throws UsageError if the location is not a repository, the ref is unknown, or a layout is invalid or matches no file
 */
export const openGitSource = async (location: string, options: GitOptions): Promise<ImportSource> => {
  const content = await findContent(location, options)
  const { repository, locale, notes, files } = content
  const naming = { name: options.name ?? repository.name, license: options.license }
  const wikiOf = (livePages: ReadonlyMap<string, number>) => wikiRecordOf(livePages, locale, naming)
  wikiOf(new Map()) // refuses invalid options before anything is read
  let run = new GitRun(content, options)
  const read = async function* (): AsyncGenerator<ImportRecord> {
    run = new GitRun(content, options)
    yield* run.records()
    yield wikiOf(run.livePages)
  }
  return {
    records: { [Symbol.asyncIterator]: read },
    progress: () => run.progress(),
    notes: () => [...notes.lines(), ...run.notes.lines(), ...files.notes.lines()],
    covers: () => (run.hasAll ? 'wiki' : 'changes'),
    state: () => run.state(),
    files: () => gitFiles(repository, content.head, files),
    recognition: content.recognition,
  }
}

/** Finds the pages of a repository, without their history and texts. */
const findContent = async (
  location: string,
  options: GitOptions,
): Promise<GitContent & { files: { rules: FileRules; notes: FileListNotes } }> => {
  const chosenLocale = chosenLocaleOf(options)
  for (const text of options.layouts) parseLayout(text, 'en') // refuses an invalid layout before anything is read
  const repository = await openRepository(location, {
    sourcesFolder: options.sourcesFolder ?? join('.lectern', 'sources'),
    onProgress: options.onFetchProgress,
  })
  const head = await commitOf(repository, options.ref ?? 'HEAD')
  const isChosen = options.layouts.length > 0
  const files = commitTree(repository, head)
  const content = isChosen
    ? await chosenContent(files, options.layouts, chosenLocale)
    : await recognizeFiles(files, chosenLocale)
  const layouts = content.layouts.map((text) => parseLayout(text, content.defaultLocale))
  const notes = new GitNotes()
  if (repository.isShallow) notes.add('shallow')
  const tree = await readHeadTree(repository, head, { ...content, layouts }, notes)
  const context = { repository, head, layouts, tree, notes }
  await refuseUnused(context, options)
  const current = await filesInTree(repository, head, tree, () => true)
  for (const clash of caseClashes([...current.values()].map(([first]) => first!.file.name)))
    notes.add('case', clash.join(', '))
  const markup = await openMarkup(files, { ...content, layouts, wikitext: options.wikitext })
  const recognition = isChosen ? null : content.message
  const digests = digestsOf(content, tree, markup)
  const rules = await findFileRules(files, { ...content, layouts })
  const sourceFiles = { rules, notes: new FileListNotes() }
  return { ...context, locale: content.defaultLocale, markup, digests, recognition, files: sourceFiles }
}

/** Reads the history if a layout matches no file at the ref: it may match one that was deleted. */
const refuseUnused = async (context: ReadingContext, { layouts: chosen, ref }: GitOptions): Promise<void> => {
  const {
    layouts,
    tree: { index, samples },
  } = context
  const countFiles = () => {
    const files = index.pages().flatMap((page) => page.files)
    return layouts.map((_, layout) => files.filter((file) => file.layout === layout).length)
  }
  const isUnused = (counts: number[]) =>
    chosen.length > 0 ? counts.includes(0) : counts.every((count) => count === 0)
  if (!isUnused(countFiles())) return
  await readAll({ ...context, notes: new GitNotes() })
  const filesOfLayout = countFiles()
  if (chosen.length > 0) refuseUnusedLayouts(chosen, { filesOfLayout, samples }, 'The repository')
  else if (isUnused(filesOfLayout)) throw await noMarkdown(context, ref)
}

const noMarkdown = async ({ repository, head }: ReadingContext, ref = 'HEAD'): Promise<UsageError> => {
  const names: string[] = []
  await commitTree(repository, head).eachFile(({ name }) => names.push(name))
  const instead = names.length === 0 ? 'no files' : extensionsText(names)
  return new UsageError(
    `The repository contains no Markdown files (.md, .mdx, .markdown, …) at ${quote(ref)}. It has ${instead}. ` +
      'If they are on another branch, set --ref. If they have another extension, set --layout.',
  )
}
