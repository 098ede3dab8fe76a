import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DataFolder } from './data-folder.ts'
import { findFolders } from './folders.ts'
import { readSettings } from './settings.ts'

/** Files of the configuration that decide what is imported. */
const CONFIGURATION = [
  'dokuwiki.php',
  'local.php',
  'local.protected.php',
  'acl.auth.php',
  'interwiki.conf',
  'interwiki.local.conf',
]
/** Files of pages that are compared. Changes of others are seen by the changelog, which each edit in DokuWiki extends. */
const MAX_PAGES = 20_000

/**
 * A text that changes when a DokuWiki changes, from sizes and times of its files: the configuration, the changelog of
 * the whole wiki, and the files of pages, which can also change without DokuWiki. No file of a page is read.
 * @param folder as for `openDokuwikiSource`
 * @throws UsageError if the folder is not a DokuWiki, or its configuration cannot be read
 */
export const dokuwikiVersion = async (folder: string, configuration?: string): Promise<string> => {
  const folders = await findFolders(folder, configuration)
  const { data } = await readSettings(folders)
  const hash = createHash('sha256')
  const add = async (path: string) => {
    const stats = await stat(path).catch(() => null)
    hash.update(`${path}\0${stats?.size}\0${stats?.mtimeMs}\0`)
  }
  for (const one of folders.configuration) for (const name of CONFIGURATION) await add(join(one, name))
  await add(join(data.meta, '_dokuwiki.changes'))
  const pages = await DataFolder.open(data.pages, true)
  let count = 0
  for await (const { path } of pages.entries()) {
    if (count === MAX_PAGES) break
    await add(join(pages.path, path))
    count += 1
  }
  return hash.digest('hex')
}
