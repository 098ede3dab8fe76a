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
import type { GitNotes } from './notes.ts'
import { eachEntry } from './objects.ts'
import type { Repository } from './repository.ts'

/** A page and its edits, oldest first in the wiki's order: by time, then id. */
export interface GitPage {
  locale: string
  path: string
  /** Whether pages of its path in other languages are its translations. */
  grouped: boolean
  /** The file that is the page at the ref, and its blob, which is also the last edit's; null when it is gone. */
  head: { file: string; blob: string } | null
  revisions: FileRevision[]
}

/** What the layouts find in a repository. */
export interface FoundPages {
  /** By locale and path. */
  pages: GitPage[]
  /** How many files, of the whole history, each layout takes. */
  filesOfLayout: number[]
  /** A few names of files at the ref, for messages. */
  samples: string[]
}

/** What file names end with that hold Markdown. */
const MARKDOWN = /\.(?:md|mdx|markdown|mdown|mkdn?|mdwn|mdtext|qmd|rmd)$/i

interface NamedPage extends FilePage {
  locale: string
  path: string
  files: PageFile[]
}

/** Reads a commit's tree and history, without the texts. */
export const findPages = async (
  repository: Repository,
  head: string,
  layouts: Layout[],
  notes: GitNotes,
): Promise<FoundPages> => {
  const index = new PageIndex(layouts, notes)
  const samples: string[] = []
  await eachEntry(repository, head, (name, regular) => {
    const isMarkdown = MARKDOWN.test(name)
    if (isMarkdown && samples.length < 3) samples.push(name)
    if (!regular) {
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

/** Pages by address, and the files that are them, as their names are met. */
class PageIndex {
  readonly pages = new Map<string, NamedPage>()
  readonly #files = new Map<string, PageFile | null>()
  readonly #layouts: Layout[]
  readonly #notes: GitNotes

  constructor(layouts: Layout[], notes: GitNotes) {
    this.#layouts = layouts
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
    const place = layoutTarget(this.#layouts, name)
    if (place === null) return null
    const { layout, locale, path } = place
    if (!isPlainText(name) || name.includes('\ufffd') || byteLength(path) > FIELD_BYTES_MAX.path) {
      this.#notes.add('unfit path', name)
      return null
    }
    const address = `${locale}\0${path}`
    let page = this.pages.get(address)
    if (page === undefined) {
      page = { index: this.pages.size, locale, path, files: [], revisions: [] }
      this.pages.set(address, page)
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
    const there = atHead.map(({ file }) => file)
    const names = [...there, ...files.filter((file) => !there.includes(file))].map(({ name }) => name)
    notes.add(there.length > 1 ? 'double page' : 'moved page', names.join(', '))
  }
  const shown = atHead[0]
  return {
    locale,
    path,
    grouped: files.some(({ layout }) => layouts[layout]!.namesLocale),
    head: shown === undefined ? null : { file: shown.file.name, blob: shown.blob },
    revisions: revisions.sort((a, b) => (isLater(a, b) ? 1 : -1)),
  }
}
