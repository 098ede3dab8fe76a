import type { LastChange } from '@lectern/wiki/records'
import { type Commit, type CommitChanges, commitsOf } from './log.ts'
import type { CommitTree, Repository } from './repository.ts'

/** Who changed the files of a commit last, and when: the last commit that gave a file the content that it has there. */
export const makeLastChanges = (
  { repository, head, tree }: { repository: Repository; head: string; tree: CommitTree },
  isFile: (name: string) => boolean,
) => {
  const blobs = new Map<string, string>()
  for (const { name, kind, content } of tree.entries())
    if (kind === 'regular' && isFile(name)) blobs.set(name, content)
  const commits = new Map<string, Commit>()
  /** Merges that gave a file a content. It counts if no other commit did. */
  const merges = new Map<string, Commit>()
  let all: Promise<void> | undefined
  /** The commits of the history, ancestors first. @param since left out, with its ancestors */
  const commitsSince = async function* (since?: string): AsyncGenerator<CommitChanges> {
    for await (const one of commitsOf(repository, head, since)) {
      const last = one.commit.parents.length > 1 ? merges : commits
      for (const { file, blob } of one.changes)
        if (blob !== null && blobs.get(file) === blob) last.set(file, one.commit)
      yield one
    }
    if (since === undefined) all ??= Promise.resolve()
  }
  const readAll = async (): Promise<void> => {
    for await (const _ of commitsSince());
  }
  return {
    commitsSince,
    /** The last change of a file. Reads the history if it was not read, and the commits that were do not change the file. */
    of: async (name: string): Promise<LastChange> => {
      if (!commits.has(name)) {
        all ??= readAll()
        await all
      }
      const commit = commits.get(name) ?? merges.get(name)
      return { modifiedAt: commit?.createdAt ?? null, author: commit?.author ?? null }
    },
  }
}
