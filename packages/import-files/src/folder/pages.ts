import { existsSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { ImportNotes } from '@lectern/wiki/import/notes'
import { pageKey } from '@lectern/wiki/records'
import { forShell, quote } from '@lectern/wiki/text'
import { folderOf, isMarkdownFile, type TreeFile } from '../files/file-tree.ts'
import {
  extensionsText,
  type FileSourceOptions,
  historyOf,
  isNoPage,
  type Layout,
  layoutTarget,
  refuseUnusedLayouts,
} from '../files/layouts.ts'
import { FILE_NOTES } from '../files/notes.ts'
import { recognizePages } from '../files/page-files.ts'
import { type FoundPages, findPages } from '../files/page-index.ts'
import { recognizeFiles } from '../files/recognition/recognize.ts'
import { type FormerVaults, isConfigFile } from '../files/recognition/tree.ts'
import { importWithHistory } from '../git/repository.ts'
import { stateDigest } from '../git/state.ts'
import { findUsableFiles } from '../source-files/usable-files.ts'
import { type FolderContent, folderTree, isHiddenFile, versionOfFiles, walkFolder } from './files.ts'

const FOLDER_NOTES = {
  'unreadable folder':
    'WARNING: folders that cannot be read. Nothing was removed, because their pages may still exist',
  'unreadable file': 'WARNING: files that cannot be read. If a page was imported before, it stays as it was',
  'too deep': 'Folders left out, because they are in more than 64 folders',
  git: '',
  above: '',
  future: 'Files dated in the future; their edits get the time of the import',
} as const

/** @param command that imports the history, too; null if there is none @param config as of `configAbove` */
export const makeFolderNotes = (command: string | null = null, config: string | null = null) => {
  const git = `The folder is in a git repository. To import its history, too, use ${command}`
  const above = `WARNING: ${config} is the configuration of these pages, but it is not in the folder, so it was not read. Use \`lectern serve ${forShell(dirname(config ?? ''))}\``
  const notes = new ImportNotes({ ...FILE_NOTES, ...FOLDER_NOTES, git, above })
  if (config !== null) notes.add('above')
  if (command !== null) notes.add('git')
  return notes
}

export type FolderNotes = ReturnType<typeof makeFolderNotes>

/** `file`: its name; it can be a symbolic link. */
export type FolderPage = ReturnType<typeof pagesOf>[number]

const pagesOf = ({ current }: FoundPages, layouts: Layout[], notes: FolderNotes) => {
  const pages = Array.from(current, ([{ locale, path }, [first, ...others]]) => {
    const { file, blob: content } = first!
    const double = others.filter(({ blob }) => blob !== content).map((other) => other.file.name)
    if (double.length > 0) notes.add('double page', [file.name, ...double].join(', '))
    return { locale, path, hasTranslations: layouts[file.layout]!.setsLocale, file: file.name, content }
  })
  return pages.sort((a, b) => (pageKey(a) < pageKey(b) ? -1 : 1))
}

/** Whether the wiki has only the current edit of each page. @param history of `--history` @throws UsageError if it is a date or invalid */
export const hasCurrentEditsOnly = (history?: string): boolean => {
  const since = historyOf(history)
  if (since === null || since === 'none') return since === 'none'
  throw new UsageError(
    '--history since= is for git repositories, because it is not known what a folder was before its first import. For a folder, use --history none or all.',
  )
}

const PUBLIC_EDITS =
  'Each change of a file becomes a public edit; --history none keeps only the current text.'

/** The pages of a folder, without their texts. @throws UsageError if it cannot be read or has no page */
export const findFolderContents = async (path: string, options: FileSourceOptions, former?: FormerVaults) => {
  hasCurrentEditsOnly(options.history)
  const root = await openFolder(path)
  const found = await walkFolder(root)
  const version = await versionOfFiles(root, found.files)
  const unreadable = new Set<string>()
  const all = folderTree(root, found.files, unreadable)
  const ownName = basename(resolve(path)) || basename(root) || 'Wiki'
  const pageFiles = await recognizePages(all, options, ownName, former ?? vaultAround(root))
  const { content, layouts, markup, name } = pageFiles
  const withHistory = await importWithHistory(root, content.linkMarkup === 'obsidian')
  const isPlain =
    options.layouts.length === 0 && content.dialect === null && content.linkMarkup === 'markdown'
  const some = () => found.files.filter(({ name }) => layoutTarget(layouts, name)).slice(0, PAGES_TRIED)
  const notes = makeFolderNotes(withHistory, isPlain ? await configAbove(root, some()) : null)
  for (const { kind, example } of found.leftOut) notes.add(kind, example)
  const visible = found.files.filter(({ name }) => !isHiddenFile(name) || layoutTarget(layouts, name))
  const tree = folderTree(root, visible, unreadable)
  const foundPages = await findPages(tree, pageFiles, notes, options.license ?? options.wikiLicense)
  const pages = pagesOf(foundPages, layouts, notes)
  if (options.layouts.length > 0)
    refuseUnusedLayouts(options.layouts, foundPages.index.usedLayouts(), foundPages.samples, 'The folder')
  else if (pages.length === 0)
    throw new UsageError(
      `The folder ${path} contains no Markdown files (.md, .mdx, .markdown, …). ${hasInstead(found.files)}`,
    )
  else if (withHistory === null)
    refuseCollection(root, found.files, content.includes.folders.base, pages.length)
  /** What decides, besides its file, what the text of a page becomes. */
  const deciding = [content.linkMarkup, content.hasComments, content.layouts, markup.names, markup.includes]
  return {
    ...content,
    ...version,
    ...{ root, name, pages, current: foundPages.current, index: foundPages.index, markup, notes, unreadable },
    firstNotes: options.stored && withHistory === null && options.history === undefined ? [PUBLIC_EDITS] : [],
    texts: { digest: stateDigest(deciding) },
    declared: foundPages.index.declaredPaths(),
    isWhole: !found.leftOut.some(({ kind }) => kind === 'unreadable folder'),
    found: found.files,
    files: findUsableFiles(all, pageFiles),
  }
}

/** How far a folder can be below the top of its vault. */
const VAULT_DEPTH = 20

/** That the folder is a part of a vault: it has no settings, but its comments are hidden. */
const vaultAround = (root: string): FormerVaults | undefined => {
  let folder = root
  for (let depth = 0; depth < VAULT_DEPTH && !existsSync(join(folder, '.git')); depth++) {
    folder = dirname(folder)
    if (existsSync(join(folder, '.obsidian'))) return { vaults: [''], hasComments: true }
  }
  return undefined
}

/** For each configuration in a folder above, pages are read again. */
const PAGES_TRIED = 50

/** The configuration of a site with these pages in a folder above, at most three, and in the repository; null if there is none. */
const configAbove = async (root: string, files: TreeFile[]): Promise<string | null> => {
  for (let [folder, above] = [root, 0]; above < 3 && !existsSync(join(folder, '.git')); above += 1) {
    folder = dirname(folder)
    const part = `${relative(folder, root).replaceAll('\\', '/')}/`
    const pages = files.map((file) => ({ ...file, name: part + file.name, content: part + file.content }))
    for (const name of (await readdir(folder).catch(() => [])).filter(isConfigFile)) {
      const config = { name, kind: 'regular', content: name } as const
      const site = await recognizeFiles(folderTree(folder, [config, ...pages], new Set()))
      if (site.dialect !== null || site.addresses !== null) return join(folder, name)
    }
  }
  return null
}

/** A folder has several projects if it is none itself, and the site in a folder of it has less than a tenth of its texts. */
const refuseCollection = (root: string, files: TreeFile[], base: string, pages: number): void => {
  const names = files.map(({ name }) => name)
  const texts = names.filter((name) => isMarkdownFile(name) && !isNoPage(name))
  const isProject = names.some((name) => /^readme\b/i.test(name))
  if (base === '' || isProject || pages * 10 >= texts.length) return
  const configs = names.filter((name) => isConfigFile(name) || name.includes('.obsidian/'))
  const folders = configs.map((name) => folderOf(name).replace(/\.\w+\/.*|config\/_default\/$/, ''))
  const hasText = (folder: string) => folder !== '' && texts.some((name) => name.startsWith(folder))
  const others = [...new Set(folders)].filter((folder) => folder !== base && hasText(folder)).slice(0, 4)
  throw new UsageError(
    `${root} contains ${texts.length} texts of several projects: ${[base, ...others].map((one) => quote(one)).join(', ')}. Import one of these folders (\`lectern serve ${forShell(join(root, base))}\`), or all texts with --layout '{path}.md'.`,
  )
}

const hasInstead = (files: FolderContent['files']): string =>
  files.length === 0
    ? 'It has no files.'
    : `It has ${extensionsText(files.map(({ name }) => name))}. If one of these is Markdown, set --layout, such as --layout '{path}.txt'.`

/** @returns the real path of a folder @throws UsageError if it is not a folder */
export const openFolder = async (path: string): Promise<string> => {
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory()) return realpath(path)
  if (stats === null) throw new UsageError(`The folder ${path} does not exist.`)
  throw new UsageError(
    `${path} is a file, not a folder. ${isMarkdownFile(path) ? `Import its folder: ${dirname(path)}` : '`lectern serve FILE` recognizes files that Lectern can import.'}`,
  )
}
