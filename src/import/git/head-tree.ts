import { layoutTarget } from '../files/layouts.ts'
import { isMarkdownFile } from '../files/markdown-files.ts'
import { followLinks } from '../files/symbolic-links.ts'
import { commitTree } from './commit-tree.ts'
import { byPrecedence, type FileContent } from './history-state.ts'
import { isLink, isRegular, isSubmodule } from './log.ts'
import type { GitNotes } from './notes.ts'
import { eachEntry } from './objects.ts'
import { type PageFiles, PageIndex } from './page-index.ts'
import type { Repository } from './repository.ts'

/** The files of a commit, without their texts. */
export interface HeadTree {
  /** With the pages of these files. */
  index: PageIndex
  /** Some names of Markdown files, for messages. */
  samples: string[]
  /** The symbolic links that are pages, and the files to which they lead. */
  links: [link: string, file: string | null][]
  /** The blob of `.mailmap`; null if there is none. */
  mailmap: string | null
}

/** Reads the tree of the commit whose history is imported. */
export const readHeadTree = async (
  repository: Repository,
  head: string,
  pageFiles: PageFiles,
  notes: GitNotes,
): Promise<HeadTree> => {
  const { layouts, leftOut } = pageFiles
  const index = new PageIndex(pageFiles, notes)
  const samples: string[] = []
  const links = new Map<string, string>()
  let mailmap: string | null = null
  await eachEntry(repository, head, ({ file: name, mode, blob }) => {
    if (name === '.mailmap') mailmap = blob
    const isMarkdown = isMarkdownFile(name)
    if (isMarkdown && samples.length < 3) samples.push(name)
    if (isSubmodule(mode)) notes.add('submodule', name)
    else if (leftOut?.test(name)) {
      if (isMarkdown) notes.add('no page', name)
    } else if (isLink(mode)) {
      if (layoutTarget(layouts, name)) links.set(name, blob)
    } else if (isRegular(mode) && index.fileOf(name) === null && isMarkdown && !layoutTarget(layouts, name))
      notes.add('no layout', name)
  })
  const followed = [...(await followLinks(commitTree(repository, head), links))]
  for (const [link, file] of followed)
    if (file === null || !index.addLink(link, file)) notes.add('link', link)
  return { index, samples, links: followed, mailmap }
}

/**
 * The files of pages in the tree of a commit, the first one first.
 * @param isWanted of which pages, by their index
 */
export const filesInTree = async (
  repository: Repository,
  commit: string,
  index: PageIndex,
  isWanted: (page: number) => boolean,
): Promise<Map<number, FileContent[]>> => {
  const pages = new Map<number, FileContent[]>()
  await eachEntry(repository, commit, ({ file: name, mode, blob }) => {
    if (!isRegular(mode)) return
    for (const file of index.filesOf(name)) {
      if (!isWanted(file.page.index)) continue
      const files = pages.get(file.page.index) ?? []
      files.push({ file, blob })
      pages.set(file.page.index, files)
    }
  })
  for (const files of pages.values()) files.sort(byPrecedence)
  return pages
}
