import { CommitStep, type PageFileNames } from './commit-step.ts'
import {
  EMPTY_STATE,
  type FileContent,
  type FileRevision,
  type HistoryState,
  type Lineage,
} from './history-state.ts'
import type { Change, Commit } from './log.ts'
import { entries } from './persistent-array.ts'
import type { Rename, RenameDetector } from './renames.ts'

/** A commit whose children are not all processed. */
interface OpenCommit {
  /** Length of the longest path to a root; 0 for a root. */
  generation: number
  state: HistoryState
  childrenLeft: number
}

export interface HistoryReader {
  files: PageFileNames
  renames: RenameDetector
  /** The commit is dated before the revision that it replaces. */
  onLateClock(revision: FileRevision): void
}

/** A page at the end of a history. */
export interface HeadPage {
  /** Its files in the tree; the first one is used. Empty: the page was deleted. */
  files: readonly FileContent[]
  lineages: readonly Lineage[]
}

/** What was known after a commit. */
interface HistoryStart {
  hash: string
  generation: number
  state: HistoryState
  /** How many lineages there are. */
  lineages: number
}

interface WalkOptions {
  /** The number of children of each commit, among the commits of the walk. */
  children: ReadonlyMap<string, number>
  /** Where the walk begins; absent: at the roots. */
  start?: HistoryStart
  /** A commit whose state is kept. */
  keep?: string
}

/**
 * Finds the revisions of each page in the history of a commit, so that in every commit the last revision of a page, by
 * time and id, has the text in the tree of the commit (D72). The revisions depend on that history only: a later commit
 * has all revisions of the commits before it. A page that is renamed takes them along (D94).
 *
 * A commit creates a revision if it changes the content of the page's file, or if the page would otherwise have another
 * text than its last revision: after a merge that was resolved manually or that took the text of one side, or after the
 * deletion of a file that preceded another file of the same page.
 */
export class HistoryWalk {
  /** The generation of the last commit. */
  generation = 0
  /** The state after the last commit. */
  state: HistoryState = EMPTY_STATE
  /** The state after the commit to keep. */
  kept: HistoryState | undefined
  readonly #reader: HistoryReader
  readonly #children: ReadonlyMap<string, number>
  readonly #keep: string | undefined
  readonly #open = new Map<string, OpenCommit>()
  #lineages: number

  constructor(reader: HistoryReader, { children, start, keep }: WalkOptions) {
    this.#reader = reader
    this.#children = children
    this.#keep = keep
    this.#lineages = start?.lineages ?? 0
    if (start) this.#close(start.hash, start.generation, start.state)
  }

  /** Applies the next commit. Its parents come first, and the head last. */
  apply(commit: Commit, changes: readonly Change[]): Promise<void> | undefined {
    const parents = commit.parents.map((hash) => this.#open.get(hash)!)
    const generation = parents.reduce((max, parent) => Math.max(max, parent.generation + 1), 0)
    const states = parents.map(({ state }) => state)
    const step = new CommitStep({ commit, generation, parents: states }, changes, this.#reader.files)
    const finish = (renames: readonly Rename[]) => {
      const { state, created } = step.finish(renames, () => this.#lineages++)
      for (const revision of created)
        if (revision.createdAt !== commit.createdAt) this.#reader.onLateClock(revision)
      for (const [i, parent] of parents.entries()) {
        parent.childrenLeft -= 1
        if (parent.childrenLeft === 0) this.#open.delete(commit.parents[i]!)
      }
      this.#close(commit.hash, generation, state)
    }
    const search = step.renameSearch()
    if (search !== null) return this.#reader.renames.renamesOf(commit, search).then(finish)
    finish([])
  }

  /** The pages in the history of the last commit, by index. */
  headPages(): Map<number, HeadPage> {
    return new Map([...entries(this.state.pages)].filter(([, { lineages }]) => lineages.length > 0))
  }

  #close(hash: string, generation: number, state: HistoryState): void {
    this.#open.set(hash, { generation, state, childrenLeft: this.#children.get(hash) ?? 0 })
    this.generation = generation
    this.state = state
    if (hash === this.#keep) this.kept = state
  }
}
