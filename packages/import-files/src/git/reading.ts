import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { type PageKey, pageKey } from '@lectern/wiki/records'
import type { StoredContentQueries, StoredPageState } from '@lectern/wiki/stored-content'
import type { GitNotes } from '../files/notes.ts'
import { type FilePage, filesInTree } from '../files/page-index.ts'
import { type CommitRange, HistoryWalk, type ReadingContext, readRange, walkAll } from './history.ts'
import {
  changedPages,
  type FileContent,
  type Lineage,
  type PageState,
  versionOf,
  WorkingState,
} from './history-state.ts'
import { type GitPage, gitPagesOf, type Histories } from './pages.ts'
import { readTree } from './repository.ts'
import type { GitState } from './state.ts'

/**
 * Ids of revisions that the wiki has already. Notes name pages with others: the history was rewritten, or they came from another
 * source. @param notes null: the import removes such revisions
 */
export const knownRevisionsOf = async (
  pages: GitPage[],
  stored: StoredContentQueries | undefined,
  notes: GitNotes | null,
): Promise<Set<string>> => {
  if (stored === undefined) return new Set()
  const known = await stored.knownRevisions(
    pages.flatMap(({ locale, path, revisions }) =>
      revisions.map(({ id, createdAt }) => ({ id, locale, path, createdAt })),
    ),
  )
  if (notes === null) return known
  const storedPages = new Map((await stored.storedPages(pages)).map((page) => [pageKey(page), page]))
  for (const page of pages) {
    const { path, head, revisions } = page
    const storedPage = storedPages.get(pageKey(page))
    if (storedPage === undefined) continue
    const { liveId, liveAt } = storedPage
    const newest = revisions.at(-1)
    const knownHere = revisions.filter(({ id }) => known.has(id)).length
    const isForeign = liveId !== null && revisions.every(({ id }) => id !== liveId)
    if (head !== null && isForeign && `${liveAt} ${liveId}` > `${newest?.createdAt} ${newest?.id}`)
      notes.add('other text', path)
    else if (storedPage.revisions - knownHere > knownHere) notes.add('other edits', path)
  }
  return known
}

export interface Reading {
  pages: GitPage[]
  /** What is changed, if the database has the rest already; null: `pages` are all pages. */
  changes: {
    /** All pages that may have changed, and those that are gone. */
    touched: PageKey[]
    gone: PageKey[]
    stored: StoredPageState[]
  } | null
  generation: number
  hasFormerPaths: boolean
  included: string[]
}

export const readAll = async (context: ReadingContext): Promise<Reading> =>
  allPages(context, await walkAll(context))

/**
 * Reads what changed since the last import, if its commit is an ancestor: only new commits if they begin there and move no page;
 * otherwise the whole history, whose states at both commits are compared. In doubt, the result has all pages. (D91)
 * @param stale keys of pages to read again without a change of their files
 */
export const readChanges = async (
  context: ReadingContext,
  before: GitState,
  stored: StoredContentQueries,
  stale: ReadonlySet<string>,
): Promise<Reading> => {
  const range = await readRange(context, before.head)
  if (range === null || !(before.head === context.head || range.parents.has(before.head)))
    return readAll(context)
  if (range.parents.size === 1 && stale.size === 0) {
    const reading = await readCommits(context, before, range, stored)
    if (reading !== null) return reading
  }
  const walk = await walkAll(context, before.head)
  if (walk.kept === undefined) return allPages(context, walk)
  const histories = walk.headPages()
  const changed = withSharedPaths(
    new Set([
      ...changedPages(walk.kept, walk.state),
      ...pagesChangedBy(range, histories),
      ...[...histories.keys()].filter((page) => stale.has(pageKey(page))),
    ]),
    histories,
  )
  const states = await stored.storedPageStates(changed)
  if (states.some(({ isOwn }) => !isOwn)) return allPages(context, walk)
  const gone = changed.filter((page) => !histories.has(page))
  return {
    pages: gitPagesOf(context, histories, changed),
    changes: { touched: changed, gone, stored: states },
    ...factsOf(walk, histories),
  }
}

/** The pages that commits changed, also if the new edits are dated before the last one: then the state is the same. */
const pagesChangedBy = ({ commits }: CommitRange, histories: Histories): FilePage[] => {
  const hashes = new Set(commits.map(({ commit }) => commit.hash))
  const isChanged = ({ revisions, moves }: Lineage) =>
    revisions.some(({ commit }) => hashes.has(commit.hash)) || moves.some(({ commit }) => hashes.has(commit))
  return [...histories.values()].filter(({ lineages }) => lineages.some(isChanged)).map(({ page }) => page)
}

/** Adds pages that had the same paths: a path is the former path of one page alone. */
const withSharedPaths = (changed: ReadonlySet<FilePage>, histories: Histories): FilePage[] => {
  const pathsOf = (history?: PageState) =>
    history?.lineages.flatMap(({ moves }) => moves.map(({ from }) => from)) ?? []
  const paths = new Set([...changed].flatMap((page) => pathsOf(histories.get(page))))
  const sharing = [...histories.values()].filter((history) =>
    pathsOf(history).some((path) => paths.has(path)),
  )
  return [...new Set([...changed, ...sharing.map(({ page }) => page)])]
}

/** Applies commits to the pages as they are stored. @returns null if something must be known that is not stored */
const readCommits = async (
  context: ReadingContext,
  before: GitState,
  { commits }: CommitRange,
  stored: StoredContentQueries,
): Promise<Reading | null> => {
  const { index, from } = context
  // Of several edits before the time from which edits are imported, only the last one stays.
  if (from !== null && commits.some(({ commit }) => commit.createdAt <= from)) return null
  const isIncluded = new Set(before.included)
  const changed = new Set<FilePage>()
  const children = new Map<string, number>()
  for (const { commit, changes } of commits) {
    for (const parent of commit.parents) children.set(parent, (children.get(parent) ?? 0) + 1)
    // Which pages include the file is not stored.
    if (changes.some(({ file }) => isIncluded.has(file))) return null
    for (const { file } of changes) for (const { page } of index.filesOf(file)) changed.add(page)
  }
  const touched = [...changed]
  const states = await stored.storedPageStates(touched)
  const start = await storedStart(context, before, changed, states)
  if (start === null) return null
  const walk = new HistoryWalk(context, { children, start })
  for (const one of commits) await walk.apply(one)
  const histories = walk.headPages()
  // The revisions from before a move must be read again, because titles can come from paths.
  if (hasMoves(histories)) return null
  context.notes.addAll(walk.notes)
  const state = new WorkingState(walk.state)
  const { generation, included } = factsOf(walk, histories)
  return {
    pages: gitPagesOf(context, histories, changed, (page) => state.newestOf(page)!),
    changes: { touched, gone: [], stored: states },
    generation,
    hasFormerPaths: before.hasFormerPaths,
    included: [...new Set([...before.included, ...included])],
  }
}

/** The state of some pages at the commit of the last import; null if it is not certain. */
const storedStart = async (
  context: ReadingContext,
  before: GitState,
  pages: ReadonlySet<FilePage>,
  states: readonly StoredPageState[],
) => {
  if (states.some(({ isOwn }) => !isOwn)) return null
  const { repository, includable, index, hidden } = context
  const stateOf = new Map(states.map((state) => [pageKey(state), state]))
  const tree = await readTree(repository, before.head)
  const isWanted = (page: FilePage) => pages.has(page)
  const files: Map<FilePage, FileContent[]> = await filesInTree({ tree, index, hidden }, isWanted)
  for (const content of [...files.values()].flat())
    content.included = await includable.includedBy(content.file.name, content.blob, before.head)
  const tooLong = new Set<string | undefined>()
  for (const { content, bytes } of tree.entries()) if (bytes > TEXT_BYTES_MAX) tooLong.add(content)
  const working = new WorkingState()
  for (const page of pages) {
    const state = stateOf.get(pageKey(page))
    const current = files.get(page) ?? []
    const { newestId: id, newestAt: createdAt } = state ?? {}
    const [first] = current
    // Of a page that was deleted, the last text is not known; of one whose text is too long, the revision.
    if ((id == null || createdAt == null) !== (first === undefined)) return null
    if (tooLong.has(first?.blob)) return null
    if (id == null || createdAt == null || first === undefined) continue
    // The former paths of a hidden page are not stored, and it may become visible.
    if (before.hasFormerPaths && !state?.isLive) return null
    for (const { file, blob, included } of current) working.setFile(file, blob, included)
    working.beginLineage(page, { id, createdAt, version: versionOf(first) })
  }
  working.sortFiles(hidden)
  return { hash: before.head, generation: before.generation, state: working.result }
}

const allPages = (context: ReadingContext, walk: HistoryWalk): Reading => {
  const histories = walk.headPages()
  const pages = gitPagesOf(context, histories, histories.keys())
  return { pages, changes: null, ...factsOf(walk, histories) }
}

const factsOf = ({ generation }: HistoryWalk, histories: Histories) => {
  const files = [...histories.values()].flatMap((history) => history.files)
  const included = new Set(files.flatMap((file) => [...(file.included?.contents.keys() ?? [])]))
  return { generation, hasFormerPaths: hasMoves(histories), included: [...included] }
}

const hasMoves = (histories: Histories): boolean =>
  [...histories.values()].some(({ lineages }) => lineages.some(({ moves }) => moves.length > 0))
