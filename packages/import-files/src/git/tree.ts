import type { FileTree, TreeFile } from '../files/file-tree.ts'
import { eachPart, fieldsIn } from './process.ts'
import type { Repository } from './repository.ts'

interface TreeEntry {
  /** U+FFFD replaces bytes that are not UTF-8. */
  name: string
  mode: string
  object: string
  bytes: number
}

export interface CommitTree extends FileTree {
  /** Calls back with each entry, except folders. */
  eachEntry(onEntry: (entry: TreeEntry) => void): void
}

/** Reads the tree of a commit. It is kept in memory as git prints it, with about 120 bytes for each file. */
export const readTree = async (repository: Repository, commit: string): Promise<CommitTree> => {
  const parts: Buffer[] = []
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', commit]
  await eachPart(repository, args, (part) => parts.push(part))
  const eachEntry: CommitTree['eachEntry'] = (onEntry) => {
    for (const part of parts) for (const field of fieldsIn(part)) onEntry(entryOf(field))
  }
  return {
    eachEntry,
    eachFile: async (onFile) =>
      eachEntry(({ name, mode, object: content }) => {
        const kind = kindOf(mode)
        if (kind !== null) onFile({ name, kind, content })
      }),
    readContents: (contents, maxBytes) => repository.objects.readAll(contents, maxBytes),
  }
}

/** Parses `mode type object bytes<TAB>name`. */
const entryOf = (field: Buffer): TreeEntry => {
  const tab = field.indexOf('\t')
  const [mode = '', , object = '', bytes] = field.toString('latin1', 0, tab).split(/ +/)
  return { name: field.toString('utf8', tab + 1), mode, object, bytes: Number(bytes) }
}

/** The kind of a file of this mode; null: it is a submodule. */
export const kindOf = (mode: string): TreeFile['kind'] | null =>
  isRegular(mode) ? 'regular' : mode === '120000' ? 'link' : null

/** Whether a mode is that of a regular file: not a link, folder or submodule. */
export const isRegular = (mode: string): boolean => mode.startsWith('100')
