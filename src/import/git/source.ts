import { join } from 'node:path'
import { UsageError } from '../../errors.ts'
import { FIELD_BYTES_MAX } from '../../limits.ts'
import { ownName, parseSourceLocale } from '../../wiki/locales.ts'
import { quote } from '../../wiki/text.ts'
import type { StoredContentQueries } from '../../write/records.ts'
import { type ImportRecord, type ImportSource, type WikiRecord, wikiRecord } from '../../write/records.ts'
import { toSingleLine } from '../single-line.ts'
import { filesInTree, readHeadTree } from './head-tree.ts'
import type { ReadingContext } from './history-reading.ts'
import { parseLayout } from './layouts.ts'
import { openMarkup } from './link-markup/markup.ts'
import { GitNotes } from './notes.ts'
import { pageKey } from './page-index.ts'
import { headText } from './pages.ts'
import { readAll } from './reading.ts'
import { chosenContent, recognizeRepository } from './recognition/recognize.ts'
import type { FetchProgress } from './remote/clone.ts'
import { commitOf, openRepository, type Repository } from './repository.ts'
import { type GitContent, GitRun } from './run.ts'
import { digestsOf } from './state.ts'

export interface GitOptions {
  /** Layouts of pages; the first match counts: `pages/{locale}/{path}.md`, `{path}.md@en`. Empty: recognized. */
  layouts: string[]
  /** Branch, tag or commit. Default: HEAD. */
  ref?: string
  /** Language of files whose layout sets none. Default: as recognized, or en. */
  defaultLocale?: string
  /** Default: the name of the repository's folder. */
  name?: string
  /** Folder for clones of remote repositories. Default: `.lectern/sources`. */
  sourcesFolder?: string
  /** Called while a remote repository is fetched. */
  onFetchProgress?: (progress: FetchProgress) => void
  /** URL of the license, http or https. */
  license?: string
  /** Queries for the content of the wiki, while records are read: texts of stored revisions are not read again. */
  stored?: () => StoredContentQueries
  /** Whether stored revisions that are not in the history stay; notes then name their pages. */
  keepsMissing?: boolean
}

interface GitSource extends ImportSource {
  /** What the repository was recognized as, as one line for the user; null if the user has set layouts. */
  recognition: string | null
}

/**
 * Reads a git repository of Markdown files as a wiki. Files that match a layout are pages, and each commit that changes
 * the content of such a file is a revision. Nothing is checked out, and the repository in a folder is never changed. The
 * repository of a URL is fetched into a clone in the sources folder. This function reads the tree of the commit; the
 * records read the history and the texts, page by page. With the state of an earlier import, they are only what changed.
 * @param location a folder, or a URL
 * @throws UsageError if the location is not a repository, the ref is unknown, or a layout is invalid or matches no file
 */
export const openGitSource = async (location: string, options: GitOptions): Promise<GitSource> => {
  const content = await findContent(location, options)
  const { repository, locale, notes } = content
  const wikiOf = (livePages: ReadonlyMap<string, number>) =>
    wikiRecordOf(repository, livePages, locale, options)
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
    notes: () => [...notes.lines(), ...run.notes.lines()],
    // An id identifies the commit and the file. The layouts decide which page the file is. (D74)
    moves: true,
    covers: () => (run.hasAll ? 'wiki' : 'changes'),
    state: () => run.state(),
    recognition: content.recognition,
  }
}

/** Finds the pages of a repository, without their history and texts. */
const findContent = async (location: string, options: GitOptions): Promise<GitContent> => {
  const chosenLocale = chosenLocaleOf(options)
  for (const text of options.layouts) parseLayout(text, 'en') // refuses an invalid layout before anything is read
  const repository = await openRepository(location, {
    sourcesFolder: options.sourcesFolder ?? join('.lectern', 'sources'),
    onProgress: options.onFetchProgress,
  })
  const head = await commitOf(repository, options.ref ?? 'HEAD')
  const isChosen = options.layouts.length > 0
  const content = isChosen
    ? chosenContent(options.layouts, chosenLocale)
    : await recognizeRepository(repository, head, chosenLocale)
  const layouts = content.layouts.map((text) => parseLayout(text, content.defaultLocale))
  const notes = new GitNotes()
  if (repository.isShallow) notes.add('shallow')
  const tree = await readHeadTree(repository, head, { ...content, layouts }, notes)
  const context = { repository, head, layouts, tree, notes }
  await refuseUnusedLayouts(context, options)
  const markup = await openMarkup(repository, head, content, await currentPages(context, content.linkMarkup))
  const recognition = isChosen ? null : content.message
  const digests = digestsOf(content, tree, markup)
  return { ...context, locale: content.defaultLocale, markup, digests, recognition }
}

/** The pages at the ref, whose names the markup needs. */
const currentPages = async ({ repository, head, tree: { index } }: ReadingContext, markup: string) => {
  if (markup === 'markdown') return []
  const files = await filesInTree(repository, head, index, () => true)
  return index
    .pages()
    .map(({ locale, path, index }) => ({ locale, path, head: headText(files.get(index)?.[0] ?? null) }))
    .sort((a, b) => (pageKey(a) < pageKey(b) ? -1 : 1))
}

const chosenLocaleOf = ({ defaultLocale }: GitOptions): string | undefined => {
  if (defaultLocale === undefined) return undefined
  const locale = parseSourceLocale(defaultLocale)
  if (locale !== null) return locale
  throw new UsageError(`${quote(defaultLocale)} is not a locale code. Use a code such as en or pt-br.`)
}

/** Reads the history if a layout matches no file at the ref: it may match one that was deleted. */
const refuseUnusedLayouts = async (
  context: ReadingContext,
  { layouts: chosen, ref = 'HEAD' }: GitOptions,
): Promise<void> => {
  const { index, samples } = context.tree
  const unusedLayout = () => {
    const used = new Set(index.pages().flatMap(({ files }) => files.map(({ layout }) => layout)))
    return chosen.length === 0 ? (used.size > 0 ? -1 : 0) : chosen.findIndex((_, layout) => !used.has(layout))
  }
  if (unusedLayout() === -1) return
  await readAll({ ...context, notes: new GitNotes() })
  const unused = unusedLayout()
  if (unused === -1) return
  if (chosen.length === 0) {
    throw new UsageError(
      `The repository contains no Markdown files (.md, .mdx, .markdown, …) at ${quote(ref)}. ` +
        'If they are on another branch, set --ref. If they have another extension, set --layout.',
    )
  }
  const examples =
    samples.length > 0 ? ` The repository has files such as ${samples.map(quote).join(', ')}` : ''
  throw new UsageError(
    `The layout ${quote(chosen[unused]!)} matches no file${chosen.length > 1 ? ' that no layout before it matches' : ''}.${examples}`,
  )
}

/**
 * The wiki record. Its languages are those with pages that guests see, so it is known only after all pages are read.
 * @param livePages number of live pages by language
 */
const wikiRecordOf = (
  repository: Repository,
  livePages: ReadonlyMap<string, number>,
  defaultLocale: string,
  options: GitOptions,
): WikiRecord => {
  const locales = livePages.size === 0 ? [defaultLocale] : [...livePages.keys()].sort()
  const largest = [...locales].sort((a, b) => (livePages.get(b) ?? 0) - (livePages.get(a) ?? 0))[0]
  const parsed = wikiRecord.safeParse({
    type: 'wiki',
    name: toSingleLine(options.name ?? repository.name, FIELD_BYTES_MAX.title),
    default_locale: [defaultLocale, 'en'].find((locale) => locales.includes(locale)) ?? largest,
    license: options.license,
    locales: locales.map((locale) => ({ locale, name: ownName(locale) })),
  })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new UsageError(`${issue.path.join('.')}: ${issue.message}`)
}
