import { FIELD_BYTES_MAX } from '../../limits.ts'
import { byteLength, isPlainText } from '../../wiki/text.ts'
import { findRevisions, type HeadPage } from './history.ts'
import { type FilePage, type FileRevision, isLater, type PageFile } from './history-state.ts'
import { type Layout, layoutTarget } from './layouts.ts'
import { isRegular } from './log.ts'
import { isMarkdownFile } from './markdown-files.ts'
import type { GitNotes } from './notes.ts'
import { eachEntry } from './objects.ts'
import { RenameDetector } from './renames.ts'
import type { Repository } from './repository.ts'
import { followLinks, isLink } from './symbolic-links.ts'

/** A page and its revisions, oldest first: by time, then id. */
export interface GitPage {
  locale: string
  path: string
  /** Whether pages of its path in other languages are its translations. */
  hasTranslations: boolean
  /** The file of the page at the ref, and its blob, which is also the blob of the last revision; null if deleted. */
  head: { file: string; blob: string } | null
  revisions: FileRevision[]
  /** Paths that the page had before it was renamed. Each is the former path of one page alone. */
  formerPaths: { locale: string; path: string }[]
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
  const links = new Map<string, string>()
  await eachEntry(repository, head, ({ file: name, mode, blob }) => {
    const isMarkdown = isMarkdownFile(name)
    if (isMarkdown && samples.length < 3) samples.push(name)
    if (leftOut?.test(name)) {
      if (isMarkdown) notes.add('no page', name)
    } else if (otherMarkup?.test(name)) notes.add('other markup', name)
    else if (isLink(mode)) {
      if (layoutTarget(layouts, name)) links.set(name, blob)
    } else if (isRegular(mode) && index.fileOf(name) === null && isMarkdown && !layoutTarget(layouts, name))
      notes.add('no layout', name)
  })
  for (const [link, file] of await followLinks(repository, head, links)) {
    if (file === null || !index.addLink(link, file)) notes.add('link', link)
  }
  const renames = new RenameDetector(repository, layouts)
  const histories = await findRevisions(repository, head, {
    files: index,
    renames,
    onLateClock: ({ file, commit }) => notes.add('late clock', `${file} at ${commit.hash.slice(0, 10)}`),
  }).finally(() => renames.close())
  const named = [...index.pages.values()]
  const movedTo = lastMoves(histories)
  const pages = [...histories]
    .map(([number, history]) => gitPage(named[number]!, { history, movedTo, named }, { layouts, notes }))
    .sort((a, b) => (pageKey(a) < pageKey(b) ? -1 : 1))
  const files = named.flatMap((page) => page.files)
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
    const key = pageKey(target)
    let page = this.pages.get(key)
    if (page === undefined) {
      page = { index: this.pages.size, locale, path, files: [] }
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

const pageKey = ({ locale, path }: { locale: string; path: string }): string => `${locale}\0${path}`

/** Where the pages are now that have had the path of a page, by its index: of several, the one that left it last. */
const lastMoves = (
  histories: ReadonlyMap<number, HeadPage>,
): Map<number, { page: number; order: string }> => {
  const last = new Map<number, { page: number; order: string }>()
  for (const [page, { lineages }] of histories)
    for (const { from, order } of lineages.flatMap(({ moves }) => moves))
      if ((last.get(from.index)?.order ?? '') < order) last.set(from.index, { page, order })
  return last
}

interface PageContext {
  history: HeadPage
  movedTo: ReadonlyMap<number, { page: number }>
  /** All pages, by their index. */
  named: readonly NamedPage[]
}

const gitPage = (
  page: NamedPage,
  { history, movedTo, named }: PageContext,
  { layouts, notes }: { layouts: Layout[]; notes: GitNotes },
): GitPage => {
  const { index, locale, path, files } = page
  const current = history.files.map(({ file }) => file.name)
  const moves = history.lineages.flatMap((lineage) => lineage.moves)
  const names = new Set([...current, ...files.map(({ name }) => name), ...moves.map(({ file }) => file)])
  if (current.length > 1 || names.size > 1)
    notes.add(current.length > 1 ? 'double page' : 'moved page', [...names].join(', '))
  const shown = history.files[0]
  const former = new Set(
    moves.map(({ from }) => from.index).filter((from) => movedTo.get(from)?.page === index),
  )
  former.delete(index)
  return {
    locale,
    path,
    hasTranslations: files.some(({ layout }) => layouts[layout]!.setsLocale),
    head: shown === undefined ? null : { file: shown.file.name, blob: shown.blob },
    revisions: history.lineages
      .flatMap(({ revisions }) => revisions)
      .sort((a, b) => (isLater(a, b) ? 1 : -1)),
    formerPaths: [...former].map((from) => ({ locale: named[from]!.locale, path: named[from]!.path })),
  }
}
