import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '@lectern/wiki/errors'
import { filesFolderOf } from '@lectern/wiki/folders'
import type { ExportedFile, Snapshot } from '../read/snapshot.ts'

type Texts = AsyncIterable<string | Buffer>

const toOutput = (texts: Texts) => pipeline(texts, process.stdout, { end: false })
/** In place of a temporary file. */
export const STANDARD_OUTPUT = { write: toOutput, finish: async () => {}, discard: async () => {} }

/**
 * Creates the temporary file of an export, which gets its name when it is complete. It replaces that of an earlier export, which was interrupted, or which still
 * runs: that one notices at its end, because the path then leads to another file.
 */
export const createTemporaryFile = async (file: string) => {
  const path = `${file}.partial`
  await rm(path, { force: true })
  const handle = await open(path, 'wx')
  const { ino } = await handle.stat()
  const isOwn = async () => (await lstat(path).catch(() => undefined))?.ino === ino
  let isFinished = false
  return {
    write: (texts: Texts) => writeFile(handle, texts),
    /** Writes what is in memory to the disk, and gives the file its name. It replaces an older file. */
    finish: async (): Promise<void> => {
      await handle.sync()
      if (!(await isOwn()))
        throw new UsageError(
          `Another export to ${file} began meanwhile, and replaced the temporary file of this one. Export to different files, or one after the other.`,
        )
      await rename(path, file)
      isFinished = true
      await handle.close()
    },
    /** Removes the file. After `finish`, it does nothing. */
    discard: async (): Promise<void> => {
      if (isFinished) return
      if (await isOwn()) await rm(path, { force: true })
      await handle.close()
    },
  }
}

/**
 * Writes the files of a wiki into the folder beside an export, under their hashes, so that equal bytes are there once
 * and no name of a file matters. What an earlier export has written is not written again.
 * @returns the lines of the files
 */
export async function* exportFiles(snapshot: Snapshot, exportFile: string): AsyncGenerator<string> {
  const folder = filesFolderOf(exportFile)
  for await (const file of snapshot.files()) {
    const path = join(folder, file.record.sha256)
    await mkdir(folder, { recursive: true })
    if (!(await hasBytes(path, file))) await writeBytes(path, file)
    yield `${JSON.stringify(file.record)}\n`
  }
}

const hasBytes = async (path: string, { bytes, record }: ExportedFile): Promise<boolean> => {
  const stats = await stat(path).catch(() => null)
  if (!stats?.isFile() || stats.size !== bytes) return false
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex') === record.sha256
}

const writeBytes = async (path: string, file: ExportedFile): Promise<void> => {
  const partial = `${path}.partial`
  try {
    await pipeline(file.parts(), createWriteStream(partial))
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
