import { constants } from 'node:fs'
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UsageError } from '../../errors.ts'
import { quote } from '../../wiki/text.ts'

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
