import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { FileLeftOut } from '@lectern/wiki/errors'
import type { SourceFiles } from '@lectern/wiki/records'
import { type FileListNotes, type ListedFile, listFiles } from '../source-files/file-list.ts'
import type { UsableFiles } from '../source-files/usable-files.ts'
import { isLink, isRegular } from './log.ts'
import { ByteReader, commitTree, missingObject } from './objects.ts'
import { eachField, type GitProcess, startGit } from './process.ts'
import type { Repository } from './repository.ts'

/** The files of a commit that pages can use. Their versions are the hashes of their blobs. */
export const gitFiles = (
  repository: Repository,
  head: string,
  { rules, notes }: { rules: UsableFiles; notes: FileListNotes },
): SourceFiles => {
  const blobs = new BlobStreams(repository)
  return {
    roots: rules.roots,
    list: async function* () {
      const tree = commitTree(repository, head)
      const files = await filesOfCommit(repository, head)
      yield* listFiles(tree, files, rules, {
        open: ({ content }) => openFile(repository, blobs, content),
        notes,
      })
    },
    close: () => blobs.close(),
  }
}

const filesOfCommit = async (repository: Repository, head: string): Promise<ListedFile[]> => {
  const files: ListedFile[] = []
  await eachField(repository, ['ls-tree', '-r', '-l', '-z', '--full-tree', head], (field) => {
    const tab = field.indexOf(0x09)
    const [mode = '', , blob = '', bytes] = field.toString('latin1', 0, tab).split(/ +/)
    if (!isRegular(mode) && !isLink(mode)) return
    const name = field.toString('utf8', tab + 1)
    const kind = isLink(mode) ? 'link' : 'regular'
    files.push({ name, kind, content: blob, bytes: Number(bytes), version: blob, modifiedAt: null })
  })
  return files
}

/** A pointer of Git LFS is shorter, and names the object that has the bytes. */
const LFS_POINTER_BYTES = 1024
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n/

async function* openFile({ gitDir }: Repository, blobs: BlobStreams, blob: string): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const bytes of blobs.read(blob)) {
    const isShort = isFirst && bytes.length < LFS_POINTER_BYTES
    const object = isShort ? LFS_POINTER.exec(bytes.toString('latin1'))?.[1] : undefined
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

/** Bytes that are read at a time. */
const CHUNK_BYTES = 64 * 1024
const NEWLINE = 0x0a

/** Reads one blob after another as a stream, in one run of git. */
class BlobStreams {
  readonly #repository: Repository
  #running: { git: GitProcess; reader: ByteReader } | null = null

  constructor(repository: Repository) {
    this.#repository = repository
  }

  /** @throws ImportError if the blob is missing or damaged */
  async *read(blob: string): AsyncGenerator<Buffer> {
    const { git, reader } = this.#start()
    git.stdin.write(`${blob}\n`)
    let left: number | null = null
    try {
      const header = (await reader.until(NEWLINE))?.toString('latin1') ?? ''
      if (!header.startsWith(`${blob} blob `)) throw await missingObject(git, header === `${blob} missing`)
      left = Number(header.slice(blob.length + 6))
      while (left > 0) {
        const bytes = await reader.take(Math.min(left, CHUNK_BYTES))
        if (bytes === null) throw await missingObject(git, false)
        left -= bytes.length
        yield bytes
      }
      // git prints fewer bytes than it announces of a truncated object.
      if ((await reader.take(1))?.[0] !== NEWLINE) throw await missingObject(git, false)
    } finally {
      if (left !== 0) await this.close()
    }
  }

  #start(): { git: GitProcess; reader: ByteReader } {
    if (this.#running === null) {
      const git = startGit(this.#repository, ['cat-file', '--batch'])
      this.#running = { git, reader: new ByteReader(git.stdout) }
    }
    return this.#running
  }

  async close(): Promise<void> {
    await this.#running?.git.stop()
    this.#running = null
  }
}
