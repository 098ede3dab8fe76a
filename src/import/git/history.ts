import type { Timestamp } from '../../wiki/time.ts'
import { type Commit, countChildren, eachCommit } from './log.ts'
import { emptyArray, entries, entryAt, merged, type PersistentArray, withEntry } from './persistent-array.ts'
import type { Repository } from './repository.ts'
import { revisionId } from './revision-id.ts'

export interface FileRevision {
  id: string
  commit: Commit
  /** When it was committed, but not before the edit that it replaces. */
  createdAt: Timestamp
  file: string
  blob: string
}

/** A file's name that a layout takes, and the page that it is. */
export interface PageFile {
  name: string
  layout: number
  page: FilePage
}

/** What the history has of a page. */
export interface FilePage {
  /** From 0, in the order in which pages are met. */
  index: number
  revisions: FileRevision[]
}

/** A file in one commit's tree. */
export interface FileContent {
  file: PageFile
  blob: string
}

/** A page in one commit's tree. */
interface PageState {
  /** The files there that could be the page; the first one is. */
  files: readonly FileContent[]
  /** The last of its edits that lead to the commit, in the wiki's order; where there are files, it has their text. */
  newest: FileRevision | undefined
}

type Pages = PersistentArray<PageState>

/** A commit with children that are still to come. */
interface OpenCommit {
  /** Steps of the longest way down to a root; 0 at a root. */
  generation: number
  pages: Pages
  childrenLeft: number
}

interface HistoryReader {
  /** The page of a file's name; null where it is none. */
  fileOf(name: string): PageFile | null
  /** An edit is dated before the edit that it replaces. */
  onLateClock(edit: FileRevision): void
}

/**
 * Finds the edits of each page in the history that leads to a commit, so that in every commit the last edit of a
 * page, by time and id, has the text that the commit's tree has (D72). They follow from that history alone: a
 * later commit has every edit of the commits before it.
 *
 * An edit is a commit that gives the page's file new content, and every other commit that leaves the page with
 * another text than its last edit's: a merge that was settled by hand or that took one side's text, or the
 * deletion of a file that stood before another one of the same page.
 * @returns for each page of the commit's tree, by the page's index, the files that could be it; the first one is
 */
export const findRevisions = async (
  repository: Repository,
  head: string,
  { fileOf, onLateClock }: HistoryReader,
): Promise<Map<number, readonly FileContent[]>> => {
  const children = await countChildren(repository, head)
  const open = new Map<string, OpenCommit>()
  let last: Pages = emptyArray()
  await eachCommit(repository, head, (commit, changes) => {
    const parents = commit.parents.map((hash) => open.get(hash)!)
    const generation = parents.reduce((most, parent) => Math.max(most, parent.generation + 1), 0)
    const found = changes.flatMap(({ file, blob }) => {
      const pageFile = fileOf(file)
      return pageFile ? [{ file: pageFile, blob }] : []
    })
    const { pages, edits } = step(commit, generation, parents, found)
    for (const { page, edit } of edits) {
      page.revisions.push(edit)
      if (edit.createdAt !== commit.createdAt) onLateClock(edit)
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

/** What one commit makes of the pages that its parents have. */
const step = (
  commit: Commit,
  generation: number,
  parents: readonly { pages: Pages }[],
  changes: readonly { file: PageFile; blob: string | null }[],
): { pages: Pages; edits: { page: FilePage; edit: FileRevision }[] } => {
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
  const given = new Set(isMerge ? [] : changes.map(({ file }) => file))
  const edits: { page: FilePage; edit: FileRevision }[] = []
  for (const index of touched) {
    const { files, newest } = entryAt(pages, index)!
    const shown = files[0]
    if (shown === undefined || (shown.blob === newest?.blob && !given.has(shown.file))) continue
    const edit = {
      id: revisionId(generation, commit.hash, shown.file.name),
      commit,
      createdAt:
        newest !== undefined && newest.createdAt > commit.createdAt ? newest.createdAt : commit.createdAt,
      file: shown.file.name,
      blob: shown.blob,
    }
    edits.push({ page: shown.file.page, edit })
    pages = withEntry(pages, index, { files, newest: edit })
  }
  return { pages, edits }
}

/**
 * Several files can be one page: `tea.md` became `tea.mdx`, or lies beside `tea/index.md`. In each commit the page
 * is the first of them that the commit's tree has: by layout, then the shorter name (D18).
 */
const byPrecedence = ({ file: a }: FileContent, { file: b }: FileContent): number =>
  a.layout - b.layout || a.name.length - b.name.length || (a.name < b.name ? -1 : 1)

/** In the wiki's order of edits. Moments and ids are ASCII: comparing them as strings is comparing their bytes. */
export const isLater = (one: FileRevision | undefined, other: FileRevision | undefined): boolean => {
  if (one === undefined || other === undefined) return one !== undefined
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt
  return one.id > other.id
}
