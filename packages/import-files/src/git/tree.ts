import type { TreeFile } from '../files/file-tree.ts'
import { fieldsIn, partsOf } from './process.ts'
import type { Repository } from './repository.ts'

type TreeEntry = { name: string; kind: TreeFile['kind'] | 'submodule'; content: string; bytes: number }

export type CommitTree = Awaited<ReturnType<typeof readTree>>

/** Reads the tree of a commit. It is kept in memory as git prints it, with about 120 bytes for each file. */
export const readTree = async (repository: Repository, commit: string) => {
  const parts: Buffer[] = []
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', commit]
  for await (const part of partsOf(repository, args)) parts.push(part)
  const entries = function* (): Generator<TreeEntry> {
    for (const part of parts) for (const field of fieldsIn(part)) yield entryOf(field)
  }
  return {
    entries,
    files: function* (): Generator<TreeFile> {
      for (const { name, kind, content } of entries()) if (kind !== 'submodule') yield { name, kind, content }
    },
    readContents: <File extends { content: string }>(files: readonly File[], maxBytes: number) =>
      repository.objects.readAll(files, maxBytes),
  }
}

/** Parses `mode type object bytes<TAB>name`. */
const entryOf = (field: Buffer): TreeEntry => {
  const tab = field.indexOf('\t')
  const [mode = '', , content = '', bytes] = field.toString('latin1', 0, tab).split(/ +/)
  const kind = isRegular(mode) ? 'regular' : mode === '120000' ? 'link' : 'submodule'
  return { name: field.toString('utf8', tab + 1), kind, content, bytes: Number(bytes) }
}

/** Whether a mode is that of a regular file: not a link, folder or submodule. */
export const isRegular = (mode: string): boolean => mode.startsWith('100')
