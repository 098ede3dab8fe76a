import { FIELD_BYTES_MAX } from '../../limits.ts'
import { byteLength, isPlainText } from '../../wiki/text.ts'
import { caseClashes } from '../files/case-clashes.ts'
import { type Layout, layoutTarget } from '../files/layouts.ts'
import { isMarkdownFile } from '../files/markdown-files.ts'
import { followLinks } from '../files/symbolic-links.ts'
import { commitTree } from './commit-tree.ts'
import {
  type FileContent,
  type FilePage,
  type FileRevision,
  findRevisions,
  isLater,
  type PageFile,
} from './history.ts'
import { isLink, isRegular, isSubmodule } from './log.ts'
import type { GitNotes } from './notes.ts'
import { eachEntry } from './objects.ts'
import type { Repository } from './repository.ts'

/** A page and its revisions, oldest first: by time, then id. */
export interface GitPage {
  locale: string
  path: string
  /** Whether pages of its path in other languages are its translations. */
  hasTranslations: boolean
  /** The file of the page at the ref, and its blob, which is also the blob of the last revision; null if deleted. */
  head: { file: string; blob: string } | null
  revisions: FileRevision[]
}

/** The pages that the layouts find in a repository. */
export interface FoundPages {
  /** Sorted by locale and path. */
  pages: GitPage[]
  /** For each layout, how many files of the whole history match it. */
  filesOfLayout: number[]
  /** Some names of Markdown files at the ref, for messages. */
  samples: string[]
}

/** Which files of a repository are pages. */
interface PageFiles {
  layouts: Layout[]
  /** Names of files that are not pages, although a layout matches them. */
  leftOut: RegExp | null
}

interface NamedPage extends FilePage {
  locale: string
  path: string
  files: PageFile[]
}

/** Reads the tree and the history of a commit, without the texts. */
export const findPages = async (
  repository: Repository,
  head: string,
  pageFiles: PageFiles,
  notes: GitNotes,
): Promise<FoundPages> => {
  const { layouts, leftOut } = pageFiles
  const index = new PageIndex(pageFiles, notes)
  const samples: string[] = []
  const links = new Map<string, string>()
  await eachEntry(repository, head, ({ file: name, mode, blob }) => {
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
  for (const [link, file] of await followLinks(commitTree(repository, head), links)) {
    if (file === null || !index.addLink(link, file)) notes.add('link', link)
  }
  const atHead = await findRevisions(repository, head, {
    filesOf: (name) => index.filesOf(name),
    onLateClock: ({ file, commit }) => notes.add('late clock', `${file} at ${commit.hash.slice(0, 10)}`),
  })
  const pages = [...index.pages.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, page]) => gitPage(page, atHead.get(page.index) ?? [], layouts, notes))
  const current = pages.flatMap(({ head }) => (head === null ? [] : [head.file]))
  for (const clash of caseClashes(current)) notes.add('case', clash.join(', '))
  const files = [...index.pages.values()].flatMap((page) => page.files)
  return {
    pages,
    filesOfLayout: layouts.map((_, layout) => files.filter((file) => file.layout === layout).length),
    samples,
  }
}

/** Symbolic links to one file that become pages. Each has all revisions of the file. */
const LINKS_MAX = 20

/** Pages by locale and path, and their files. It grows as the history names files. */
class PageIndex {
  readonly pages = new Map<string, NamedPage>()
  readonly #files = new Map<string, PageFile | null>()
  /** Symbolic links, by the file to which they lead. */
  readonly #linksTo = new Map<string, PageFile[]>()
  readonly #pageFiles: PageFiles
  readonly #notes: GitNotes

  constructor(pageFiles: PageFiles, notes: GitNotes) {
    this.#pageFiles = pageFiles
    this.#notes = notes
  }

  fileOf(name: string): PageFile | null {
    let file = this.#files.get(name)
    if (file === undefined) {
      const target = this.#targetOf(name)
      file = target && this.#newFile(name, target, false)
      this.#files.set(name, file)
    }
    return file
  }

  /** The file of this name, if it is a page, and the links that lead to it. */
  filesOf(name: string): readonly PageFile[] {
    const file = this.fileOf(name)
    const links = this.#linksTo.get(name) ?? []
    return file === null ? links : links.length === 0 ? [file] : [file, ...links]
  }

  /**
   * Makes a symbolic link a page with the content of a file, unless the file is this page already.
   * @returns whether it could
   */
  addLink(link: string, file: string): boolean {
    const links = this.#linksTo.get(file) ?? []
    if (links.length === LINKS_MAX) return false
    const target = this.#targetOf(link)
    if (target === null || target.page === this.fileOf(file)?.page) return true
    links.push(this.#newFile(link, target, true))
    this.#linksTo.set(file, links)
    return true
  }

  #targetOf(name: string): { layout: number; page: NamedPage } | null {
    const { layouts, leftOut } = this.#pageFiles
    const target = leftOut?.test(name) ? null : layoutTarget(layouts, name)
    if (target === null) return null
    const { layout, locale, path } = target
    if (!isPlainText(name) || name.includes('\ufffd') || byteLength(path) > FIELD_BYTES_MAX.path) {
      this.#notes.add('unfit path', name)
      return null
    }
    const key = `${locale}\0${path}`
    let page = this.pages.get(key)
    if (page === undefined) {
      page = { index: this.pages.size, locale, path, files: [], revisions: [] }
      this.pages.set(key, page)
    }
    return { layout, page }
  }

  #newFile(name: string, { layout, page }: { layout: number; page: NamedPage }, isLink: boolean): PageFile {
    const file = { name, layout, page, isLink }
    page.files.push(file)
    return file
  }
}

const gitPage = (
  { locale, path, files, revisions }: NamedPage,
  atHead: readonly FileContent[],
  layouts: Layout[],
  notes: GitNotes,
): GitPage => {
  if (files.length > 1) {
    const current = atHead.map(({ file }) => file)
    const names = [...current, ...files.filter((file) => !current.includes(file))].map(({ name }) => name)
    notes.add(current.length > 1 ? 'double page' : 'moved page', names.join(', '))
  }
  const shown = atHead[0]
  return {
    locale,
    path,
    hasTranslations: files.some(({ layout }) => layouts[layout]!.setsLocale),
    head: shown === undefined ? null : { file: shown.file.name, blob: shown.blob },
    revisions: revisions.sort((a, b) => (isLater(a, b) ? 1 : -1)),
  }
}
