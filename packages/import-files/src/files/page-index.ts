import { FIELD_BYTES_MAX } from '@lectern/wiki/limits'
import { type FormerPath, type PageKey, pageKey } from '@lectern/wiki/records'
import { addToList, byteLength, forShell, isPlainText, quote } from '@lectern/wiki/text'
import { hasOtherMarkup } from '../markups/markup.ts'
import { type HiddenContents, hiddenContents } from './document.ts'
import { type FileTree, followLinks, isMarkdownFile, type TreeFile } from './file-tree.ts'
import { isNoPage, layoutTarget } from './layouts.ts'
import { excludedBy } from './name-patterns.ts'
import { addCaseClashes, type FileNotes } from './notes.ts'
import type { Formerly, PageFiles } from './page-files.ts'

export interface PageFile {
  name: string
  layout: number
  page: FilePage
  /** Whether the file is a symbolic link at the ref. It has the history of the file to which it leads. */
  isLink: boolean
  /** What the ids of revisions are made of: its name; of a link, also the file to which it leads. */
  identity: string
}

/** `index`: from 0, in the order in which the pages are found. */
export type FilePage = PageKey & { index: number; files: PageFile[] }

export type PageContent = { file: PageFile; blob: string }

type NamedFiles = Pick<PageFiles, 'layouts' | 'content' | 'markup'>
type Target = { layout: number; page: FilePage }

/** The pages of file names. It grows as the tree and the history name files. */
export class PageIndex {
  readonly #pages = new Map<string, FilePage>()
  readonly #files = new Map<string, PageFile | null>()
  readonly #linksTo = new Map<string, PageFile[]>()
  readonly #pageFiles: NamedFiles
  readonly #notes: FileNotes
  /** Patterns that match no file so far. */
  readonly unusedPatterns: Set<string>

  constructor(pageFiles: NamedFiles, notes: FileNotes) {
    this.#pageFiles = pageFiles
    this.#notes = notes
    this.unusedPatterns = new Set(pageFiles.content.leftOut?.excluded)
  }

  fileOf(name: string): PageFile | null {
    let file = this.#files.get(name)
    if (file === undefined) {
      const target = this.#targetOf(name)
      file = target && this.#newFile(name, target, name)
      this.#files.set(name, file)
    }
    return file
  }

  filesOf(name: string): readonly PageFile[] {
    const file = this.fileOf(name)
    const links = this.#linksTo.get(name) ?? []
    return file === null ? links : links.length === 0 ? [file] : [file, ...links]
  }

  /** Further paths of a page: of its front matter, and those of its files in layouts that were recognized before. */
  aliasPaths(page: FilePage): FormerPath[] {
    const { aliasPaths, formerLayouts } = this.#pageFiles.content
    const former = page.files.flatMap(({ name }) =>
      formerLayouts.flatMap((one) => layoutTarget(one, name) ?? []),
    )
    const free = former.filter((one) => !this.#pages.has(pageKey(one)))
    return [...(aliasPaths.get(pageKey(page)) ?? []), ...free.map(({ locale, path }) => ({ locale, path }))]
  }

  /** Makes a symbolic link a page with all revisions of a file, unless the file is this page already. @returns false if the file has too many */
  addLink(link: string, file: string): boolean {
    if (this.#linksTo.get(file)?.length === LINKS_MAX) return false
    const target = this.#targetOf(link)
    if (target !== null && target.page !== this.fileOf(file)?.page)
      addToList(this.#linksTo, file, this.#newFile(link, target, `${link}\0${file}`))
    return true
  }

  /** The keys of paths that a site, other than a vault, declares as former addresses. */
  declaredPaths(): Set<string> {
    const { aliasPaths, linkMarkup } = this.#pageFiles.content
    return new Set(linkMarkup === 'markdown' ? [...aliasPaths.values()].flat().map(pageKey) : [])
  }

  pages(): FilePage[] {
    return [...this.#pages.values()]
  }

  /** As `newlyShows` of a source: files of patterns, also of former pages. Earlier edits of marked texts can have no mark. */
  newlyShown({ excluded, wasExplicit, isFirst }: Formerly) {
    const names = this.pages().flatMap(({ files }) => files.map(({ name }) => excludedBy(name, excluded)))
    const options = [...new Set(names.flat())].map(excludeOption)
    const texts = names.filter(({ length }) => length > 0).length
    const unused = isFirst ? [...this.unusedPatterns].map(excludeOption) : []
    if (!wasExplicit) return { texts, options, unused }
    const unmarked = this.#pageFiles.content.unmarked.filter((name) => this.fileOf(name))
    return {
      texts: texts + Math.max(1, unmarked.length),
      options: [...options, '--explicit-publish'],
      unused,
    }
  }

  usedLayouts(): Set<number> {
    return new Set(this.pages().flatMap(({ files }) => files.map(({ layout }) => layout)))
  }

  #targetOf(name: string): Target | null {
    const { layouts, content } = this.#pageFiles
    for (const pattern of excludedBy(name, [...this.unusedPatterns])) this.unusedPatterns.delete(pattern)
    const target = content.leftOut?.test(name) ? null : layoutTarget(layouts, name)
    if (target === null) return null
    const { layout, locale, path } = target
    if (!isPlainText(name) || name.includes('\ufffd') || byteLength(path) > FIELD_BYTES_MAX.path) {
      this.#notes.add('unfit path', name)
      return null
    }
    const key = pageKey(target)
    const page = this.#pages.get(key) ?? { index: this.#pages.size, locale, path, files: [] }
    this.#pages.set(key, page)
    return { layout, page }
  }

  #newFile(name: string, { layout, page }: Target, identity: string): PageFile {
    const file = { name, layout, page, isLink: identity !== name, identity }
    page.files.push(file)
    return file
  }
}

const excludeOption = (pattern: string): string => `--exclude ${forShell(quote(pattern))}`

export type FoundPages = Awaited<ReturnType<typeof findPages>>

const LICENSE = /^(?:licen[cs]e|copying)(?:[-.][\w.-]+)?$/i

/** Finds the pages of a tree. Notes other texts, and licenses: that of code need not be that of texts. @param license that is known */
export const findPages = async (tree: FileTree, named: NamedFiles, notes: FileNotes, license?: string) => {
  const { content, layouts } = named
  const index = new PageIndex(named, notes)
  const { excluded = [] } = content.leftOut ?? {}
  const samples: string[] = []
  const links: TreeFile[] = []
  for (const file of tree.files()) {
    const { name, kind } = file
    if (license === undefined && LICENSE.test(name)) notes.add('license', name)
    const isText = isMarkdownFile(name) || hasOtherMarkup(name)
    if (isText && samples.length < 3 && !isNoPage(name)) samples.push(name)
    const patterns = excludedBy(name, excluded)
    for (const pattern of patterns) index.unusedPatterns.delete(pattern)
    if (content.leftOut?.test(name)) {
      const reason = content.leftOut.isOfVault ? 'excluded note' : 'no page'
      if (isText) notes.add(patterns.length > 0 ? 'excluded' : reason, name)
    } else if (layoutTarget(layouts, name) === null) {
      if (isText && kind === 'regular') notes.add(isNoPage(name) ? 'hidden' : 'no layout', name)
      else if (content.linkMarkup === 'obsidian' && name.endsWith('.base')) notes.add('base', name)
    } else if (kind === 'link') links.push(file)
    else index.fileOf(name)
  }
  for (const pattern of index.unusedPatterns) notes.add('unused exclude', pattern)
  const followed: [link: string, file: string][] = []
  for (const [link, file] of await followLinks(tree, links))
    if (file !== null && index.addLink(link, file)) followed.push([link, file])
    else notes.add('link', link)
  const hidden = hiddenContents({ ...tree, explicitPublish: named.markup.explicitPublish })
  const current = await filesInTree({ tree, index, hidden })
  const shown = Array.from(current.values(), ([first]) => first!.file.name)
  addCaseClashes(shown, notes)
  for (const [kind, examples, ofPages] of content.siteNotes)
    for (const example of examples) if (!ofPages || index.fileOf(example)) notes.add(kind, example)
  return {
    index,
    samples,
    /** The symbolic links that are pages, and the files to which they lead. */
    links: followed,
    hidden,
    /** The files of each page, the first one first. */
    current,
  }
}

const LINKS_MAX = 20

/** The files of pages in a tree, the first one first. @param isWanted of which pages */
export const filesInTree = async (
  { tree, index, hidden }: { tree: FileTree; index: PageIndex; hidden: HiddenContents },
  isWanted: (page: FilePage) => boolean = () => true,
): Promise<Map<FilePage, PageContent[]>> => {
  const pages = new Map<FilePage, PageContent[]>()
  for (const { name, kind, content: blob } of tree.files()) {
    if (kind !== 'regular') continue
    for (const file of index.filesOf(name))
      if (isWanted(file.page)) addToList(pages, file.page, { file, blob })
  }
  const double = [...pages].filter(([, { length }]) => length > 1)
  await hidden.ask(double.flatMap(([, files]) => files.map(({ blob }) => blob)))
  for (const [page, files] of double) pages.set(page, sortedFiles(files, hidden))
  return pages
}

/** Of several files of one page, the first is shown: no drafts, by layout, files before links, the shorter name. (D72) */
export const sortedFiles = <Content extends PageContent>(files: readonly Content[], hidden: HiddenContents) =>
  files.toSorted(
    ({ file: a, blob }, { file: b, blob: other }) =>
      Number(hidden.has(blob)) - Number(hidden.has(other)) ||
      a.layout - b.layout ||
      Number(a.isLink) - Number(b.isLink) ||
      a.name.length - b.name.length ||
      (a.name < b.name ? -1 : 1),
  )
