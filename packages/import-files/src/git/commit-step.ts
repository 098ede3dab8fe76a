import { revisionIdOf } from '@lectern/wiki/import/wiki-record'
import type { HiddenContents } from '../files/document.ts'
import type { GitNotes } from '../files/notes.ts'
import type { FilePage, PageFile, PageIndex } from '../files/page-index.ts'
import { type FileContent, type HistoryState, versionOf, WorkingState } from './history-state.ts'
import type { IncludedFiles, KnownContents } from './includable-blobs.ts'
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
  hidden: HiddenContents
  notes: GitNotes
}

type Move = { from: PageFile; to: PageFile }

/** Applies one commit to the states of its parents: first the changes of files, then the renames. */
export class CommitStep {
  readonly #context: CommitContext
  readonly #names: PageIndex
  readonly #before: WorkingState
  readonly #state: WorkingState
  readonly #changes: readonly Change[]
  readonly #changedFiles = new Set<PageFile>()
  /** The contents of all changed files, also of those that are no pages, by name. */
  readonly #changedBlobs: ReadonlyMap<string, string | null>

  constructor(context: CommitContext, changes: readonly Change[], names: PageIndex) {
    this.#context = context
    this.#names = names
    this.#before = new WorkingState(context.parents[0])
    this.#state = new WorkingState(context.parents[0])
    this.#changedBlobs = new Map(changes.map(({ file, blob }) => [file, blob]))
    this.#changes = changes.filter(({ file }) => names.filesOf(file).length > 0)
    for (const { file: name, blob } of this.#changes)
      for (const file of names.filesOf(name)) {
        this.#state.setFile(file, blob)
        this.#changedFiles.add(file)
      }
    this.#state.mergeParents(context.parents.slice(1))
  }

  get #isMerge(): boolean {
    return this.#context.parents.length > 1
  }

  /** How git must look for renames, if at all. In a merge, only a page that no parent has can be one that is in none any more. */
  renameSearch(): RenameSearch | null {
    if (!this.#isMerge) return searchFor(this.#changes)
    const touched = this.#state.touched()
    const isNew = touched.some(({ files, lineages }) => files.length > 0 && lineages.length === 0)
    const isLost = touched.some(({ files, lineages }) => files.length === 0 && lineages.length > 0)
    return isNew && isLost ? 'moved' : null
  }

  /** Contents of which must be known whether guests see them: of pages with several files, and of all that may have moved. */
  contestedBlobs(canMove: boolean): string[] {
    return this.#state
      .touched()
      .filter(({ files }) => canMove || files.length > 1)
      .flatMap(({ page, files }) => [...files, ...(canMove ? this.#before.page(page).files : [])])
      .map(({ blob }) => blob)
  }

  /** The files of pages whose includes must be read: changed ones, and those that include a changed file. */
  staleFiles(includers: ReadonlyMap<string, ReadonlySet<FilePage>>): FileContent[] {
    const pages = new Set([...this.#changedFiles].map(({ page }) => page))
    for (const name of this.#changedBlobs.keys())
      for (const page of includers.get(name) ?? []) pages.add(page)
    const isChanged = (name: string) => this.#changedBlobs.has(name)
    const files = [...pages].flatMap((page) => this.#state.page(page).files)
    return files.filter(
      ({ file, included }) =>
        this.#changedFiles.has(file) || [...(included?.contents.keys() ?? [])].some(isChanged),
    )
  }

  /** What is known of the files that a page file includes: its first parent had them, or they are changed. */
  knownContents({ file }: FileContent): KnownContents {
    const before = this.#before.page(file.page).files.find((one) => one.file === file)?.included?.contents
    return (name) => {
      // The name of another file can look the same, if it is not UTF-8.
      if (name.includes('\ufffd')) return undefined
      return this.#changedBlobs.has(name) ? this.#changedBlobs.get(name) : before?.get(name)
    }
  }

  setIncluded({ file, blob }: FileContent, included: IncludedFiles | undefined): void {
    this.#state.setFile(file, blob, included)
  }

  /** @returns the state after the commit, with its revisions */
  finish(renames: Rename[], newLineage: () => number): HistoryState {
    const state = this.#state
    const { commit, generation, hidden, notes } = this.#context
    state.sortFiles(hidden)
    const moves = this.#movesOf(renames).map(({ from, to }) => {
      const order = `${commit.createdAt} ${commitRevisionId(generation, commit.hash, to.identity)}`
      return { to: to.page, move: { from: from.page, file: from.name, commit: commit.hash, order } }
    })
    state.movePages(moves)
    for (const { page, files, lineages } of state.touched()) {
      const shown = files[0]
      if (shown === undefined) continue
      const { name, identity } = shown.file
      if (lineages.length === 0) state.beginLineage(page, newLineage())
      const newest = state.newestOf(page)
      const isChanged = !this.#isMerge && this.#changedFiles.has(shown.file)
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
  #movesOf(renames: readonly Rename[]): Move[] {
    const { hidden } = this.#context
    const movesFrom = new Map<FilePage, Move>()
    const movesTo = new Map<FilePage, Move>()
    for (const rename of renames) {
      const [from, to] = [this.#names.fileOf(rename.from), this.#names.fileOf(rename.to)]
      if (from === null || to === null || from.page === to.page) continue
      const isShown =
        this.#before.page(from.page).files[0]?.file === from &&
        this.#state.page(to.page).files[0]?.file === to
      const isLeft = this.#state
        .page(from.page)
        .files.some(({ file, blob }) => !this.#changedFiles.has(file) && !hidden.has(blob))
      if (!isShown || isLeft || movesFrom.has(from.page) || movesTo.has(to.page)) continue
      movesFrom.set(from.page, { from, to })
      movesTo.set(to.page, { from, to })
    }
    for (const move of movesTo.values()) {
      // A page that stays where it is keeps another one from moving there, and so on.
      let current: Move | undefined = move
      while (current !== undefined && this.#isTaken(current.to.page) && !movesFrom.has(current.to.page)) {
        movesFrom.delete(current.from.page)
        const next = movesTo.get(current.from.page)
        current = next && movesFrom.has(next.from.page) ? next : undefined
      }
    }
    return [...movesFrom.values()]
  }

  /** Whether there was a page before; in a merge, in any parent. */
  #isTaken(page: FilePage): boolean {
    if (this.#isMerge) return this.#state.page(page).lineages.length > 0
    return this.#before.page(page).files.some(({ blob }) => !this.#context.hidden.has(blob))
  }
}
