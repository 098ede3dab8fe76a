import { createHash } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { type FileHandle, lstat, open, opendir, readlink, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { FileLeftOut, ImportError, UsageError } from '@lectern/wiki/errors'
import { CHANGED, fileVersion, streamFileHandle } from '@lectern/wiki/import/file-stream'
import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import type { SourceFiles } from '@lectern/wiki/records'
import { type Timestamp, timestampFromInstant } from '@lectern/wiki/time'
import { type FileTree, isMarkdownFile, type TreeFile } from '../files/file-tree.ts'
import { isAuthorsFile, isConfigFile, isNavigationFile, VAULT_SETTINGS } from '../files/recognition/tree.ts'
import {
  isHiddenFromPages,
  type ListedFile,
  listFiles,
  type UsableFiles,
} from '../source-files/usable-files.ts'

/** What was found in a folder. Symbolic links are not followed. */
export interface FolderContent {
  /** Their contents are their names. */
  files: TreeFile[]
  /** Names that are not UTF-8, folders that cannot be read, with the reason, and folders in too many folders. */
  leftOut: { kind: 'unfit path' | 'unreadable folder' | 'too deep'; example: string }[]
}

/** Files and folders in a folder, and how deep they are. Their names take up to 100 MB. */
const FOLDER_LIMITS = { entries: 300_000, depth: 64 } as const

/** Folders with files of tools. Of a hidden folder, only configuration files are listed. */
const HIDDEN_CONFIG_FOLDERS: ReadonlySet<string> = new Set(['.vitepress', '.vuepress', '.obsidian'])

/** Leaves out `node_modules`, and what is hidden, unless recognition knows it. @throws UsageError if it is unreadable or too large */
export const walkFolder = async (root: string): Promise<FolderContent> => {
  const content: FolderContent = { files: [], leftOut: [] }
  const folders = ['']
  let count = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      for await (const entry of await opendir(join(root, folder), { bufferSize: 256 })) {
        count += 1
        if (count > FOLDER_LIMITS.entries)
          throw new UsageError(
            `The folder ${root} contains more than ${FOLDER_LIMITS.entries} files. Import a folder in it that contains the pages.`,
          )
        addEntry(entry, folder, content, folders)
      }
    } catch (error) {
      if (error instanceof UsageError) throw error
      const { code = '', message } = error as NodeJS.ErrnoException
      if (folder === '') throw new UsageError(`The folder ${root} cannot be read: ${message}.`)
      // A folder that disappeared meanwhile is not there.
      if (code !== 'ENOENT')
        content.leftOut.push({ kind: 'unreadable folder', example: `${code}: ${folder}` })
    }
  }
  content.files.sort((a, b) => (a.name < b.name ? -1 : 1))
  return content
}

const addEntry = (entry: Dirent, folder: string, content: FolderContent, folders: string[]): void => {
  const name = folder + entry.name
  if (entry.name.includes('\ufffd')) {
    content.leftOut.push({ kind: 'unfit path', example: name })
    return
  }
  const isHidden = isLeftOutName(entry.name)
  const isInHidden = isHiddenFile(folder)
  if (entry.isDirectory()) {
    const isNeeded =
      (!isInHidden || /\/config$|\.obsidian\/plugins(?:\/templater-obsidian)?$/.test(name)) &&
      (!isHidden || HIDDEN_CONFIG_FOLDERS.has(entry.name))
    if (entry.name === 'node_modules' || (!isNeeded && isHiddenFromPages(name))) return
    if (name.split('/').length > FOLDER_LIMITS.depth)
      content.leftOut.push({ kind: 'too deep', example: name })
    else folders.push(`${name}/`)
    return
  }
  const isOfTool =
    isConfigFile(name) ||
    isAuthorsFile(name) ||
    isNavigationFile(name) ||
    VAULT_FILE.test(name) ||
    VAULT_SETTINGS.test(name)
  const isPicture = !isHiddenFromPages(name) && !isMarkdownFile(name)
  if ((isHidden || isInHidden) && !isOfTool && !isPicture) return
  if (entry.isFile()) content.files.push({ name, kind: 'regular', content: name })
  else if (entry.isSymbolicLink() && !isHidden && !isInHidden)
    content.files.push({ name, kind: 'link', content: name })
}

/** A file that every vault of Obsidian has. It shows that the folder is a vault. */
const VAULT_FILE = /(?:^|\/)\.obsidian\/[^/]+\.json$/

/** Whether a file or folder of this name is left out: it is hidden and no page of Gollum, or contains installed packages. */
export const isLeftOutName = (name: string): boolean =>
  (name.startsWith('.') && !isMarkdownFile(name)) || name === 'node_modules'

/** Whether a file is hidden, and listed only because recognition needs it. */
export const isHiddenFile = (name: string): boolean => /(?:^|\/)\./.test(name)

/** `bytes` null: more than allowed. `reason`: why it cannot be read, as a short text: `EACCES`; then it has no bytes and no time. */
export type FolderFile = { bytes: Buffer | null; modifiedAt: Timestamp; reason?: string }

/** Pauses before a file that changed while it was read is read again, milliseconds. */
const PAUSES_MS = [20, 100, 500]

/** `O_NONBLOCK`: to open a pipe must not wait for a writer. Windows has neither flag. */
const NO_FOLLOW = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a file in a folder, and nothing outside, even if somebody replaces a file or a folder by a link meanwhile.
 * @param root the real path of the folder @throws FileLeftOut, or the error of the system
 */
export const openInFolder = async (root: string, name: string): Promise<FileHandle> => {
  const file = join(root, name)
  const handle = await open(file, NO_FOLLOW)
  if ((await realpath(dirname(file)).catch(() => null)) === dirname(file)) return handle
  await handle.close()
  throw new FileLeftOut('outside the folder')
}

/** Reads a regular file in a folder; again if it changes meanwhile. */
export const readFolderFile = async (root: string, name: string, maxBytes: number): Promise<FolderFile> => {
  for (let attempt = 0; ; attempt += 1)
    try {
      const handle = await openInFolder(root, name)
      const stats = await handle.stat({ bigint: true })
      const modifiedAt = timestampFromNanoseconds(stats.mtimeNs)
      const isTooLong = stats.isFile() && stats.size > maxBytes
      if (isTooLong) await handle.close()
      const bytes = isTooLong ? null : await buffer(streamFileHandle(handle, fileVersion(stats)))
      return { bytes, modifiedAt }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const pause = message === CHANGED ? PAUSES_MS[attempt] : undefined
      if (pause === undefined) return { bytes: null, modifiedAt: '', reason: code ?? message }
      await wait(pause)
    }
}

/** @param nanoseconds since 1970; they can be negative */
export const timestampFromNanoseconds = (nanoseconds: bigint): Timestamp => {
  const fraction = ((nanoseconds % NANOS) + NANOS) % NANOS
  const seconds = Number((nanoseconds - fraction) / NANOS)
  return timestampFromInstant({ seconds, fraction: String(fraction).padStart(9, '0') })
}

const NANOS = 1_000_000_000n

const AT_A_TIME = 8

/** Items in their order, each with the result of a function that runs for 8 of them at a time. */
export async function* withResults<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): AsyncGenerator<[Item, Result]> {
  for (let from = 0; from < items.length; from += AT_A_TIME) {
    const some = items.slice(from, from + AT_A_TIME)
    yield* await Promise.all(some.map(async (item): Promise<[Item, Result]> => [item, await run(item)]))
  }
}

/** @param files as `walkFolder` finds them @param unreadable gets the names of files that cannot be read */
export const folderTree = (
  root: string,
  files: readonly TreeFile[],
  unreadable = new Set<string>(),
): FileTree => {
  const links = new Set(files.filter(({ kind }) => kind === 'link').map(({ name }) => name))
  const readContent = async (name: string, maxBytes: number): Promise<Buffer | null> => {
    if (links.has(name)) {
      const target = await readlink(join(root, name), { encoding: 'buffer' }).catch(() => null)
      return target === null || target.length > maxBytes ? null : target
    }
    const file = await readFolderFile(root, name, maxBytes)
    if (file.reason !== undefined) unreadable.add(name)
    return file.bytes
  }
  return {
    files: () => files,
    readContents: (read, maxBytes) => withResults(read, ({ content }) => readContent(content, maxBytes)),
  }
}

/** The files of a folder that pages can use. Their versions are their sizes and times. Nothing outside is read. */
export const folderFiles = (root: string, found: readonly TreeFile[], rules: UsableFiles): SourceFiles => ({
  roots: rules.roots,
  list: async function* () {
    const usable = found.filter(({ name }) => rules.isFile(name))
    const listed: ListedFile[] = []
    for await (const [file, stats] of withStats(root, usable)) {
      if (stats === null) continue // It has disappeared.
      const modifiedAt = timestampFromNanoseconds(stats.mtimeNs)
      listed.push({ ...file, bytes: Number(stats.size), version: fileVersion(stats), modifiedAt })
    }
    yield* listFiles(folderTree(root, found), listed, rules, ({ name, version }) => ({
      open: () => streamFile(root, name, version),
    }))
  },
})

/** The files, each with what the system tells about it; null if it has disappeared. */
const withStats = (root: string, files: readonly TreeFile[]) =>
  withResults(files, ({ name }) => lstat(join(root, name), { bigint: true }).catch(() => null))

/** A digest of names, sizes and times of files: 0.4 s of CPU for 20,000. And when a content was modified last, milliseconds since 1970. */
export const versionOfFiles = async (root: string, files: readonly TreeFile[]) => {
  const digest = createHash('sha256')
  let modifiedAt = 0n
  for await (const [{ name }, stats] of withStats(root, files)) {
    digest.update(`${name}\0${stats && `${fileVersion(stats)}-${stats.ctimeNs}`}\0`)
    if (stats && stats.mtimeMs > modifiedAt) modifiedAt = stats.mtimeMs
  }
  return { version: digest.digest('hex'), modifiedAt }
}

/** @param version what the file must be, and stay. Default: as it is now @throws FileLeftOut, or ImportError if it is unreadable */
export async function* streamFile(root: string, name: string, version?: string): AsyncGenerator<Buffer> {
  const handle = await openInFolder(root, name).catch((error: NodeJS.ErrnoException) => {
    throw error instanceof FileLeftOut ? error : new ImportError(`${error.code}: ${name}`)
  })
  yield* streamFileHandle(handle, version)
}

/** The files of a folder that one page can include, and when those that it has read were changed last. @param names no links @param unreadable as of `folderTree` */
export const folderIncludableFiles = (root: string, names: ReadonlySet<string>, unreadable: Set<string>) => {
  const files = {
    modifiedAt: '' as Timestamp,
    find: async (wanted: readonly string[]) => wanted.map((name) => (names.has(name) ? name : null)),
    read: async (name: string, maxBytes: number) => {
      const file = await readFolderFile(root, name, Math.min(maxBytes, TEXT_BYTES_MAX))
      if (file.reason !== undefined) unreadable.add(name)
      if (file.modifiedAt > files.modifiedAt) files.modifiedAt = file.modifiedAt
      return file.bytes
    },
  }
  return files
}
