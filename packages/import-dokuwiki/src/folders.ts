import { constants } from 'node:fs'
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'

/** Bytes of a configuration file. */
const MAX_BYTES = 4 * 1024 * 1024

/**
 * The text of a configuration file; null if there is no such file.
 * @throws UsageError if it exists but cannot be read, or is too long: Lectern must not guess what it would allow
 */
export const readSmallFile = async (path: string): Promise<string | null> => {
  let file: Awaited<ReturnType<typeof open>> | undefined
  try {
    file = await open(path, 'r')
    const { size } = await file.stat()
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`)
    const bytes = Buffer.alloc(size)
    const { bytesRead } = await file.read(bytes, 0, size, 0)
    return bytes.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new UsageError(
      `Cannot read ${quote(path)}, which decides what guests may see: ${message}. Allow this user to read the file.`,
    )
  } finally {
    await file?.close()
  }
}

/** How DokuWiki writes ids as file names: `$conf['fnencode']`. */
type FileNameEncoding = 'url' | 'safe' | 'utf-8'

/** The part of an id that a file name means; null if it is not UTF-8. */
export const decodeFileName = (name: string, encoding: FileNameEncoding): string | null => {
  if (encoding === 'utf-8') return name
  if (encoding === 'safe') return decodeSafe(name.toLowerCase())
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/**
 * The encoding `safe`: `%` and the number of a character in base 36, less 32; several in a row, and `]` at their end.
 * @see DokuWiki's inc/SafeFN.class.php
 */
const decodeSafe = (name: string): string | null => {
  let text = ''
  let isConverted = false
  for (const [part] of name.matchAll(/%[0-9a-z]*|\]|[^%\]]+/g)) {
    const isCode = part.startsWith('%')
    if (part.length > 1 && isCode) {
      const code = Number.parseInt(part.slice(1), 36) + 32
      if (!(code <= 0x10ffff)) return null
      text += String.fromCodePoint(code)
    } else if (part !== ']' || !isConverted) text += part
    isConverted = isCode
  }
  return text.isWellFormed() ? text : null
}

/** Folders of a DokuWiki. */
export interface DokuwikiFolders {
  /** The installation, in which relative folders of the configuration are; null if only the data was given. */
  installation: string | null
  /** Folders of the configuration, the most important last; empty if there is none. */
  configuration: string[]
  /** The folder of the data, if it was given or is in the installation. */
  data: string | null
}

/** Where Debian and others keep the configuration. */
const SYSTEM_CONFIGURATION = '/etc/dokuwiki'

/**
 * Finds the configuration and the data of a DokuWiki.
 * @param folder an installation, or its folder `data`
 * @param configuration the folder that the user has set
 * @throws UsageError if the folder is neither
 */
export const findFolders = async (folder: string, configuration?: string): Promise<DokuwikiFolders> => {
  const root = resolve(folder)
  if (!(await isFolder(root)))
    throw new UsageError(`${quote(folder)} is not a folder. Specify the folder of a DokuWiki.`)
  if (configuration !== undefined && !(await isFolder(configuration)))
    throw new UsageError(
      `${quote(configuration)} is not a folder. Set --conf to the folder that contains local.php.`,
    )
  const isData = await isFolder(join(root, 'pages'))
  const installation = isData ? null : root
  const found = configuration === undefined ? await findConfiguration(root, isData) : resolve(configuration)
  const data = isData ? root : (await isFolder(join(root, 'data', 'pages'))) ? join(root, 'data') : null
  if (data === null && found === null)
    throw new UsageError(
      `${quote(folder)} is not a DokuWiki. Specify its folder with "conf" and "data", or its folder "data" with "pages".`,
    )
  return { installation, configuration: found === null ? [] : [found], data }
}

const findConfiguration = async (root: string, isData: boolean): Promise<string | null> => {
  for (const folder of isData ? [root, dirname(root)] : [root])
    if (await isFolder(join(folder, 'conf'))) return join(folder, 'conf')
  const preload = isData ? null : await readSmallFile(join(root, 'inc', 'preload.php'))
  const defined =
    preload === null
      ? null
      : /define\(\s{0,9}'DOKU_(?:MAIN_)?CONF'\s{0,9},\s{0,9}'([^']{1,1000})'/.exec(preload)
  if (defined && (await isFolder(defined[1]!))) return defined[1]!
  const usesSystem = isData && root.startsWith('/var/lib/dokuwiki')
  return usesSystem && (await isFolder(SYSTEM_CONFIGURATION)) ? SYSTEM_CONFIGURATION : null
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false

/** A file in a folder of the data. */
interface FolderEntry {
  /** Its path in the folder. */
  path: string
  kind: 'file' | 'link' | 'unreadable'
}

/** Folders in folders. A path with more would be longer than a path of a page can be. */
const MAX_LEVELS = 256

/** A folder of the data: pages, old revisions or changelogs. Symbolic links in it are not followed. */
export class DataFolder {
  readonly #root: string
  /** The last folder whose names were read. */
  #names: { folder: string; names: ReadonlySet<string> } | undefined

  private constructor(root: string) {
    this.#root = root
  }

  /** @throws UsageError if it is not a folder that can be read, and `isRequired` */
  static async open(folder: string, isRequired: boolean): Promise<DataFolder> {
    try {
      return new DataFolder(await realpath(folder))
    } catch (error) {
      if (!isRequired) return new DataFolder(folder)
      throw new UsageError(
        `Cannot read the folder ${quote(folder)} with the pages: ${(error as Error).message}`,
      )
    }
  }

  get path(): string {
    return this.#root
  }

  /** All files, in the order of their names. */
  async *entries(folder = '', level = 0): AsyncGenerator<FolderEntry> {
    const found = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(() => null)
    if (found === null || level > MAX_LEVELS) {
      if (folder !== '') yield { path: folder, kind: 'unreadable' }
      return
    }
    found.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of found) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) yield* this.entries(path, level + 1)
      else if (entry.isFile()) yield { path, kind: 'file' }
      else if (entry.isSymbolicLink()) yield { path, kind: 'link' }
    }
  }

  /** Names of the files next to a file. */
  async namesBeside(path: string): Promise<ReadonlySet<string>> {
    const folder = dirname(path)
    if (this.#names?.folder !== folder) {
      const isInside = await this.#isOwnFolder(folder)
      const names = isInside ? await readdir(join(this.#root, folder)).catch(() => []) : []
      this.#names = { folder, names: new Set(names) }
    }
    return this.#names.names
  }

  /** Opens a file that is not a link. Null if there is none, or it cannot be read. */
  async openFile(path: string): Promise<FileHandle | null> {
    if (!(await this.#isOwnFolder(dirname(path)))) return null
    return open(
      join(this.#root, path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    ).catch(() => null)
  }

  /** Whether no folder on the way is a link. */
  async #isOwnFolder(folder: string): Promise<boolean> {
    const whole = folder === '.' ? this.#root : join(this.#root, folder)
    return (await realpath(whole).catch(() => null)) === whole
  }
}
