import { existsSync } from 'node:fs'
import type { ImportSource } from '@lectern/wiki/records'
import { refuseWrongSource } from './wrong-source.ts'

type Open<Rest extends unknown[]> = (location: string, ...rest: Rest) => Promise<ImportSource>

/**
 * Loads a source when it is needed, and opens it. A location that cannot be what the source needs is refused with what
 * it is.
 */
const checked =
  <Rest extends unknown[]>(load: () => Promise<Open<Rest>>, takesUrls = false): Open<Rest> =>
  async (location, ...rest) => {
    if (!takesUrls || existsSync(location)) await refuseWrongSource(location)
    return (await load())(location, ...rest)
  }

/** A git repository: its folder, or a URL. */
export const gitSource = checked(async () => {
  const { openGitSource } = await import('@lectern/import-files/git/source')
  const { convertWikitextFile: wikitext } = await import('@lectern/import-mediawiki/wikitext/file')
  return (location: string, options: Parameters<typeof openGitSource>[1]) =>
    openGitSource(location, { ...options, wikitext })
}, true)

/** A folder of Markdown files. */
export const folderSource = checked(async () => {
  const { openFolderSource } = await import('@lectern/import-files/folder/source')
  const { convertWikitextFile: wikitext } = await import('@lectern/import-mediawiki/wikitext/file')
  return (folder: string, options: Parameters<typeof openFolderSource>[1]) =>
    openFolderSource(folder, { ...options, wikitext })
})

/** A file in the interchange format. */
export const ndjsonSource = checked(async () => {
  const { openNdjsonSource } = await import('@lectern/import-files/ndjson/source')
  return (file: string) => openNdjsonSource(file)
})

/** A dump of a MediaWiki. */
export const dumpSource = checked(
  async () => (await import('@lectern/import-mediawiki/dump')).openMediawikiSource,
)

/** The folder of a DokuWiki, or of its data. */
export const dokuwikiSource = checked(
  async () => (await import('@lectern/import-dokuwiki/source')).openDokuwikiSource,
)
