import type { LastChange } from '@lectern/wiki/records'
import { type Change, type Commit, eachCommit } from './log.ts'
import type { Repository } from './repository.ts'
import type { CommitTree } from './tree.ts'

/** Who changed the files of a commit last, and when: the last commit that gave a file the content that it has there. */
export class LastChanges {
  readonly #repository: Repository
  readonly #head: string
  readonly #blobs = new Map<string, string>()
  readonly #commits = new Map<string, Commit>()
  /** Merges that gave a file a content. It counts if no other commit did. */
  readonly #merges = new Map<string, Commit>()
  #all: Promise<void> | undefined

  constructor(
    { repository, head, tree }: { repository: Repository; head: string; tree: CommitTree },
    isFile: (name: string) => boolean,
  ) {
    this.#repository = repository
    this.#head = head
    for (const { name, kind, content } of tree.entries())
      if (kind === 'regular' && isFile(name)) this.#blobs.set(name, content)
  }

  /** Takes a commit of the history. Its ancestors come before it. */
  add(commit: Commit, changes: readonly Change[]): void {
    const commits = commit.parents.length > 1 ? this.#merges : this.#commits
    for (const { file, blob } of changes)
      if (blob !== null && this.#blobs.get(file) === blob) commits.set(file, commit)
  }

  /** Call it after all commits of the history. */
  complete(): void {
    this.#all = Promise.resolve()
  }

  /** The last change of a file. Reads the history if it was not read, and the commits that were do not change the file. */
  async of(name: string): Promise<LastChange> {
    if (!this.#commits.has(name)) {
      this.#all ??= eachCommit(this.#repository, this.#head, (...commit) => this.add(...commit))
      await this.#all
    }
    const commit = this.#commits.get(name) ?? this.#merges.get(name)
    return { modifiedAt: commit?.createdAt ?? null, author: commit?.author ?? null }
  }
}
