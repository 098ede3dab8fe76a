import { FIELD_BYTES_MAX } from '../../limits.ts'
import { byteLength, isPlainText } from '../../wiki/text.ts'
import { pageKey } from '../../write/records.ts'
import { type Layout, layoutTarget } from '../files/layouts.ts'
import type { PageFileNames } from './commit-step.ts'
import type { FilePage, PageFile } from './history-state.ts'
import type { GitNotes } from './notes.ts'

/** Which files of a repository are pages. */
export interface PageFiles {
  layouts: Layout[]
  /** Names of files that are not pages, although a layout matches them. */
  leftOut: RegExp | null
}

export interface NamedPage extends FilePage {
  locale: string
  path: string
  files: PageFile[]
}

/** Symbolic links to one file that become pages. Each has all revisions of the file. */
const LINKS_MAX = 20

/** The pages of file names. It grows as the tree and the history name files. */
export class PageIndex implements PageFileNames {
  readonly #pages = new Map<string, NamedPage>()
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
      file = target && this.#newFile(name, target, null)
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
    links.push(this.#newFile(link, target, file))
    this.#linksTo.set(file, links)
    return true
  }

  /** All pages, by their index. */
  pages(): NamedPage[] {
    return [...this.#pages.values()]
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
    let page = this.#pages.get(key)
    if (page === undefined) {
      page = { index: this.#pages.size, locale, path, files: [] }
      this.#pages.set(key, page)
    }
    return { layout, page }
  }

  /** @param linked the file to which a symbolic link leads; null: it is none */
  #newFile(
    name: string,
    { layout, page }: { layout: number; page: NamedPage },
    linked: string | null,
  ): PageFile {
    const isLink = linked !== null
    const file = { name, layout, page, isLink, identity: isLink ? `${name}\0${linked}` : name }
    page.files.push(file)
    return file
  }
}
