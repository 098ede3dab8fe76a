import { CommitStep, type PageFileNames } from './commit-step.ts'
import {
  EMPTY_STATE,
  type FileContent,
  type FileRevision,
  type HistoryState,
  type Lineage,
} from './history-state.ts'
import { countChildren, eachCommit } from './log.ts'
import { entries } from './persistent-array.ts'
import type { Rename, RenameDetector } from './renames.ts'
import type { Repository } from './repository.ts'

/** A commit whose children are not all processed. */
interface OpenCommit {
  /** Length of the longest path to a root; 0 for a root. */
  generation: number
  state: HistoryState
  childrenLeft: number
}

interface HistoryReader {
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

/**
 * Finds the revisions of each page in the history of a commit, so that in every commit the last revision of a page, by
 * time and id, has the text in the tree of the commit (D72). The revisions depend on that history only: a later commit
 * has all revisions of the commits before it. A page that is renamed takes them along (D94).
 *
 * A commit creates a revision if it changes the content of the page's file, or if the page would otherwise have another
 * text than its last revision: after a merge that was resolved manually or that took the text of one side, or after the
 * deletion of a file that preceded another file of the same page.
 * @returns the pages in the history, by index
 */
export const findRevisions = async (
  repository: Repository,
  head: string,
  reader: HistoryReader,
): Promise<Map<number, HeadPage>> => {
  const children = await countChildren(repository, head)
  const open = new Map<string, OpenCommit>()
  let lineageCount = 0
  let last = EMPTY_STATE
  await eachCommit(repository, head, (commit, changes) => {
    const parents = commit.parents.map((hash) => open.get(hash)!)
    const generation = parents.reduce((max, parent) => Math.max(max, parent.generation + 1), 0)
    const states = parents.map(({ state }) => state)
    const step = new CommitStep({ commit, generation, parents: states }, changes, reader.files)
    const finish = (renames: readonly Rename[]) => {
      const { state, created } = step.finish(renames, () => lineageCount++)
      for (const revision of created)
        if (revision.createdAt !== commit.createdAt) reader.onLateClock(revision)
      for (const [i, parent] of parents.entries()) {
        parent.childrenLeft -= 1
        if (parent.childrenLeft === 0) open.delete(commit.parents[i]!)
      }
      open.set(commit.hash, { generation, state, childrenLeft: children.get(commit.hash) ?? 0 })
      last = state
    }
    const search = step.renameSearch()
    if (search !== null) return reader.renames.renamesOf(commit, search).then(finish)
    finish([])
  })
  return new Map([...entries(last.pages)].filter(([, { lineages }]) => lineages.length > 0))
}
