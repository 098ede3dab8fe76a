import { join } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import type { ImportRecord, ImportSource } from '@lectern/wiki/records'
import { quote } from '@lectern/wiki/text'
import { hasObsidianComments } from '../files/comments.ts'
import {
  extensionsText,
  type FileSourceOptions,
  historyOf,
  refuseUnusedLayouts,
  wikiRecordOf,
} from '../files/layouts.ts'
import { makeGitNotes } from '../files/notes.ts'
import { asFormerly, type Formerly, recognizePages, withVaults } from '../files/page-files.ts'
import { findPages } from '../files/page-index.ts'
import type { FormerVaults } from '../files/recognition/tree.ts'
import { findUsableFiles } from '../source-files/usable-files.ts'
import type { ReadingContext } from './history.ts'
import { IncludableBlobs } from './includable-blobs.ts'
import { makeLastChanges } from './last-changes.ts'
import { timeOf } from './log.ts'
import type { FetchProgress } from './process.ts'
import { readAll } from './reading.ts'
import { commitOf, commitVersion, openRepository, type Repository, readTree } from './repository.ts'
import { GitRun, type RunOptions } from './run.ts'
import { gitFiles } from './source-files.ts'
import { digestsOf } from './state.ts'

export interface GitOptions extends FileSourceOptions, RunOptions {
  ref?: string
  /** False: no revision has the message of its commit. */
  messages?: boolean
  /** Folder for clones of remote repositories. Default: `.lectern/sources`. */
  sourcesFolder?: string
  onFetchProgress?: (progress: FetchProgress) => void
}

/**
 * Reads a git repository as a wiki: files that match a layout are pages, and each commit that changes one is a revision. Nothing is
 * checked out; a URL is fetched into a clone. This function reads the tree of the commit, the records read the history and the texts:
 * with the state of an earlier import, only what changed.
 * @throws UsageError if the location is not a repository, the ref is unknown, or a layout is invalid or matches no file
 */
export const openGitSource = async (location: string, options: GitOptions): Promise<ImportSource> => {
  const repository = await openRepository(location, {
    sourcesFolder: options.sourcesFolder ?? join('.lectern', 'sources'),
    onProgress: options.onFetchProgress,
  })
  const close = () => repository.processes.stop()
  let content = await findContent(repository, options).catch(async (error) => {
    await close()
    throw error
  })
  let run = new GitRun(content, options)
  let [hasNewComments, formerly]: [boolean, Formerly] = [false, { excluded: [] }]
  const read = async function* (): AsyncGenerator<ImportRecord> {
    const state = await options.stored?.().sourceState()
    const find = (last: FormerVaults) => findContent(repository, options, last)
    ;({ content, hasNewComments, formerly } = await asFormerly(content, state, options, find))
    run = new GitRun(content, { ...options, readsAgain: hasNewComments })
    yield* run.records()
    yield wikiRecordOf(run.livePages, content.defaultLocale, { name: content.name, license: options.license })
  }
  const showsHistory = () =>
    formerly.isFirst &&
    options.history === undefined &&
    content.linkMarkup === 'obsidian' &&
    !repository.isShallow
  const notes = () => [...content.notes.lines(), ...run.notes.lines(), ...content.files.notes.lines()]
  return {
    records: { [Symbol.asyncIterator]: read },
    progress: () => run.progress(),
    notes: () => [...(showsHistory() ? [PUBLIC_HISTORY] : []), ...notes()],
    nothingNew: () => ({
      version: commitVersion(repository, content.head),
      notes: run.hasAll ? notes() : [...content.notes.lines(), ...content.files.notes.lines()],
    }),
    newlyHides: () => (hasNewComments ? hasObsidianComments : undefined),
    replacesEdits: () => formerly.hasRelease === true,
    newlyShows: () => content.index.newlyShown(formerly),
    keepsLicense: true,
    covers: () => (run.hasAll ? 'wiki' : 'changes'),
    state: () => withVaults(run.state(), content, options),
    order: () => content.order,
    files: () => gitFiles(content, content.files),
    get recognition() {
      return content.message
    },
    close,
  }
}

/** Who publishes a vault may think of its notes as they are now. */
const PUBLIC_HISTORY =
  'WARNING: earlier edits of the notes are public, too, and the messages of their commits; --history none and --no-messages leave them out'

const findContent = async (repository: Repository, options: GitOptions, former?: FormerVaults) => {
  const since = historyOf(options.history)
  const head = await commitOf(repository, options.ref ?? 'HEAD')
  const tree = await readTree(repository, head)
  const pageFiles = await recognizePages(tree, options, repository.name, former)
  const { content, layouts, markup, name } = pageFiles
  const notes = makeGitNotes()
  if (repository.isShallow) notes.add('shallow')
  let mailmap: string | null = null
  for (const { name, kind, content: hash } of tree.entries()) {
    if (name === '.mailmap') mailmap = hash
    if (kind === 'submodule') notes.add('submodule', name)
  }
  const found = await findPages(tree, pageFiles, notes, options.license ?? options.wikiLicense)
  const pages = { ...found, tree, mailmap, hasMessages: options.messages ?? true }
  const includable = new IncludableBlobs(repository, content.includes)
  const files = findUsableFiles(tree, pageFiles)
  const lastChanges = makeLastChanges({ repository, head, tree }, files.isFile)
  const beginsWithImport = since === 'none'
  const history = { beginsWithImport, from: beginsWithImport ? await timeOf(repository, head) : since }
  const context = { ...pages, ...history, repository, head, layouts, notes, includable, lastChanges }
  await refuseUnused(context, options)
  return {
    ...content,
    ...context,
    titlesAt: async (commit: string) => {
      const hash = await repository.objects.commit(commit)
      return hash === null ? null : content.readTitles(await readTree(repository, hash))
    },
    ...{ markup, name },
    digests: digestsOf(content, pages, markup),
    files,
  }
}

/** Reads the history if a layout matches no file at the ref: it may match one that was deleted. */
const refuseUnused = async (context: ReadingContext, { layouts: chosen, ref = 'HEAD' }: GitOptions) => {
  const { index, samples, tree } = context
  const isUnused = ({ size }: ReadonlySet<number>) => size < Math.max(1, chosen.length)
  if (!isUnused(index.usedLayouts())) return
  await readAll({ ...context, notes: makeGitNotes() })
  const used = index.usedLayouts()
  if (chosen.length > 0) refuseUnusedLayouts(chosen, used, samples, 'The repository')
  if (!isUnused(used)) return
  const names = Array.from(tree.files(), ({ name }) => name)
  const instead = names.length === 0 ? 'no files' : extensionsText(names)
  throw new UsageError(
    `The repository contains no Markdown files (.md, .mdx, .markdown, …) at ${quote(ref)}. It has ${instead}. ` +
      'If they are on another branch, set --ref. If they have another extension, set --layout.',
  )
}
