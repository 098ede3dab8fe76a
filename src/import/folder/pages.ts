import { FIELD_BYTES_MAX } from '../../limits.ts'
import { byteLength, isPlainText } from '../../wiki/text.ts'
import { pageKey } from '../../write/records.ts'
import { caseClashes } from '../files/case-clashes.ts'
import type { FileTree } from '../files/file-tree.ts'
import { type Layout, layoutTarget } from '../files/layouts.ts'
import { isMarkdownFile } from '../files/markdown-files.ts'
import { followLinks } from '../files/symbolic-links.ts'
import type { FolderNotes } from './notes.ts'
import { type FolderFile, isHiddenFile } from './walk.ts'

/** A page, and the file with its text. */
export interface FolderPage {
  locale: string
  path: string
  /** Whether pages of its path in other languages are its translations. */
  hasTranslations: boolean
  /** The name of the file. It can be a symbolic link. */
  file: string
  /** The name of the regular file with the text. */
  content: string
}

interface FolderPages {
  /** Sorted by locale and path. */
  pages: FolderPage[]
  /** For each layout, how many files match it. */
  filesOfLayout: number[]
  /** Some names of Markdown files, for messages. */
  samples: string[]
}

/** Which files of a folder are pages. */
interface PageFiles {
  layouts: Layout[]
  /** Names of files that are not pages, although a layout matches them. */
  leftOut: RegExp | null
}

type Candidate = FolderPage & { layout: number; isLink: boolean }

/** Symbolic links to one file that become pages. */
const LINKS_MAX = 20

/** Finds the pages in a folder by the names of its files. */
export const findFolderPages = async (
  files: readonly FolderFile[],
  tree: FileTree,
  { layouts, leftOut }: PageFiles,
  notes: FolderNotes,
): Promise<FolderPages> => {
  const filesOfLayout = layouts.map(() => 0)
  const samples: string[] = []
  const links = new Map<string, string>()
  const candidates = new Map<string, Candidate[]>()
  const add = (file: string, content: string): void => {
    const target = layoutTarget(layouts, file)!
    const { layout, locale, path } = target
    if (!isPlainText(file) || byteLength(path) > FIELD_BYTES_MAX.path) {
      notes.add('unfit path', file)
      return
    }
    filesOfLayout[layout]! += 1
    const { setsLocale: hasTranslations } = layouts[layout]!
    const candidate = { locale, path, hasTranslations, file, content, layout, isLink: file !== content }
    const key = pageKey(target)
    candidates.set(key, [...(candidates.get(key) ?? []), candidate])
  }
  for (const { name, kind } of files.filter(({ name }) => !isHiddenFile(name))) {
    const isMarkdown = isMarkdownFile(name)
    if (isMarkdown && samples.length < 3) samples.push(name)
    if (leftOut?.test(name)) {
      if (isMarkdown) notes.add('no page', name)
    } else if (layoutTarget(layouts, name) === null) {
      if (isMarkdown && kind === 'regular') notes.add('no layout', name)
    } else if (kind === 'link') links.set(name, name)
    else add(name, name)
  }
  const linksTo = new Map<string, number>()
  for (const [link, file] of await followLinks(tree, links)) {
    const count = file === null ? LINKS_MAX : (linksTo.get(file) ?? 0)
    if (file === null || count === LINKS_MAX || isHiddenFile(file)) notes.add('link', link)
    else {
      linksTo.set(file, count + 1)
      add(link, file)
    }
  }
  const pages = [...candidates]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, ofPage]) => firstOf(ofPage, notes))
  for (const clash of caseClashes(pages.map(({ file }) => file))) notes.add('case', clash.join(', '))
  return { pages, filesOfLayout, samples }
}

/** Of several files of a page, the first by layout, files before links, then the shorter name. (D18) */
const firstOf = (candidates: Candidate[], notes: FolderNotes): FolderPage => {
  const [first, ...others] = candidates.sort(
    (a, b) =>
      a.layout - b.layout ||
      Number(a.isLink) - Number(b.isLink) ||
      a.file.length - b.file.length ||
      (a.file < b.file ? -1 : 1),
  )
  const double = others.filter(({ content }) => content !== first!.content)
  if (double.length > 0) notes.add('double page', [first!, ...double].map(({ file }) => file).join(', '))
  const { locale, path, hasTranslations, file, content } = first!
  return { locale, path, hasTranslations, file, content }
}
