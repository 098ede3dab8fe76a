import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { FileLeftOut, ImportError } from '@lectern/wiki/errors'
import { fileVersion, streamFileHandle } from '@lectern/wiki/import/file-stream'
import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import type { SourceFiles } from '@lectern/wiki/records'
import type { Timestamp } from '@lectern/wiki/time'
import type { TreeFile } from '../files/file-tree.ts'
import type { IncludableFiles } from '../includes/expand.ts'
import { type ListedFile, listFiles, type UsableFiles } from '../source-files/usable-files.ts'
import { folderTree, openInFolder, readFolderFile, timestampFromNanoseconds, withResults } from './files.ts'

/** The files of a folder that pages can use. Their versions are their sizes and times. Nothing outside is read. */
export const folderFiles = (root: string, found: readonly TreeFile[], rules: UsableFiles): SourceFiles => ({
  roots: rules.roots,
  list: async function* () {
    const usable = found.filter(({ name }) => rules.isFile(name))
    const files = await withVersions(root, usable)
    yield* listFiles(folderTree(root, found), files, rules, {
      open: ({ name, version }) => streamFile(root, name, version),
    })
  },
})

const STATS_AT_A_TIME = 32

/** Leaves out files that have disappeared. */
const withVersions = async (root: string, files: readonly TreeFile[]): Promise<ListedFile[]> => {
  const listed: ListedFile[] = []
  const statsOf = ({ name }: TreeFile) => lstat(join(root, name), { bigint: true }).catch(() => null)
  for await (const [file, stats] of withResults(files, STATS_AT_A_TIME, statsOf)) {
    if (stats === null) continue
    const modifiedAt = timestampFromNanoseconds(stats.mtimeNs)
    listed.push({ ...file, bytes: Number(stats.size), version: fileVersion(stats), modifiedAt })
  }
  return listed
}

/** @param version what the file must be, and stay. Default: as it is now @throws FileLeftOut, or ImportError if it is unreadable */
export async function* streamFile(root: string, name: string, version?: string): AsyncGenerator<Buffer> {
  const handle = await openInFolder(root, name).catch((error: NodeJS.ErrnoException) => {
    throw error instanceof FileLeftOut ? error : new ImportError(`${error.code}: ${name}`)
  })
  yield* streamFileHandle(handle, version)
}

/** The files of a folder that one page can include, and when those that it has read were changed last. @param names no links */
export const folderIncludableFiles = (root: string, names: ReadonlySet<string>) => {
  const files: IncludableFiles & { modifiedAt: Timestamp | null } = {
    modifiedAt: null,
    find: async (wanted) => wanted.map((name) => (names.has(name) ? name : null)),
    read: async (name, maxBytes) => {
      const file = await readFolderFile(root, name, Math.min(maxBytes, TEXT_BYTES_MAX))
      if ('reason' in file) return null
      if (files.modifiedAt === null || file.modifiedAt > files.modifiedAt) files.modifiedAt = file.modifiedAt
      return file.bytes
    },
  }
  return files
}
