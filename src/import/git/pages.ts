import { BYTES } from '../../limits.ts'
import { byteLength, isPlainText } from '../../wiki/text.ts'
import { type Layout, type Place, placeOf } from './layouts.ts'
import { type Commit, eachChange } from './log.ts'
import type { Notes } from './notes.ts'
import { eachEntry, existing } from './objects.ts'
import type { Repository } from './repository.ts'
import { revisionId } from './revision-id.ts'

export interface Edit {
  id: string
  commit: Commit
  file: string
  blob: string
}

/** A page and its edits, oldest first in the wiki's order: by time, then id. */
export interface GitPage {
  locale: string
  path: string
  /** Whether pages of its path in other languages are its translations. */
  grouped: boolean
  /** The file that is the page at the ref, and its blob; null when it is gone. */
  head: { file: string; blob: string } | null
  edits: Edit[]
}

/** What the layouts find in a repository. */
export interface Found {
  /** By locale and path. */
  pages: GitPage[]
  /** How many files, of the whole history, each layout takes. */
  filesOfLayout: number[]
  /** A few names of files at the ref, for messages. */
  samples: string[]
}

interface PageFile {
  file: string
  place: Place
  head: string | null
  edits: Edit[]
}

/** Reads a commit's tree and history, without the texts. */
export const findPages = async (
  repository: Repository,
  head: string,
  layouts: Layout[],
  notes: Notes,
): Promise<Found> => {
  const files = new Map<string, PageFile | null>()
  const samples: string[] = []
  const fileOf = (name: string): PageFile | null => {
    let file = files.get(name)
    if (file === undefined) {
      file = pageFile(name, layouts, notes)
      files.set(name, file)
    }
    return file
  }
  await eachEntry(repository, head, (name, blob, regular) => {
    if (samples.length < 3 && /\.(md|mdx|markdown)$/i.test(name)) samples.push(name)
    if (!regular) {
      if (placeOf(layouts, name)) notes.add('link', name)
      return
    }
    const file = fileOf(name)
    if (file) file.head = blob
  })
  await eachChange(repository, head, ({ commit, file: name, blob }) => {
    const file = fileOf(name)
    if (file)
      file.edits.push({ id: revisionId(commit.generation, commit.hash, name), commit, file: name, blob })
  })
  const kept = [...files.values()].filter((file) => file !== null)
  return {
    pages: await pagesOf(repository, kept, layouts, notes),
    filesOfLayout: layouts.map((_, index) => kept.filter((file) => file.place.layout === index).length),
    samples,
  }
}

const pageFile = (name: string, layouts: Layout[], notes: Notes): PageFile | null => {
  const place = placeOf(layouts, name)
  if (place === null) return null
  if (!isPlainText(name) || name.includes('\ufffd') || byteLength(place.path) > BYTES.path) {
    notes.add('unfit path', name)
    return null
  }
  return { file: name, place, head: null, edits: [] }
}

const pagesOf = async (
  repository: Repository,
  files: PageFile[],
  layouts: Layout[],
  notes: Notes,
): Promise<GitPage[]> => {
  const filesOfPage = new Map<string, PageFile[]>()
  for (const file of files) {
    const key = `${file.place.locale}\0${file.place.path}`
    const others = filesOfPage.get(key)
    if (others) others.push(file)
    else filesOfPage.set(key, [file])
  }
  const shared = [...filesOfPage.values()].filter((list) => list.length > 1)
  await joinHistories(repository, shared, notes)
  return [...filesOfPage.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, [first, ...others]]) => ({
      locale: first!.place.locale,
      path: first!.place.path,
      grouped: [first!, ...others].some((file) => layouts[file.place.layout]!.namesLocale),
      head: first!.head === null ? null : { file: first!.file, blob: first!.head },
      edits: [first!, ...others].flatMap((file) => file.edits).sort(byTimeThenId),
    }))
}

/**
 * Several files can be one page: `tea.md` became `tea.mdx`, or lies beside `tea/index.md`. In each commit
 * the page is the first of them that the commit's tree has, those that still exist before those that are
 * gone, then by layout and length of name. So an edit counts unless a file before it existed at that moment,
 * on that branch. Puts each list in that order and drops the edits that do not count.
 */
const joinHistories = async (repository: Repository, pages: PageFile[][], notes: Notes): Promise<void> => {
  if (pages.length === 0) return
  const asked: { file: PageFile; edit: Edit; before: string }[] = []
  for (const files of pages) {
    files.sort(byPrecedence)
    const kind = files[1]!.head === null ? 'moved page' : 'double page'
    notes.add(kind, files.map(({ file }) => file).join(', '))
    for (const [index, file] of files.entries()) {
      for (const edit of file.edits) {
        for (const before of files.slice(0, index)) asked.push({ file, edit, before: before.file })
      }
    }
  }
  const exist = await existing(
    repository,
    asked.map(({ edit, before }) => `${edit.commit.hash}:${before}`),
  )
  const idle = new Set(asked.filter((_, index) => exist[index]).map(({ edit }) => edit))
  for (const file of pages.flat()) file.edits = file.edits.filter((edit) => !idle.has(edit))
}

const byPrecedence = (a: PageFile, b: PageFile): number =>
  Number(a.head === null) - Number(b.head === null) ||
  a.place.layout - b.place.layout ||
  a.file.length - b.file.length ||
  (a.file < b.file ? -1 : 1)

/** Moments and ids are ASCII: comparing them as strings is comparing their bytes. */
const byTimeThenId = (a: Edit, b: Edit): number => {
  if (a.commit.createdAt !== b.commit.createdAt) return a.commit.createdAt < b.commit.createdAt ? -1 : 1
  return a.id < b.id ? -1 : 1
}
