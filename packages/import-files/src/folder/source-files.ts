import { lstat, open, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FileLeftOut, ImportError } from '@lectern/wiki/errors'
import type { SourceFiles } from '@lectern/wiki/records'
import { type FileListNotes, type ListedFile, listFiles } from '../source-files/file-list.ts'
import type { FileRules } from '../source-files/file-rules.ts'
import { type FolderFile, folderTree, NO_FOLLOW, timestampFromNanoseconds } from './files.ts'

/**
 * The files of a folder that pages can use. Their versions are their sizes and times. Nothing outside the folder is
 * read, even if somebody replaces a file or a folder meanwhile.
 * @param root the real path of the folder
 */
export const folderFiles = (
  root: string,
  found: readonly FolderFile[],
  { rules, notes }: { rules: FileRules; notes: FileListNotes },
): SourceFiles => ({
  roots: rules.roots,
  list: async function* () {
    const files = await withVersions(
      root,
      found.filter(({ name }) => rules.isFile(name)),
    )
    yield* listFiles(folderTree(root, found), files, rules, {
      open: ({ name, version }) => streamFile(root, name, version),
      notes,
    })
  },
})

/** Files that are asked for their sizes at a time. */
const FILES_AT_A_TIME = 32

/** Leaves out files that have disappeared. */
const withVersions = async (root: string, files: readonly FolderFile[]): Promise<ListedFile[]> => {
  const listed: ListedFile[] = []
  for (let from = 0; from < files.length; from += FILES_AT_A_TIME) {
    const some = files.slice(from, from + FILES_AT_A_TIME)
    const stats = await Promise.all(
      some.map(({ name }) => lstat(join(root, name), { bigint: true }).catch(() => null)),
    )
    for (const [i, { name, kind }] of some.entries()) {
      const one = stats[i]
      if (!one) continue
      const modifiedAt = timestampFromNanoseconds(one.mtimeNs)
      listed.push({ name, kind, content: name, bytes: Number(one.size), version: versionOf(one), modifiedAt })
    }
  }
  return listed
}

const versionOf = ({ size, mtimeNs }: { size: bigint; mtimeNs: bigint }): string => `${size}-${mtimeNs}`

/** Bytes that are read at a time. */
const CHUNK_BYTES = 64 * 1024

/**
 * Reads a regular file in a folder as a stream, without following symbolic links.
 * @param root the real path of the folder
 * @param version what the file must be, and stay. Default: as it is now
 * @throws FileLeftOut, or ImportError if it cannot be read
 */
export async function* streamFile(root: string, name: string, version?: string): AsyncGenerator<Buffer> {
  const path = join(root, name)
  const handle = await open(path, NO_FOLLOW).catch(({ code }: NodeJS.ErrnoException) => {
    throw new ImportError(`${code}: ${name}`)
  })
  let expected = version
  const refuseChanged = async (): Promise<void> => {
    const stats = await handle.stat({ bigint: true })
    if (!stats.isFile()) throw new FileLeftOut('not a regular file')
    expected ??= versionOf(stats)
    if (versionOf(stats) !== expected) throw new FileLeftOut('changed while it was read')
  }
  try {
    if ((await realpath(dirname(path))) !== dirname(path)) throw new FileLeftOut('outside the folder')
    await refuseChanged()
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES)
      if (bytesRead === 0) break
      yield buffer.subarray(0, bytesRead)
    }
    await refuseChanged()
  } finally {
    await handle.close()
  }
}
