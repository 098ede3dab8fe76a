import { FileLeftOut } from '@lectern/wiki/errors'
import { FILE_PATH_BYTES_MAX } from '@lectern/wiki/limits'
import type { LastChange, SourceFile } from '@lectern/wiki/records'
import { byteLength, isPlainText, nfc } from '@lectern/wiki/text'
import { type FileTree, followLinks, type TreeFile } from '../files/file-tree.ts'
import type { UsableFiles } from './usable-files.ts'

export type ListedFile = TreeFile & Pick<SourceFile, 'bytes' | 'version' | 'modifiedAt'>

interface ListOptions {
  open: (file: ListedFile) => AsyncIterable<Buffer>
  /** Absent: `modifiedAt` of a file is its last change. */
  lastChange?: (file: ListedFile) => Promise<LastChange>
  /** Called for each file that can be read. */
  onFile?: (file: SourceFile, target: ListedFile) => void
}

/** The files of a tree that pages can use. A symbolic link is the file to which it leads, if pages could use that, too. */
export async function* listFiles(
  tree: FileTree,
  files: readonly ListedFile[],
  { isFile, notes }: UsableFiles,
  { open, lastChange, onFile }: ListOptions,
): AsyncGenerator<SourceFile> {
  const usable = files.filter(({ name }) => isFile(name))
  const links = usable.filter(({ kind }) => kind === 'link')
  const followed = await followLinks(tree, links)
  const regular = new Map(usable.filter(({ kind }) => kind === 'regular').map((file) => [file.name, file]))
  const paths = new Set<string>()
  for (const file of usable) {
    const path = nfc(file.name)
    const isFit = isPlainText(path) && !path.includes('\ufffd') && byteLength(path) <= FILE_PATH_BYTES_MAX
    if (!isFit || paths.has(path)) {
      notes.add(isFit ? 'same name' : 'unfit name', file.name)
      continue
    }
    paths.add(path)
    const target = file.kind === 'regular' ? file : regular.get(followed.get(file.name) ?? '')
    const { bytes, version, modifiedAt } = target ?? file
    const listed: SourceFile = {
      locale: '',
      path,
      version,
      bytes,
      modifiedAt,
      author: null,
      ...(target && lastChange ? { lastChange: () => lastChange(target) } : {}),
      open: async function* () {
        if (target === undefined) throw new FileLeftOut('a symbolic link that leads to no file of the source')
        yield* open(target)
      },
    }
    if (target) onFile?.(listed, target)
    yield listed
  }
}
