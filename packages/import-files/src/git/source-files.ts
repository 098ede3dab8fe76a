import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { FileLeftOut } from '@lectern/wiki/errors'
import type { SourceFiles } from '@lectern/wiki/records'
import { type ListedFile, listFiles, type UsableFiles } from '../source-files/usable-files.ts'
import type { ReadingContext } from './history.ts'
import type { CommitTree, Repository } from './repository.ts'

/** The files of a commit that pages can use. Their versions are hashes: of their blobs, and of `.mailmap`, for the authors. */
export const gitFiles = (context: ReadingContext, rules: UsableFiles): SourceFiles => {
  const { repository, tree, mailmap, lastChanges } = context
  return {
    roots: rules.roots,
    list: () =>
      listFiles(tree, filesOf(tree, mailmap ?? ''), rules, ({ name, content }) => ({
        open: () => openFile(repository, content),
        lastChange: () => lastChanges.of(name),
      })),
  }
}

const filesOf = (tree: CommitTree, mailmap: string): ListedFile[] =>
  Array.from(tree.entries()).flatMap(({ kind, content, ...entry }) => {
    const version = `${content} ${mailmap}`
    return kind === 'submodule' ? [] : [{ ...entry, kind, content, version, modifiedAt: null }]
  })

/** A pointer of Git LFS is shorter, and names the object that has the bytes. */
const LFS_POINTER_BYTES = 1024
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n/

/** The object that has the bytes of a file, if these are a pointer to it. */
const lfsObjectOf = (bytes: Buffer): string | undefined =>
  bytes.length < LFS_POINTER_BYTES ? LFS_POINTER.exec(bytes.toString('latin1'))?.[1] : undefined

async function* openFile({ gitDir, objects }: Repository, blob: string): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const bytes of objects.stream(blob)) {
    const object = isFirst ? lfsObjectOf(bytes) : undefined
    isFirst = false
    yield* object === undefined ? [bytes] : readLfsObject(gitDir, object)
  }
}

async function* readLfsObject(gitDir: string, object: string): AsyncGenerator<Buffer> {
  const file = join(gitDir, 'lfs', 'objects', object.slice(0, 2), object.slice(2, 4), object)
  const stats = await lstat(file).catch(() => null)
  if (!stats?.isFile()) throw new FileLeftOut('a Git LFS pointer whose object is not in the repository')
  yield* createReadStream(file)
}
