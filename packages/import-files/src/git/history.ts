import type { Timestamp } from '@lectern/wiki/time'
import type { Layout } from '../files/layouts.ts'
import { type GitNotes, makeGitNotes } from '../files/notes.ts'
import type { FilePage, FoundPages } from '../files/page-index.ts'
import {
  beginStep,
  type CommitStep,
  contestedBlobs,
  finishStep,
  knownContents,
  renameSearch,
  staleFiles,
} from './commit-step.ts'
import { differences, type HistoryState, type PageState } from './history-state.ts'
import { type IncludableBlobs, type IncludedFiles, withChanges } from './includable-blobs.ts'
import type { makeLastChanges } from './last-changes.ts'
import { type Commit, type CommitChanges, countChildren } from './log.ts'
import { makeRenameDetector } from './renames.ts'
import type { CommitTree, Repository } from './repository.ts'

/** Edits of pages by changes of included files, at most: a small repository could have n pages times n changes. */
const INCLUDED_EDITS_MAX = 200_000

export interface ReadingContext extends FoundPages {
  repository: Repository
  head: string
  tree: CommitTree
  /** The blob of `.mailmap`; null if there is none. */
  mailmap: string | null
  /** Whether revisions have the messages of commits. */
  hasMessages: boolean
  layouts: readonly Layout[]
  includable: IncludableBlobs
  lastChanges: ReturnType<typeof makeLastChanges>
  notes: GitNotes
  /** Of each page, only the last edit up to this time is imported, and all later ones. Null: all. */
  from: Timestamp | null
  /** Whether the history begins with the first import: `from` is that of the last import, if there was one. */
  beginsWithImport: boolean
}

interface WalkOptions {
  /** The number of children of each commit, among the commits of the walk. */
  children: ReadonlyMap<string, number>
  /** What was known after the commit where the walk begins; absent: at the roots. */
  start?: { hash: string; generation: number; state: HistoryState }
  keep?: string
}

/**
 * Finds the revisions of each page in the history of a commit, so that in every commit the last revision of a page, by time and id, has
 * the text in its tree. They depend on that history only: a later commit has all of them. A renamed page takes them along. (D72)
 *
 * A commit creates a revision if it changes the content of the page's file, or if the page would have another text than its last one:
 * after some merges, or the deletion of a file that preceded another file of the same page.
 */
export class HistoryWalk {
  generation = 0
  state: HistoryState = []
  kept: HistoryState | undefined
  /** Those of this walk. They count if its result does. */
  readonly notes = makeGitNotes()
  readonly #context: ReadingContext
  readonly #renamesOf: ReturnType<typeof makeRenameDetector>
  readonly #options: WalkOptions
  readonly #open = new Map<string, { generation: number; state: HistoryState; childrenLeft: number }>()
  /** Pages that have included a file, by its name. */
  readonly #includers = new Map<string, Set<FilePage>>()
  #includedEdits = 0

  constructor(context: ReadingContext, options: WalkOptions) {
    const { start } = options
    this.#context = context
    this.#options = options
    this.#renamesOf = makeRenameDetector(context.repository, context.layouts)
    if (start === undefined) return
    this.#close(start.hash, start.generation, start.state)
    for (const [{ page, files }] of differences([], start.state))
      for (const { included } of files) this.#addIncluder(page, included)
  }

  /** Applies the next commit. Its parents come first, and the head last. */
  async apply({ commit, changes }: CommitChanges): Promise<void> {
    const parents = commit.parents.map((hash) => this.#open.get(hash)!)
    const generation = parents.reduce((max, parent) => Math.max(max, parent.generation + 1), 0)
    const states = parents.map(({ state }) => state)
    const { hidden, index } = this.#context
    const { notes } = this
    const step = beginStep({ commit, generation, parents: states, index, hidden, notes }, changes)
    const search = renameSearch(step)
    await hidden.ask(contestedBlobs(step, search !== null))
    await this.#readIncludes(step, commit)
    const renames = search === null ? [] : await this.#renamesOf(commit, search)
    const state = finishStep(step, renames)
    for (const [i, parent] of parents.entries()) {
      parent.childrenLeft -= 1
      if (parent.childrenLeft === 0) this.#open.delete(commit.parents[i]!)
    }
    this.#close(commit.hash, generation, state)
  }

  async #readIncludes(step: CommitStep, { hash, createdAt }: Commit): Promise<void> {
    const { includable, from, beginsWithImport } = this.#context
    const canBeInexact = beginsWithImport && from !== null && createdAt <= from
    const isFull = this.#includedEdits > INCLUDED_EDITS_MAX
    for (const content of staleFiles(step, isFull ? new Map() : this.#includers)) {
      const { file, blob, included: before } = content
      // Pages that are left with older texts have older contents, too.
      const known = this.#includedEdits > INCLUDED_EDITS_MAX ? undefined : knownContents(step, content)
      const shifted = canBeInexact && before && known ? withChanges(blob, before, known) : undefined
      const included = shifted ?? (await includable.includedBy(file.name, blob, hash, known))
      if (before === undefined && included === undefined) continue
      if (before !== undefined) this.#includedEdits += 1
      if (this.#includedEdits > INCLUDED_EDITS_MAX) this.notes.add('many includes', file.name)
      step.state.setFile(file, blob, included)
      this.#addIncluder(file.page, included)
    }
  }

  #addIncluder(page: FilePage, included: IncludedFiles | undefined): void {
    for (const name of included?.contents.keys() ?? []) {
      const pages = this.#includers.get(name) ?? new Set()
      this.#includers.set(name, pages.add(page))
    }
  }

  /** Whether the pages of the last commit have the versions of their texts: those of older commits can be inexact. */
  async hasExactVersions(): Promise<boolean> {
    const { includable, head, beginsWithImport } = this.#context
    if (!beginsWithImport || this.#includedEdits > INCLUDED_EDITS_MAX) return true
    for (const { files } of this.headPages().values())
      for (const { file, blob, included: { version, contents } = {} } of files) {
        const exact = contents && includable.includedBy(file.name, blob, head, (name) => contents.get(name))
        if ((await exact)?.version !== version) return false
      }
    return true
  }

  headPages(): Map<FilePage, PageState> {
    const pages = Array.from(differences([], this.state), ([state]) => [state.page, state] as const)
    return new Map(pages.filter(([, { lineages }]) => lineages.length > 0))
  }

  #close(hash: string, generation: number, state: HistoryState): void {
    this.#open.set(hash, { generation, state, childrenLeft: this.#options.children.get(hash) ?? 0 })
    this.generation = generation
    this.state = state
    if (hash === this.#options.keep) this.kept = state
  }
}

/** Commits and changes that are kept in memory. With more, everything is read. */
const CHANGES_MAX = 20_000

export type CommitRange = { commits: CommitChanges[]; parents: Set<string> }

/** @returns null if the commit does not exist any more, or there are too many commits */
export const readRange = async (
  { repository, lastChanges }: ReadingContext,
  since: string,
): Promise<CommitRange | null> => {
  if ((await repository.objects.commit(since)) === null) return null
  const commits: CommitChanges[] = []
  let size = 0
  for await (const one of lastChanges.commitsSince(since)) {
    size += 1 + one.changes.length
    if (size > CHANGES_MAX) return null
    commits.push(one)
  }
  const hashes = new Set(commits.map(({ commit }) => commit.hash))
  const parents = commits.flatMap(({ commit }) => commit.parents)
  return { commits, parents: new Set(parents.filter((hash) => !hashes.has(hash))) }
}

/** Reads the history of a commit. @param keep a commit whose state is kept */
export const walkAll = async (context: ReadingContext, keep?: string): Promise<HistoryWalk> => {
  const { repository, head, lastChanges } = context
  const walk = new HistoryWalk(context, { children: await countChildren(repository, head), keep })
  for await (const one of lastChanges.commitsSince()) await walk.apply(one)
  if (!(await walk.hasExactVersions())) return walkAll({ ...context, beginsWithImport: false }, keep)
  context.notes.addAll(walk.notes)
  return walk
}
