import { revisionIdOf } from '@lectern/wiki/import/wiki-record'
import type { HiddenContents } from '../files/document.ts'
import type { GitNotes } from '../files/notes.ts'
import type { FilePage, PageFile, PageIndex } from '../files/page-index.ts'
import { type FileContent, type HistoryState, versionOf, WorkingState } from './history-state.ts'
import type { KnownContents } from './includable-blobs.ts'
import type { Change, Commit } from './log.ts'
import { type Rename, type RenameSearch, searchFor } from './renames.ts'

/**
 * The id of a revision: 48 bits of the generation, others of commit, NUL and file. Of one second, ids decide the order. (D72)
 * @param generation length of the longest path from the commit to a root; it never changes
 * @param file its name in the commit, not the path of the page; of a symbolic link, with NUL and the file that it shows
 */
const commitRevisionId = (generation: number, commit: string, file: string): string =>
  revisionIdOf(generation.toString(16).padStart(12, '0'), `${commit}\0${file}`)

interface CommitContext {
  commit: Commit
  /** Length of the longest path to a root; 0 for a root. */
  generation: number
  parents: readonly HistoryState[]
  index: PageIndex
  hidden: HiddenContents
  notes: GitNotes
}

type Move = { from: PageFile; to: PageFile }

/** One commit that is applied to the states of its parents: first the changes of files, then the renames. */
export type CommitStep = ReturnType<typeof beginStep>

export const beginStep = (context: CommitContext, all: readonly Change[]) => {
  const { parents, index } = context
  const [before, state] = [new WorkingState(parents[0]), new WorkingState(parents[0])]
  const changes = all.filter(({ file }) => index.filesOf(file).length > 0)
  const changedFiles = new Set<PageFile>()
  for (const { file: name, blob } of changes)
    for (const file of index.filesOf(name)) {
      state.setFile(file, blob)
      changedFiles.add(file)
    }
  state.mergeParents(parents.slice(1))
  /** The contents of all changed files, also of those that are no pages, by name. */
  const changedBlobs = new Map(all.map(({ file, blob }) => [file, blob]))
  return { ...context, isMerge: parents.length > 1, before, state, changes, changedFiles, changedBlobs }
}

/** How git must look for renames, if at all. In a merge, only a page that no parent has can be one that is in none any more. */
export const renameSearch = ({ isMerge, changes, state }: CommitStep): RenameSearch | null => {
  if (!isMerge) return searchFor(changes)
  const touched = state.touched()
  const isNew = touched.some(({ files, lineages }) => files.length > 0 && lineages.length === 0)
  const isLost = touched.some(({ files, lineages }) => files.length === 0 && lineages.length > 0)
  return isNew && isLost ? 'moved' : null
}

/** Contents of which must be known whether guests see them: of pages with several files, and of all that may have moved. */
export const contestedBlobs = ({ state, before }: CommitStep, canMove: boolean): string[] =>
  state
    .touched()
    .filter(({ files }) => canMove || files.length > 1)
    .flatMap(({ page, files }) => [...files, ...(canMove ? before.page(page).files : [])])
    .map(({ blob }) => blob)

/** The files of pages whose includes must be read: changed ones, and those that include a changed file. */
export const staleFiles = (
  { state, changedFiles, changedBlobs }: CommitStep,
  includers: ReadonlyMap<string, ReadonlySet<FilePage>>,
): FileContent[] => {
  const pages = new Set([...changedFiles].map(({ page }) => page))
  for (const name of changedBlobs.keys()) for (const page of includers.get(name) ?? []) pages.add(page)
  const isChanged = (name: string) => changedBlobs.has(name)
  const files = [...pages].flatMap((page) => state.page(page).files)
  return files.filter(
    ({ file, included }) => changedFiles.has(file) || [...(included?.contents.keys() ?? [])].some(isChanged),
  )
}

/** What is known of the files that a page file includes: its first parent had them, or they are changed. */
export const knownContents = (step: CommitStep, { file }: FileContent): KnownContents => {
  const before = step.before.page(file.page).files.find((one) => one.file === file)?.included?.contents
  return (name) => {
    // The name of another file can look the same, if it is not UTF-8.
    if (name.includes('\ufffd')) return undefined
    return step.changedBlobs.has(name) ? step.changedBlobs.get(name) : before?.get(name)
  }
}

/** @returns the state after the commit, with its revisions */
export const finishStep = (step: CommitStep, renames: Rename[]): HistoryState => {
  const { state, commit, generation, hidden, notes, isMerge, changedFiles } = step
  state.sortFiles(hidden)
  const moves = movesOf(step, renames).map(({ from, to }) => {
    const order = `${commit.createdAt} ${commitRevisionId(generation, commit.hash, to.identity)}`
    return { to: to.page, move: { from: from.page, file: from.name, commit: commit.hash, order } }
  })
  state.movePages(moves)
  for (const { page, files, lineages } of state.touched()) {
    const shown = files[0]
    if (shown === undefined) continue
    const { name, identity } = shown.file
    if (lineages.length === 0) state.beginLineage(page)
    const newest = state.newestOf(page)
    const isChanged = !isMerge && changedFiles.has(shown.file)
    const version = versionOf(shown)
    if (version === newest?.version && !isChanged) continue
    const isLate = newest !== undefined && newest.createdAt > commit.createdAt
    if (isLate) notes.add('late clock', `${name} at ${commit.hash.slice(0, 10)}`)
    state.addRevision(page, {
      id: commitRevisionId(generation, commit.hash, identity),
      commit,
      createdAt: isLate ? newest.createdAt : commit.createdAt,
      file: name,
      blob: shown.blob,
      version,
    })
  }
  return state.result
}

/** The pages that renamed files move: both are what their pages show, and nothing else is left, or was at the new path. (D72) */
const movesOf = (step: CommitStep, renames: readonly Rename[]): Move[] => {
  const { hidden, index, before, state, changedFiles } = step
  const movesFrom = new Map<FilePage, Move>()
  const movesTo = new Map<FilePage, Move>()
  for (const rename of renames) {
    const [from, to] = [index.fileOf(rename.from), index.fileOf(rename.to)]
    if (from === null || to === null || from.page === to.page) continue
    const isShown =
      before.page(from.page).files[0]?.file === from && state.page(to.page).files[0]?.file === to
    const isLeft = state
      .page(from.page)
      .files.some(({ file, blob }) => !changedFiles.has(file) && !hidden.has(blob))
    if (!isShown || isLeft || movesFrom.has(from.page) || movesTo.has(to.page)) continue
    movesFrom.set(from.page, { from, to })
    movesTo.set(to.page, { from, to })
  }
  for (const move of movesTo.values()) {
    // A page that stays where it is keeps another one from moving there, and so on.
    let current: Move | undefined = move
    while (current !== undefined && isTaken(step, current.to.page) && !movesFrom.has(current.to.page)) {
      movesFrom.delete(current.from.page)
      const next = movesTo.get(current.from.page)
      current = next && movesFrom.has(next.from.page) ? next : undefined
    }
  }
  return [...movesFrom.values()]
}

/** Whether there was a page before; in a merge, in any parent. */
const isTaken = ({ isMerge, state, before, hidden }: CommitStep, page: FilePage): boolean =>
  isMerge
    ? state.page(page).lineages.length > 0
    : before.page(page).files.some(({ blob }) => !hidden.has(blob))
