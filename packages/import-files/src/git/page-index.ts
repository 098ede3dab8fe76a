import { ImportNotes } from '@lectern/wiki/import/notes'
import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { type FormerPath, type PageKey, pageKey } from '@lectern/wiki/records'
import { byteLength, isPlainText } from '@lectern/wiki/text'
import { HiddenContents } from '../files/document.ts'
import { layoutTarget } from '../files/layouts.ts'
import { FILE_NOTES, type FileNoteKind } from '../files/notes.ts'
import { findPageFiles, type PageFiles } from '../files/page-files.ts'
import { type FileContent, type FilePage, type PageFile, sortedFiles } from './history-state.ts'
import type { CommitTree } from './tree.ts'

const GIT_NOTES = {
  shallow:
    'WARNING: the clone is shallow, so older history is missing. Run git fetch --unshallow before the import; if you do it later, every edit gets a new id',
  submodule: 'Submodules left out; import their repositories as sources of their own',
  'moved page': 'Pages whose file was renamed; their histories are joined',
  'late clock':
    'Edits dated before the edit that they replace (a clock was wrong); they get the time of that edit',
  'many includes':
    'WARNING: pages with older texts of the files that they include, because changes of these would be more than 200,000 edits',
  'other edits':
    'Pages most of whose stored edits are not in this history (was it rewritten?); they stay next to the new edits',
  'other text':
    'Pages that still show an edit that is not in this history (was it rewritten?). To get the content of the ref, import it into a new database',
} as const

export class GitNotes extends ImportNotes<keyof typeof GIT_NOTES | FileNoteKind> {
  constructor() {
    super({ ...FILE_NOTES, ...GIT_NOTES })
  }
}

export type NamedPage = FilePage & PageKey & { files: PageFile[] }

type Target = { layout: number; page: NamedPage }
type NamedFiles = Pick<PageFiles, 'layouts' | 'content'>

/** The pages of file names. It grows as the tree and the history name files. */
export class PageIndex {
  readonly #pages = new Map<string, NamedPage>()
  readonly #files = new Map<string, PageFile | null>()
  readonly #linksTo = new Map<string, PageFile[]>()
  readonly #pageFiles: NamedFiles
  readonly #notes: GitNotes

  constructor(pageFiles: NamedFiles, notes: GitNotes) {
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

  filesOf(name: string): readonly PageFile[] {
    const file = this.fileOf(name)
    const links = this.#linksTo.get(name) ?? []
    return file === null ? links : links.length === 0 ? [file] : [file, ...links]
  }

  /** Further paths of a page, from its front matter. */
  aliasPaths(page: PageKey): FormerPath[] {
    return this.#pageFiles.content.aliasPaths.get(pageKey(page)) ?? []
  }

  /** Makes a symbolic link a page with all revisions of a file, unless the file is this page already. */
  addLink(link: string, file: string): void {
    const target = this.#targetOf(link)
    if (target === null || target.page === this.fileOf(file)?.page) return
    this.#linksTo.set(file, [...(this.#linksTo.get(file) ?? []), this.#newFile(link, target, file)])
  }

  pages(): NamedPage[] {
    return [...this.#pages.values()]
  }

  #targetOf(name: string): Target | null {
    const { layouts, content } = this.#pageFiles
    const target = content.leftOut?.test(name) ? null : layoutTarget(layouts, name)
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
  #newFile(name: string, { layout, page }: Target, linked: string | null): PageFile {
    const isLink = linked !== null
    const file = { name, layout, page, isLink, identity: isLink ? `${name}\0${linked}` : name }
    page.files.push(file)
    return file
  }
}

export interface HeadPages {
  tree: CommitTree
  index: PageIndex
  samples: string[]
  /** The symbolic links that are pages, and the files to which they lead. */
  links: [link: string, file: string][]
  hidden: HiddenContents
  /** The blob of `.mailmap`; null if there is none. */
  mailmap: string | null
}

export const findHeadPages = async (
  tree: CommitTree,
  pageFiles: NamedFiles,
  notes: GitNotes,
): Promise<HeadPages> => {
  let mailmap: string | null = null
  for (const { name, kind, content } of tree.entries()) {
    if (name === '.mailmap') mailmap = content
    if (kind === 'submodule') notes.add('submodule', name)
  }
  const { names, links, samples } = await findPageFiles(tree, pageFiles, notes)
  const index = new PageIndex(pageFiles, notes)
  for (const name of names) index.fileOf(name)
  for (const [link, file] of links) index.addLink(link, file)
  return { tree, index, samples, links, hidden: new HiddenContents(tree), mailmap }
}

/** The files of pages in the tree of a commit, the first one first. @param isWanted of which pages, by their index */
export const filesInTree = async (
  { tree, index, hidden }: Pick<HeadPages, 'tree' | 'index' | 'hidden'>,
  isWanted: (page: number) => boolean = () => true,
): Promise<Map<number, FileContent[]>> => {
  const pages = new Map<number, FileContent[]>()
  for (const { name, kind, content: blob } of tree.entries()) {
    if (kind !== 'regular') continue
    for (const file of index.filesOf(name)) {
      if (!isWanted(file.page.index)) continue
      const files = pages.get(file.page.index) ?? []
      files.push({ file, blob })
      pages.set(file.page.index, files)
    }
  }
  const double = [...pages].filter(([, { length }]) => length > 1)
  await hidden.ask(double.flatMap(([, files]) => files.map(({ blob }) => blob)))
  for (const [page, files] of double) pages.set(page, sortedFiles(files, hidden))
  return pages
}
