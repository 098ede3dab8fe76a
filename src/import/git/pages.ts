import { FIELD_BYTES_MAX } from '../../limits.ts'
import { byteLength, isPlainText } from '../../wiki/text.ts'
import {
  type FileContent,
  type FilePage,
  type FileRevision,
  findRevisions,
  isLater,
  type PageFile,
} from './history.ts'
import { type Layout, layoutTarget } from './layouts.ts'
import { isRegular } from './log.ts'
import { isMarkdownFile } from './markdown-files.ts'
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
  /** Names of pages in other markups, for the notes. */
  otherMarkup: RegExp | null
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
  const { layouts, leftOut, otherMarkup } = pageFiles
  const index = new PageIndex(pageFiles, notes)
  const samples: string[] = []
  await eachEntry(repository, head, ({ file: name, mode }) => {
    const isMarkdown = isMarkdownFile(name)
    if (isMarkdown && samples.length < 3) samples.push(name)
    if (leftOut?.test(name)) {
      if (isMarkdown) notes.add('no page', name)
    } else if (otherMarkup?.test(name)) notes.add('other markup', name)
    else if (!isRegular(mode)) {
      if (layoutTarget(layouts, name)) notes.add('link', name)
    } else if (index.fileOf(name) === null && isMarkdown && !layoutTarget(layouts, name))
      notes.add('no layout', name)
  })
  const atHead = await findRevisions(repository, head, {
    fileOf: (name) => index.fileOf(name),
    onLateClock: ({ file, commit }) => notes.add('late clock', `${file} at ${commit.hash.slice(0, 10)}`),
  })
  const pages = [...index.pages.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, page]) => gitPage(page, atHead.get(page.index) ?? [], layouts, notes))
  const files = [...index.pages.values()].flatMap((page) => page.files)
  return {
    pages,
    filesOfLayout: layouts.map((_, layout) => files.filter((file) => file.layout === layout).length),
    samples,
  }
}

/** Pages by locale and path, and their files. It grows as the history names files. */
class PageIndex {
  readonly pages = new Map<string, NamedPage>()
  readonly #files = new Map<string, PageFile | null>()
  readonly #pageFiles: PageFiles
  readonly #notes: GitNotes

  constructor(pageFiles: PageFiles, notes: GitNotes) {
    this.#pageFiles = pageFiles
    this.#notes = notes
  }

  fileOf(name: string): PageFile | null {
    let file = this.#files.get(name)
    if (file === undefined) {
      file = this.#newFile(name)
      this.#files.set(name, file)
    }
    return file
  }

  #newFile(name: string): PageFile | null {
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
    const file = { name, layout, page }
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
