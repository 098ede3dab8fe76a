import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packagePath } from '../../paths.ts'

/**
 * The folder that new databases are copies of: 0.2 s instead of the 4 s of initdb. Its name tells the version
 * of PGlite that made it, so that another version does not find it.
 */
export const snapshotPath = (): string => packagePath('dist', `embedded-${pgliteVersion()}`)

/** Makes an empty database in a folder that is not there yet, whole or not at all: 40 MB. */
export const buildSnapshot = async (folder: string): Promise<void> => {
  const { PGlite } = await import('@electric-sql/pglite') // 20 MB that no other user of this file needs
  const unfinished = `${folder}.${process.pid}.new`
  await mkdir(unfinished, { mode: 0o700 })
  try {
    await (await PGlite.create(unfinished)).close()
    await openToReaders(unfinished)
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // else another build was faster
  }
}

/** The user that serves may be another than the one that built, as in an image; nobody else may change it. */
const openToReaders = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
}

const pgliteVersion = (): string => {
  const manifest = fileURLToPath(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')))
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
