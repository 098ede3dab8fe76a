import { existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { ImportNotes } from '@lectern/wiki/import/notes'
import { FIELD_BYTES_MAX, TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { pageKey } from '@lectern/wiki/records'
import { byteLength, isPlainText } from '@lectern/wiki/text'
import { isHiddenContent } from '../files/document.ts'
import { caseClashes, type FileTree, followLinks, isMarkdownFile } from '../files/file-tree.ts'
import {
  chosenLocaleOf,
  extensionsText,
  type FileSourceOptions,
  type Layout,
  layoutTarget,
  parseLayout,
  refuseUnusedLayouts,
} from '../files/layouts.ts'
import { openMarkup, type TextMarkup } from '../files/link-markup/markup.ts'
import { chosenContent, recognizeFiles } from '../files/recognition/recognize.ts'
import { FILE_NOTES, type FileNoteKind } from '../files/revision-content.ts'
import { FileListNotes } from '../source-files/file-list.ts'
import { type FileRules, findFileRules } from '../source-files/file-rules.ts'
import { type FolderContent, type FolderFile, folderTree, isHiddenFile, walkFolder } from './files.ts'

const FOLDER_NOTES = {
  'unreadable folder':
    'WARNING: folders that cannot be read. Nothing was removed, because their pages may still exist',
  'unreadable file': 'WARNING: files that cannot be read. If a page was imported before, it stays as it was',
  'too deep': 'Folders left out, because they are in more than 64 folders',
  git: 'The folder is in a git repository. To import its history, too, use lectern import git',
  future: 'Files dated in the future; their edits get the time of the import',
  'too long now': `WARNING: pages that guests do not see, because their text has more than ${TEXT_BYTES_MAX} bytes; split each into several files`,
  link: 'Symbolic links left out, because they lead to no file of the folder, or more than 20 lead to the same file',
  'LFS pointer': 'Pages that are Git LFS pointers, because the folder does not contain their texts',
} as const

export class FolderNotes extends ImportNotes<keyof typeof FOLDER_NOTES | FileNoteKind> {
  constructor() {
    super({ ...FILE_NOTES, ...FOLDER_NOTES })
  }
}

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
const findFolderPages = async (
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
  const hidden = await hiddenContents(tree, [...candidates.values()])
  const pages = [...candidates]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, ofPage]) => firstOf(ofPage, hidden, notes))
  for (const clash of caseClashes(pages.map(({ file }) => file))) notes.add('case', clash.join(', '))
  return { pages, filesOfLayout, samples }
}

/** The contents that guests do not see, among those of pages with several files. */
const hiddenContents = async (tree: FileTree, pages: Candidate[][]): Promise<ReadonlySet<string>> => {
  const contents = pages
    .filter(({ length }) => length > 1)
    .flatMap((ofPage) => ofPage.map((one) => one.content))
  const hidden = new Set<string>()
  let index = 0
  for await (const bytes of tree.readContents(contents, TEXT_BYTES_MAX)) {
    if (isHiddenContent(bytes)) hidden.add(contents[index]!)
    index += 1
  }
  return hidden
}

/** Of several files of a page, the first that is no draft: by layout, files before links, then the shorter name. (D72) */
const firstOf = (candidates: Candidate[], hidden: ReadonlySet<string>, notes: FolderNotes): FolderPage => {
  const [first, ...others] = candidates.sort(
    (a, b) =>
      Number(hidden.has(a.content)) - Number(hidden.has(b.content)) ||
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

/** The pages of a folder, without their texts. */
interface FolderContents {
  /** Real path of the folder. */
  root: string
  /** Name of the folder. */
  name: string
  pages: FolderPage[]
  /** The language of pages whose layout names none. */
  locale: string
  markup: TextMarkup
  notes: FolderNotes
  /** Whether all folders could be read. */
  isWhole: boolean
  recognition: string | null
  /** All files of the folder. */
  found: FolderFile[]
  files: { rules: FileRules; notes: FileListNotes }
}

/** @throws UsageError if the folder cannot be read or has no page, or an option is invalid */
export const findFolderContents = async (
  path: string,
  options: FileSourceOptions,
): Promise<FolderContents> => {
  const chosenLocale = chosenLocaleOf(options)
  for (const text of options.layouts) parseLayout(text, 'en') // refuses an invalid layout before anything is read
  const root = await openFolder(path)
  const found = await walkFolder(root)
  const tree = folderTree(root, found.files)
  const isChosen = options.layouts.length > 0
  const content = isChosen
    ? await chosenContent(tree, options.layouts, chosenLocale)
    : await recognizeFiles(tree, chosenLocale)
  const layouts = content.layouts.map((text) => parseLayout(text, content.defaultLocale))
  const notes = new FolderNotes()
  addFolderNotes(root, found, notes)
  const { pages, ...counts } = await findFolderPages(found.files, tree, { ...content, layouts }, notes)
  if (isChosen) refuseUnusedLayouts(options.layouts, counts, 'The folder')
  else if (pages.length === 0)
    throw new UsageError(
      `The folder ${path} contains no Markdown files (.md, .mdx, .markdown, …). ${hasInstead(found.files)}`,
    )
  const markup = await openMarkup(tree, { ...content, layouts, wikitext: options.wikitext })
  return {
    root,
    name: basename(resolve(path)) || basename(root) || 'Wiki',
    pages,
    locale: content.defaultLocale,
    markup,
    notes,
    isWhole: found.unreadable.length === 0,
    recognition: isChosen ? null : content.message,
    found: found.files,
    files: { rules: await findFileRules(tree, { ...content, layouts }), notes: new FileListNotes() },
  }
}

const hasInstead = (files: FolderContent['files']): string =>
  files.length === 0
    ? 'It has no files.'
    : `It has ${extensionsText(files.map(({ name }) => name))}. If one of these is Markdown, set --layout, such as --layout '{path}.txt'.`

/**
 * @returns the real path of a folder
 * @throws UsageError if it is not a folder
 */
export const openFolder = async (path: string): Promise<string> => {
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory()) return realpath(path)
  if (stats === null) throw new UsageError(`The folder ${path} does not exist.`)
  throw new UsageError(
    `${path} is a file, not a folder. \`lectern serve FILE\` recognizes files that Lectern can import.`,
  )
}

const addFolderNotes = (root: string, found: FolderContent, notes: FolderNotes): void => {
  for (const name of found.unreadable) notes.add('unreadable folder', name)
  for (const name of found.tooDeep) notes.add('too deep', name)
  for (const name of found.unfitNames) notes.add('unfit path', name)
  if (isInRepository(root)) notes.add('git')
}

/** Whether a folder, or one around it, has the `.git` of a repository. */
const isInRepository = (folder: string): boolean =>
  existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isInRepository(dirname(folder)))
