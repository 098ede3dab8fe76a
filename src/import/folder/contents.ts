import { existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../../errors.ts'
import { parseLayout } from '../files/layouts.ts'
import { openMarkup, type TextMarkup } from '../files/link-markup/markup.ts'
import { chosenLocaleOf, type FileSourceOptions, refuseUnusedLayouts } from '../files/options.ts'
import { chosenContent, recognizeFiles } from '../files/recognition/recognize.ts'
import { extensionsText, refuseWrongSource } from '../wrong-source.ts'
import { folderTree } from './folder-tree.ts'
import { FolderNotes } from './notes.ts'
import { type FolderPage, findFolderPages } from './pages.ts'
import { type FolderContent, walkFolder } from './walk.ts'

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
    ? chosenContent(options.layouts, chosenLocale)
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
  const markup = await openMarkup(
    tree,
    content,
    pages.map(({ locale, path, file, content }) => ({ locale, path, current: { file, content } })),
  )
  return {
    root,
    name: basename(resolve(path)) || basename(root) || 'Wiki',
    pages,
    locale: content.defaultLocale,
    markup,
    notes,
    isWhole: found.unreadable.length === 0,
    recognition: isChosen ? null : content.message,
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
  await refuseWrongSource(path)
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
