import type { Timestamp } from '../../wiki/time.ts'
import { type Commit, countChildren, eachCommit } from './log.ts'
import { emptyArray, entries, entryAt, merged, type PersistentArray, withEntry } from './persistent-array.ts'
import type { Repository } from './repository.ts'
import { revisionId } from './revision-id.ts'

export interface FileRevision {
  id: string
  commit: Commit
  /** The commit date, but not earlier than the revision that it replaces. */
  createdAt: Timestamp
  file: string
  blob: string
}

/** The name of a file that matches a layout, and its page. */
export interface PageFile {
  name: string
  layout: number
  page: FilePage
  /** Whether the file is a symbolic link at the ref. It has the history of the file to which it leads. */
  isLink: boolean
}

/** A page in the history. */
export interface FilePage {
  /** From 0, in the order in which the pages are found. */
  index: number
  revisions: FileRevision[]
}

/** A file in the tree of one commit. */
export interface FileContent {
  file: PageFile
  blob: string
}

/** A page in the tree of one commit. */
interface PageState {
  /** The files of the page in this tree. The first one is used. */
  files: readonly FileContent[]
  /** Its last revision up to this commit, by time, then id. If there are files, it has the text of the first one. */
  newest: FileRevision | undefined
}

type Pages = PersistentArray<PageState>

/** A commit whose children are not all processed. */
interface OpenCommit {
  /** Length of the longest path to a root; 0 for a root. */
  generation: number
  pages: Pages
  childrenLeft: number
}

interface HistoryReader {
  /** The files of pages whose content is the file of this name: itself, and symbolic links. */
  filesOf(name: string): readonly PageFile[]
  /** The commit is dated before the revision that it replaces. */
  onLateClock(revision: FileRevision): void
}

/**
 * Finds the revisions of each page in the history of a commit, so that in every commit the last revision of a page, by
 * time and id, has the text in the tree of the commit (D72). The revisions depend on that history only: a later commit
 * has all revisions of the commits before it.
 *
 * A commit creates a revision if it changes the content of the page's file, or if the page would otherwise have another
 * text than its last revision: after a merge that was resolved manually or that took the text of one side, or after the
 * deletion of a file that preceded another file of the same page.
 * @returns for each page in the tree of the commit, by its index, its files; the first one is used
 */
export const findRevisions = async (
  repository: Repository,
  head: string,
  { filesOf, onLateClock }: HistoryReader,
): Promise<Map<number, readonly FileContent[]>> => {
  const children = await countChildren(repository, head)
  const open = new Map<string, OpenCommit>()
  let last: Pages = emptyArray()
  await eachCommit(repository, head, (commit, changes) => {
    const parents = commit.parents.map((hash) => open.get(hash)!)
    const generation = parents.reduce((max, parent) => Math.max(max, parent.generation + 1), 0)
    const pageChanges = changes.flatMap(({ file: name, blob }) =>
      filesOf(name).map((file) => ({ file, blob })),
    )
    const { pages, created } = applyCommit(commit, generation, parents, pageChanges)
    for (const { page, revision } of created) {
      page.revisions.push(revision)
      if (revision.createdAt !== commit.createdAt) onLateClock(revision)
    }
    for (const [i, parent] of parents.entries()) {
      parent.childrenLeft -= 1
      if (parent.childrenLeft === 0) open.delete(commit.parents[i]!)
    }
    open.set(commit.hash, { generation, pages, childrenLeft: children.get(commit.hash) ?? 0 })
    last = pages
  })
  return new Map([...entries(last)].map(([index, { files }]) => [index, files]))
}

/** The pages after a commit, from the pages of its parents, and the revisions that the commit creates. */
const applyCommit = (
  commit: Commit,
  generation: number,
  parents: readonly { pages: Pages }[],
  changes: readonly { file: PageFile; blob: string | null }[],
): { pages: Pages; created: { page: FilePage; revision: FileRevision }[] } => {
  const [first, ...others] = parents.map((parent) => parent.pages)
  let pages = first ?? emptyArray<PageState>()
  const touched = new Set<number>()
  for (const other of others) {
    pages = merged(pages, other, (one, { newest }, index) => {
      if (one !== undefined && !isLater(newest, one.newest)) return one
      touched.add(index)
      return { files: one?.files ?? [], newest }
    })
  }
  for (const { file, blob } of changes) {
    const { index } = file.page
    const { files = [], newest } = entryAt(pages, index) ?? {}
    const rest = files.filter((one) => one.file !== file)
    pages = withEntry(pages, index, {
      files: blob === null ? rest : [...rest, { file, blob }].sort(byPrecedence),
      newest,
    })
    touched.add(index)
  }
  const isMerge = parents.length > 1
  const changedFiles = new Set(isMerge ? [] : changes.map(({ file }) => file))
  const created: { page: FilePage; revision: FileRevision }[] = []
  for (const index of touched) {
    const { files, newest } = entryAt(pages, index)!
    const shown = files[0]
    if (shown === undefined || (shown.blob === newest?.blob && !changedFiles.has(shown.file))) continue
    const revision = {
      id: revisionId(generation, commit.hash, shown.file.name),
      commit,
      createdAt:
        newest !== undefined && newest.createdAt > commit.createdAt ? newest.createdAt : commit.createdAt,
      file: shown.file.name,
      blob: shown.blob,
    }
    created.push({ page: shown.file.page, revision })
    pages = withEntry(pages, index, { files, newest: revision })
  }
  return { pages, created }
}

/**
 * Several files can be one page: `tea.md` was renamed to `tea.mdx`, or exists beside `tea/index.md`. In each commit,
 * the first file in the tree is used: by layout, files before links, then the shorter name (D18).
 */
const byPrecedence = ({ file: a }: FileContent, { file: b }: FileContent): number =>
  a.layout - b.layout ||
  Number(a.isLink) - Number(b.isLink) ||
  a.name.length - b.name.length ||
  (a.name < b.name ? -1 : 1)

/** Compares by time, then id. Both are ASCII, so comparing strings is comparing bytes. */
export const isLater = (one: FileRevision | undefined, other: FileRevision | undefined): boolean => {
  if (one === undefined || other === undefined) return one !== undefined
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt
  return one.id > other.id
}
