import { readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileTree } from '../files/file-tree.ts'
import { readFolderFile } from './read-file.ts'
import type { FolderFile } from './walk.ts'

/** The files of a folder. Their contents are their names. */
export const folderTree = (root: string, files: readonly FolderFile[]): FileTree => {
  const links = new Set(files.filter(({ kind }) => kind === 'link').map(({ name }) => name))
  const readContent = async (name: string, maxBytes: number): Promise<Buffer | null> => {
    if (links.has(name))
      return readlink(join(root, name), { encoding: 'buffer' }).then(
        (target) => (target.length > maxBytes ? null : target),
        () => null,
      )
    const file = await readFolderFile(root, name, maxBytes)
    return 'reason' in file ? null : file.bytes
  }
  return {
    eachFile: async (onFile) => {
      for (const { name, kind } of files) onFile({ name, kind, content: name })
    },
    readContents: async function* (contents, maxBytes) {
      for (const name of contents) yield await readContent(name, maxBytes)
    },
  }
}
