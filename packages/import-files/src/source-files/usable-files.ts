import { posix } from 'node:path'
import { FileLeftOut } from '@lectern/wiki/errors'
import { ImportNotes } from '@lectern/wiki/import/notes'
import { FILE_PATH_BYTES_MAX } from '@lectern/wiki/limits'
import { parseSourceLocale } from '@lectern/wiki/locales'
import type { SourceFile } from '@lectern/wiki/records'
import { byteLength, isPlainText, nfc } from '@lectern/wiki/text'
import { ancestorsOf, type FileTree, followLinks, isMarkdownFile, type TreeFile } from '../files/file-tree.ts'
import { type Layout, layoutTarget } from '../files/layouts.ts'
import type { PageFiles } from '../files/page-files.ts'
import { hasOtherMarkup, isCanvas } from '../markups/markup.ts'

const FILE_LIST_NOTES = {
  'unfit name': `Files left out, because their names are not text in UTF-8 of at most ${FILE_PATH_BYTES_MAX} bytes without control characters`,
  'same name': 'Files left out, because another file has the same name in another form of Unicode',
} as const

/** Which files of a tree the pages can show or link, and where references look for them. */
export type UsableFiles = ReturnType<typeof findUsableFiles>

/** Whether a file or folder is hidden from pages, or one of packages. Some tools keep the pictures of pages in hidden folders. */
export const isHiddenFromPages = (name: string): boolean =>
  /(?:^|\/)(?:node_modules|\.(?!(?:\w*(?:assets|attachments|images)|gitbook|vuepress\/public)(?:\/|$))[^/]*)(?:\/|$)/.test(
    name,
  )

/** Folders whose files site generators put into the root of the site. */
const STATIC_FOLDER = /(?:^|\/)(?:static|public|assets)$/
const STATIC_DEPTH = 2
const ROOTS_MAX = 16

/** Finds the rules by names. No file is one that is a page, or would be one in another layout: it may be a draft. */
export const findUsableFiles = (
  tree: FileTree,
  { content: { leftOut, linkMarkup, includes }, layouts }: Pick<PageFiles, 'content' | 'layouts'>,
) => {
  const isFile = (name: string): boolean =>
    !isHiddenFromPages(name) &&
    !isMarkdownFile(name) &&
    !hasOtherMarkup(name) &&
    !isCanvas(name) &&
    !leftOut?.test(name) &&
    layoutTarget(layouts, name) === null
  const notes = new ImportNotes(FILE_LIST_NOTES)
  // The import has found the files by their names, and has written their paths in this folder.
  if (linkMarkup !== 'markdown')
    return { isFile, roots: [includes.folders.content.replace(/\/$/, '')], notes }
  const folders = new Set<string>()
  for (const { name } of tree.files()) {
    const folder = name.slice(0, Math.max(name.lastIndexOf('/'), 0))
    if (!folders.has(folder) && !isHiddenFromPages(name))
      for (const one of ancestorsOf(name)) folders.add(one)
  }
  return { isFile, roots: rootsOf(layouts, folders), notes }
}

/** Folders of static files next to the pages come first, then those of the folders above, then others in the tree. */
const rootsOf = (layouts: readonly Layout[], folders: ReadonlySet<string>): string[] => {
  const near = layouts
    .flatMap((layout) => ancestorsOf(pagesFolderOf(layout)))
    .sort((a, b) => b.length - a.length)
    .flatMap((folder) => [
      ...['static', 'public', '.vuepress/public', 'assets'].map((name) => posix.join(folder, name)),
      folder,
    ])
  const others = [...folders]
    .filter((folder) => STATIC_FOLDER.test(folder) && folder.split('/').length <= STATIC_DEPTH)
    .sort()
  return [...new Set([...near, ...others])]
    .filter((folder) => folder === '' || folders.has(folder))
    .slice(0, ROOTS_MAX)
}

/** The folder of the pages in the default language: of `docs/{locale:de|en}/docs/{path}.md`, `docs/en/docs/`. */
const pagesFolderOf = ({ text, locale }: Layout): string =>
  text
    .replace(/^\{prefix:[^{}]*\}/, '')
    .split('{path')[0]!
    .replace(/\{folder:(.*?)\}/, '$1')
    .replace(/\{locale:?(.*?)\}/, (_, list: string) => {
      return list.split('|').find((name) => parseSourceLocale(name) === locale) ?? locale
    })

export type ListedFile = TreeFile & Pick<SourceFile, 'bytes' | 'version' | 'modifiedAt'>

/** The files of a tree that pages can use. A symbolic link is the file to which it leads, if pages could use that, too. */
export async function* listFiles(
  tree: FileTree,
  files: readonly ListedFile[],
  { isFile, notes }: UsableFiles,
  readerOf: (file: ListedFile) => Pick<SourceFile, 'open' | 'lastChange'>,
): AsyncGenerator<SourceFile> {
  const usable = files.filter(({ name }) => isFile(name))
  const links = usable.filter(({ kind }) => kind === 'link')
  const followed = await followLinks(tree, links)
  const regular = new Map(usable.filter(({ kind }) => kind === 'regular').map((file) => [file.name, file]))
  const paths = new Set<string>()
  for (const file of usable) {
    const path = nfc(file.name)
    const isFit = isPlainText(path) && !path.includes('\ufffd') && byteLength(path) <= FILE_PATH_BYTES_MAX
    if (!isFit || paths.has(path)) {
      notes.add(isFit ? 'same name' : 'unfit name', file.name)
      continue
    }
    paths.add(path)
    const target = file.kind === 'regular' ? file : regular.get(followed.get(file.name) ?? '')
    const { bytes, version, modifiedAt } = target ?? file
    yield {
      locale: '',
      path,
      version,
      bytes,
      modifiedAt,
      author: null,
      ...(target ? readerOf(target) : { open: refuseLink }),
    }
  }
}

const refuseLink = (): never => {
  throw new FileLeftOut('a symbolic link that leads to no file of the source')
}
