import { UsageError } from '../../errors.ts'
import type { Layout } from '../files/layouts.ts'
import type { HeadTree } from './head-tree.ts'
import { type HistoryReader, HistoryWalk } from './history.ts'
import { type Change, type Commit, countChildren, eachCommit } from './log.ts'
import type { GitNotes } from './notes.ts'
import { RenameDetector } from './renames.ts'
import { commitOf, type Repository } from './repository.ts'

/** What a history is read from. */
export interface ReadingContext {
  repository: Repository
  head: string
  layouts: readonly Layout[]
  tree: HeadTree
  notes: GitNotes
}

/** Commits and changes that are kept in memory. With more, everything is read. */
const CHANGES_MAX = 20_000

/** The commits since another one. */
export interface CommitRange {
  commits: { commit: Commit; changes: Change[] }[]
  /** Their parents that are not among them. */
  parents: Set<string>
}

/** @returns null if the commit does not exist any more, or there are too many commits */
export const readRange = async (
  { repository, head }: ReadingContext,
  since: string,
): Promise<CommitRange | null> => {
  const isThere = await commitOf(repository, since).then(
    () => true,
    (error: Error) => {
      if (error instanceof UsageError) return false
      throw error
    },
  )
  if (!isThere) return null
  const commits: CommitRange['commits'] = []
  let size = 0
  const collect = (commit: Commit, changes: Change[]): undefined => {
    size += 1 + changes.length
    if (size <= CHANGES_MAX) commits.push({ commit, changes })
  }
  await eachCommit(repository, head, collect, since)
  if (size > CHANGES_MAX) return null
  const hashes = new Set(commits.map(({ commit }) => commit.hash))
  const parents = commits.flatMap(({ commit }) => commit.parents)
  return { commits, parents: new Set(parents.filter((hash) => !hashes.has(hash))) }
}

/** Reads the history of a commit. @param keep a commit whose state is kept */
export const walkAll = async (context: ReadingContext, keep?: string): Promise<HistoryWalk> => {
  const { repository, head } = context
  const renames = new RenameDetector(repository, context.layouts)
  const children = await countChildren(repository, head)
  const walk = new HistoryWalk(historyReaderOf(context, renames), { children, keep })
  await eachCommit(repository, head, (commit, changes) => walk.apply(commit, changes)).finally(() =>
    renames.close(),
  )
  return walk
}

/** What a walk needs of a repository. */
export const historyReaderOf = ({ tree, notes }: ReadingContext, renames: RenameDetector): HistoryReader => ({
  files: tree.index,
  renames,
  onLateClock: ({ file, commit }) => notes.add('late clock', `${file} at ${commit.hash.slice(0, 10)}`),
})
