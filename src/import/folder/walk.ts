import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../errors.ts'
import { isConfigFile } from '../files/recognition/tree.ts'

/** A file in a folder. */
export interface FolderFile {
  /** Its name from the folder on, with slashes. */
  name: string
  kind: 'regular' | 'link'
}

/** What was found in a folder. Symbolic links are not followed. */
export interface FolderContent {
  /** Sorted by name. */
  files: FolderFile[]
  /** Names that are not UTF-8, with U+FFFD in place of the wrong bytes. */
  unfitNames: string[]
  /** Folders that cannot be read, with the reason. */
  unreadable: string[]
  /** Folders in too many folders. */
  tooDeep: string[]
}

/** Files and folders in a folder, and how deep they are. Their names take up to 100 MB. */
const FOLDER_LIMITS = { entries: 300_000, depth: 64 } as const

/** Folders with files of tools. Of a hidden folder, only configuration files are listed. */
const HIDDEN_CONFIG_FOLDERS: ReadonlySet<string> = new Set(['.vitepress', '.vuepress', '.obsidian'])

/**
 * Lists the files in a folder and its folders. Leaves out hidden files and folders, except the configuration of tools
 * that recognition knows, and `node_modules`.
 * @throws UsageError if the folder cannot be read, or contains too many files
 */
export const walkFolder = async (root: string): Promise<FolderContent> => {
  const content: FolderContent = { files: [], unfitNames: [], unreadable: [], tooDeep: [] }
  const folders = ['']
  let count = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const isHidden = /(?:^|\/)\./.test(folder)
    try {
      for await (const entry of await opendir(join(root, folder), { bufferSize: 256 })) {
        count += 1
        if (count > FOLDER_LIMITS.entries) throw tooManyFiles(root)
        addEntry(entry, `${folder}${entry.name}`, isHidden, content, folders)
      }
    } catch (error) {
      if (error instanceof UsageError) throw error
      const { code = '', message } = error as NodeJS.ErrnoException
      if (folder === '') throw new UsageError(`The folder ${root} cannot be read: ${message}.`)
      // A folder that disappeared meanwhile is not there.
      if (code !== 'ENOENT') content.unreadable.push(`${code}: ${folder}`)
    }
  }
  content.files.sort((a, b) => (a.name < b.name ? -1 : 1))
  return content
}

const addEntry = (
  entry: Dirent,
  name: string,
  isInHidden: boolean,
  content: FolderContent,
  folders: string[],
): void => {
  if (entry.name.includes('\ufffd')) {
    content.unfitNames.push(name)
    return
  }
  const isHidden = entry.name.startsWith('.')
  if (entry.isDirectory()) {
    if (entry.name === 'node_modules' || (isInHidden && entry.name !== 'config')) return
    if (isHidden && !HIDDEN_CONFIG_FOLDERS.has(entry.name)) return
    if (name.split('/').length > FOLDER_LIMITS.depth) content.tooDeep.push(name)
    else folders.push(`${name}/`)
    return
  }
  if ((isHidden || isInHidden) && !isConfigFile(name) && !VAULT_FILE.test(name)) return
  if (entry.isFile()) content.files.push({ name, kind: 'regular' })
  else if (entry.isSymbolicLink() && !isHidden && !isInHidden) content.files.push({ name, kind: 'link' })
}

/** A file that every vault of Obsidian has. It shows that the folder is a vault. */
const VAULT_FILE = /(?:^|\/)\.obsidian\/[^/]+\.json$/

/** Whether a file or folder of this name is left out: it is hidden, or contains installed packages. */
export const isLeftOutName = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

/** Whether a file is hidden, and listed only because recognition needs it. */
export const isHiddenFile = (name: string): boolean => /(?:^|\/)\./.test(name)

const tooManyFiles = (root: string): UsageError =>
  new UsageError(
    `The folder ${root} contains more than ${FOLDER_LIMITS.entries} files. Import a folder in it that contains the pages.`,
  )
