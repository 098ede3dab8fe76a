import { createHash } from 'node:crypto'
import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { FileLeftOut } from '@lectern/wiki/errors'
import { filesFolderOf } from '@lectern/wiki/folders'
import type { FileRecord, SourceFile, SourceFiles } from '@lectern/wiki/records'
import { streamFile } from '../folder/source-files.ts'

/** The files that lines name, in the folder beside the file: under their paths or hashes. The last record of a path counts. */
export const ndjsonFiles = (file: string, records: Iterable<FileRecord>, roots: string[]): SourceFiles => ({
  roots,
  list: async function* () {
    const folder = await realpath(filesFolderOf(file)).catch(() => null)
    for (const record of records) yield await fileOf(folder, record)
  },
})

const fileOf = async (folder: string | null, record: FileRecord): Promise<SourceFile> => {
  const found = folder === null ? null : await findFile(folder, [record.sha256, record.path])
  return {
    locale: record.locale ?? '',
    path: record.path,
    version: record.sha256,
    bytes: found?.bytes ?? 0,
    modifiedAt: record.modified_at ?? null,
    author: record.author ?? null,
    open: () => openFile(folder ?? '', found?.name, record.sha256),
  }
}

const findFile = async (folder: string, names: string[]) => {
  for (const name of names) {
    const stats = await lstat(join(folder, name)).catch(() => null)
    if (stats?.isFile()) return { name, bytes: stats.size }
  }
  return null
}

async function* openFile(folder: string, name: string | undefined, sha256: string): AsyncGenerator<Buffer> {
  if (name === undefined) throw new FileLeftOut('not in the folder beside the NDJSON file')
  const hash = createHash('sha256')
  for await (const bytes of streamFile(folder, name)) {
    hash.update(bytes)
    yield bytes
  }
  if (hash.digest('hex') !== sha256) throw new FileLeftOut('with other bytes than its line says')
}
