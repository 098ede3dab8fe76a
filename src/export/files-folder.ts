import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { filesFolderOf } from '@lectern/wiki/files/files-folder'
import type { ExportedFile, Snapshot } from '../read/snapshot.ts'

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
