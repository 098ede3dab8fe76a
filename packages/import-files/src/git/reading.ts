import { type PageKey, pageKey } from '@lectern/wiki/records'
import type { StoredContentQueries, StoredPage, StoredPageState } from '@lectern/wiki/stored-content'
import { UnknownText } from './commit-step.ts'
import {
  type CommitRange,
  type HeadPage,
  HistoryWalk,
  type ReadingContext,
  readRange,
  walkAll,
} from './history.ts'
import { changedPages, lastRevisions, versionOf, WorkingState } from './history-state.ts'
import { filesInTree, type GitNotes } from './page-index.ts'
import { completePages, type GitPage, partialPages } from './pages.ts'
import type { GitState } from './state.ts'
import { readTree } from './tree.ts'

/**
 * Ids of the revisions of these pages that the wiki already has with the same content. Notes name pages with revisions
 * that are not in this history: it was rewritten, or they came from another source.
 * @param notes null: the import removes such revisions
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
    const storedPage = storedPages.get(pageKey(page))
    if (storedPage) noteForeignRevisions(page, storedPage, known, notes)
  }
  return known
}

const noteForeignRevisions = (
  page: GitPage,
  stored: StoredPage,
  known: Set<string>,
  notes: GitNotes,
): void => {
  const ids = new Set(page.revisions.map(({ id }) => id))
  const newest = page.revisions.at(-1)
  const knownHere = page.revisions.filter(({ id }) => known.has(id)).length
  const { liveId, liveAt } = stored
  const showsForeign =
    page.head !== null &&
    liveId !== null &&
    !ids.has(liveId) &&
    `${liveAt} ${liveId}` > `${newest?.createdAt} ${newest?.id}`
  if (showsForeign) notes.add('other text', page.path)
  else if (stored.revisions - knownHere > knownHere) notes.add('other edits', page.path)
}

/** The pages to import. */
export interface Reading {
  pages: GitPage[]
  /** What is changed, if the database has the rest already; null: `pages` are all pages. */
  changes: PageChanges | null
  /** The generation of the head. */
  generation: number
  hasFormerPaths: boolean
  /** Names of files that pages include at the head. */
  included: string[]
}

interface PageChanges {
  /** All pages that may have changed, and those that are gone. */
  touched: PageKey[]
  gone: PageKey[]
  /** Those that are stored. */
  stored: StoredPageState[]
}

/** Reads the whole history. */
export const readAll = async (context: ReadingContext): Promise<Reading> =>
  allPages(context, await walkAll(context))

/**
 * Reads what changed since the last import, if its commit is an ancestor. If the new commits begin at that commit, and
 * move no page, only they are read. Otherwise the whole history is read, and the states at both commits are compared.
 * In doubt, the result has all pages. (D91)
 * @param retitled keys of pages that have another title without a change of their files
 */
export const readChanges = async (
  context: ReadingContext,
  before: GitState,
  stored: StoredContentQueries,
  retitled: ReadonlySet<string>,
): Promise<Reading> => {
  const range = await readRange(context, before.head)
  if (range === null || !range.parents.has(before.head)) return readAll(context)
  if (range.parents.size === 1 && retitled.size === 0) {
    const reading = await readCommits(context, before, range, stored)
    if (reading !== null) return reading
  }
  const walk = await walkAll(context, before.head)
  if (walk.kept === undefined) return allPages(context, walk)
  const histories = walk.headPages()
  const changed = withSharedPaths(
    new Set([
      ...changedPages(walk.kept, walk.state),
      ...pagesOf(range, histories),
      ...[...histories.keys()].filter((index) => retitled.has(pageKey(keysOf(context)(index)))),
    ]),
    histories,
  )
  const keyOf = keysOf(context)
  const touched = changed.map(keyOf)
  const states = await stored.storedPageStates(touched)
  if (states.some(({ isOwn }) => !isOwn)) return allPages(context, walk)
  const gone = changed.filter((index) => !histories.has(index)).map(keyOf)
  return {
    pages: completePages(context, histories, changed),
    changes: { touched, gone, stored: states },
    generation: walk.generation,
    hasFormerPaths: hasMoves(histories),
    included: includedNames(histories),
  }
}

/** @returns a function that returns the address of a page, by its index */
const keysOf = ({ index }: ReadingContext): ((index: number) => PageKey) => {
  const named = index.pages()
  return (index) => ({ locale: named[index]!.locale, path: named[index]!.path })
}

/**
 * The pages that commits changed. After a merge, the state of a page is the same if the new edits are dated before its
 * last one.
 */
const pagesOf = ({ commits }: CommitRange, histories: ReadonlyMap<number, HeadPage>): number[] => {
  const hashes = new Set(commits.map(({ commit }) => commit.hash))
  return [...histories]
    .filter(([, { lineages }]) =>
      lineages.some(
        ({ revisions, moves }) =>
          revisions.some(({ commit }) => hashes.has(commit.hash)) ||
          moves.some(({ commit }) => hashes.has(commit)),
      ),
    )
    .map(([index]) => index)
}

/** Adds pages that had the same paths: a path is the former path of one page alone. */
const withSharedPaths = (
  changed: ReadonlySet<number>,
  histories: ReadonlyMap<number, HeadPage>,
): number[] => {
  const pathsOf = ({ lineages }: HeadPage) =>
    lineages.flatMap(({ moves }) => moves.map(({ from }) => from.index))
  const paths = new Set(
    [...changed].flatMap((index) => {
      const history = histories.get(index)
      return history === undefined ? [] : pathsOf(history)
    }),
  )
  const sharing = [...histories].filter(([, history]) => pathsOf(history).some((path) => paths.has(path)))
  return [...new Set([...changed, ...sharing.map(([index]) => index)])]
}

/**
 * Applies commits to the pages as the last import has stored them.
 * @returns null if something must be known that is not stored
 */
const readCommits = async (
  context: ReadingContext,
  before: GitState,
  { commits }: CommitRange,
  stored: StoredContentQueries,
): Promise<Reading | null> => {
  const { index } = context
  const isIncluded = new Set(before.included)
  const indexes = new Set<number>()
  const children = new Map<string, number>()
  for (const { commit, changes } of commits) {
    for (const parent of commit.parents) children.set(parent, (children.get(parent) ?? 0) + 1)
    // Which pages include the file is not stored.
    if (changes.some(({ file }) => isIncluded.has(file))) return null
    for (const { file } of changes) for (const { page } of index.filesOf(file)) indexes.add(page.index)
  }
  const touched = [...indexes].map(keysOf(context))
  const states = await stored.storedPageStates(touched)
  const start = await storedStart(context, before, indexes, states)
  if (start === null) return null
  const walk = new HistoryWalk(context, { children, start })
  try {
    for (const { commit, changes } of commits) await walk.apply(commit, changes)
  } catch (error) {
    if (error instanceof UnknownText) return null
    throw error
  }
  const histories = walk.headPages()
  // The revisions from before a move must be read again, because titles can come from paths.
  if (hasMoves(histories)) return null
  return {
    pages: partialPages(context, histories, lastRevisions(walk.state, indexes)),
    changes: { touched, gone: [], stored: states },
    generation: walk.generation,
    hasFormerPaths: before.hasFormerPaths,
    included: [...new Set([...before.included, ...includedNames(histories)])],
  }
}

/** The state of some pages at the commit of the last import; null if it is not certain. */
const storedStart = async (
  context: ReadingContext,
  before: GitState,
  indexes: ReadonlySet<number>,
  states: readonly StoredPageState[],
) => {
  if (states.some(({ isOwn }) => !isOwn)) return null
  const { repository, includable, index, hidden } = context
  const named = index.pages()
  const stateOf = new Map(states.map((state) => [pageKey(state), state]))
  const unstored = new Map(before.unstored.map((one) => [pageKey(one), one]))
  const tree = await readTree(repository, before.head)
  const files = await filesInTree({ tree, index, hidden }, (page) => indexes.has(page))
  for (const content of [...files.values()].flat())
    content.included = await includable.includedBy(content.file.name, content.blob, before.head)
  const working = new WorkingState()
  let lineages = 0
  for (const one of indexes) {
    const key = pageKey(named[one]!)
    const state = stateOf.get(key)
    const current = files.get(one) ?? []
    const last = unstored.get(key) ?? lastStored(state)
    if (last === null && current.length > 0) return null
    if (last === null) continue
    // The former paths of a hidden page are not stored, and it may become visible.
    if (before.hasFormerPaths && !state?.isLive) return null
    for (const { file, blob, included } of current) working.setFile(file, blob, included)
    const { id, createdAt } = last
    const version = current[0] ? versionOf(current[0]) : null
    working.beginLineage(named[one]!, lineages++, { id, createdAt, version })
  }
  working.sortFiles(hidden)
  return { hash: before.head, generation: before.generation, state: working.result, lineages }
}

const lastStored = (state: StoredPageState | undefined) =>
  state === undefined || state.newestId === null || state.newestAt === null
    ? null
    : { id: state.newestId, createdAt: state.newestAt }

const allPages = (context: ReadingContext, walk: HistoryWalk): Reading => {
  const histories = walk.headPages()
  return {
    pages: completePages(context, histories),
    changes: null,
    generation: walk.generation,
    hasFormerPaths: hasMoves(histories),
    included: includedNames(histories),
  }
}

/** Names of the files that pages include. */
const includedNames = (histories: ReadonlyMap<number, HeadPage>): string[] => [
  ...new Set(
    [...histories.values()].flatMap(({ files }) =>
      files.flatMap(({ included }) => [...(included?.contents.keys() ?? [])]),
    ),
  ),
]

const hasMoves = (histories: ReadonlyMap<number, HeadPage>): boolean =>
  [...histories.values()].some(({ lineages }) => lineages.some(({ moves }) => moves.length > 0))
