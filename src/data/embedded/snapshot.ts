import { existsSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { packagePath } from '../../paths.ts'

/**
 * The file that new databases start from: 1 s instead of the 4 s of initdb. Its name tells the version of
 * PGlite that made it, so that another version does not find it.
 */
export const snapshotPath = (): string => packagePath('dist', `embedded-${pgliteVersion()}.tar.gz`)

/** Writes an empty database to a file, whole or not at all: 4.5 MB, gzip. */
export const buildSnapshot = async (file: string): Promise<void> => {
  const { PGlite } = await import('@electric-sql/pglite') // 20 MB that no other user of this file needs
  const database = await PGlite.create()
  try {
    const dump = await database.dumpDataDir('gzip')
    await writeFile(`${file}.${process.pid}.new`, new Uint8Array(await dump.arrayBuffer()))
  } finally {
    await database.close()
  }
  await rename(`${file}.${process.pid}.new`, file)
}

/** The content of a snapshot as PGlite takes it; undefined when there is no such file. */
export const readSnapshot = (file: string): Blob | undefined =>
  existsSync(file) ? new Blob([readFileSync(file)], { type: 'application/gzip' }) : undefined

const pgliteVersion = (): string => {
  const manifest = fileURLToPath(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')))
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
