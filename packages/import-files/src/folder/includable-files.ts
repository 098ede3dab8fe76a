import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import type { Timestamp } from '@lectern/wiki/time'
import type { IncludableFiles } from '../includes/expand.ts'
import { type FolderFile, readFolderFile } from './files.ts'

/** The files of a folder that one page can include. Their contents are their names. */
export class FolderIncludableFiles implements IncludableFiles {
  /** When the files that were read were changed last; null: none was read. */
  modifiedAt: Timestamp | null = null
  readonly #root: string
  readonly #names: ReadonlySet<string>

  /** @param root the real path of the folder */
  constructor(root: string, names: ReadonlySet<string>) {
    this.#root = root
    this.#names = names
  }

  async find(names: readonly string[]): Promise<(string | null)[]> {
    return names.map((name) => (this.#names.has(name) ? name : null))
  }

  async read(name: string, maxBytes: number): Promise<Buffer | null> {
    const file = await readFolderFile(this.#root, name, Math.min(maxBytes, TEXT_BYTES_MAX))
    if ('reason' in file) return null
    if (this.modifiedAt === null || file.modifiedAt > this.modifiedAt) this.modifiedAt = file.modifiedAt
    return file.bytes
  }
}

/** The names of files that pages can include: no links. */
export const includableNames = (files: readonly FolderFile[]): Set<string> =>
  new Set(files.filter(({ kind }) => kind === 'regular').map(({ name }) => name))
