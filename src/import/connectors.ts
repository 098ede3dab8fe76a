import { existsSync, readFileSync, unwatchFile, watchFile } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative } from 'node:path'
import type { DokuwikiOptions } from '@lectern/import-dokuwiki/source'
import type { WatchListener } from '@lectern/import-files/folder/watch'
import { gitVersion, uncommittedNote } from '@lectern/import-files/git/repository'
import type { GitOptions } from '@lectern/import-files/git/source'
import type { MediawikiApiOptions } from '@lectern/import-mediawiki/api/source'
import { ImportError, UsageError } from '@lectern/wiki/errors'
import type { ImportSource } from '@lectern/wiki/records'
import type { SourceContentQueries } from '@lectern/wiki/stored-content'
import type { Progress } from '../progress.ts'
import { memoize } from '../shared/memoize.ts'
import { recognizeLocation, refuseWrongSource, type SourceKind } from './source-kind.ts'

/** How each kind of source is opened, checked and watched. Its package is loaded when it is needed. */

/** Options of all kinds of sources. Each kind uses those that it knows. */
export type ConnectorOptions = Pick<
  GitOptions,
  | 'layouts'
  | 'exclude'
  | 'explicitPublish'
  | 'prefix'
  | 'docsVersion'
  | 'ref'
  | 'history'
  | 'messages'
  | 'keepsMissing'
> &
  MediawikiApiOptions &
  Pick<DokuwikiOptions, 'configuration' | 'isPublic'> & {
    /** Folder for clones of remote repositories. */
    sourcesFolder: string
  }

/** Between two checks by default, milliseconds. */
export const EVERY_MS = 60_000
/** The same of a MediaWiki: a deletion is gone within a minute. A check takes one request. */
const MEDIAWIKI_EVERY_MS = 30_000

interface Watcher {
  close(): void
}

export type KnownWiki = Pick<GitOptions, 'wikiLocale' | 'wikiLicense'>

export interface Connector {
  /** What it is, for people, such as `a git repository`. */
  kind: string
  /** Its `lectern import` command, of a source that was recognized. */
  command?: string
  /** Between two checks by default, milliseconds. Absent: `EVERY_MS`. */
  everyMs?: number
  /** A text that changes when the source changes. */
  version(): Promise<string>
  /** What an imported version is, for people. Absent: nothing that they know. */
  describe?(version: string): { commit: string; branch?: string }
  /**
   * Opens the source for an import.
   * @param stored called when the records are read
   * @param wiki its main language, if other sources name it, and its license
   * @throws UsageError if the location is not what this kind of source needs
   */
  open(
    stored: () => SourceContentQueries,
    wiki?: KnownWiki,
    onProgress?: (progress: Progress) => void,
  ): Promise<ImportSource>
  /** Tells of changes that the source does not contain yet; null if there are none. */
  uncommitted?(): Promise<string | null>
  /** Calls back when the source may have changed, or, with the reason, cannot tell any more. Absent: it never can. */
  watch?(onChange: () => void, onFailure: (reason: string) => void): Promise<Watcher>
}

const CONNECTORS: Record<SourceKind, (location: string, options: ConnectorOptions) => Connector> = {
  /** A folder, bare or not, or a URL. */
  git: (location, options) => ({
    kind: 'a git repository',
    version: () => gitVersion(location, options),
    describe: (version) => ({ commit: version.slice(0, 12), branch: options.ref ?? branchOf(location) }),
    uncommitted: () => uncommittedNote(location, options.ref).catch(() => null),
    open: async (stored, wiki, onFetchProgress) => {
      if (existsSync(location)) await refuseWrongSource(location)
      const { openGitSource } = await import('@lectern/import-files/git/source')
      return openGitSource(location, { ...(await fileOptions(options)), ...wiki, stored, onFetchProgress })
    },
    watch: (onChange, onFailure) => watchRepository(location, { onChange, onFailure }),
  }),
  /** Markdown files that are not in a git repository. */
  folder: (folder, options) => ({
    kind: 'a folder',
    version: () => folderVersion(folder, options),
    open: async (stored, wiki) => {
      await refuseWrongSource(folder)
      const { openFolderSource } = await import('@lectern/import-files/folder/source')
      return openFolderSource(folder, { ...(await fileOptions(options)), ...wiki, stored })
    },
    watch: (onChange, onFailure) => watchFolder(folder, { onChange, onFailure }),
  }),
  /** A file in the interchange format. */
  ndjson: (file) =>
    fileConnector(file, 'an NDJSON file', async () =>
      (await import('@lectern/import-files/ndjson/source')).openNdjsonSource(file),
    ),
  dump: (file, options) =>
    fileConnector(file, 'a MediaWiki dump', async () =>
      (await import('@lectern/import-mediawiki/dump')).openMediawikiSource(file, options),
    ),
  /** A MediaWiki, by the URL of its `api.php`. */
  mediawiki: (url, options) => {
    const connect = memoize(async () => {
      const { openMediawikiApi } = await import('@lectern/import-mediawiki/api/source')
      return openMediawikiApi(url, options)
    })
    return {
      everyMs: MEDIAWIKI_EVERY_MS,
      kind: `the MediaWiki at ${url}`,
      version: async () => (await connect()).version(),
      open: async (stored) => (await connect()).open(stored()),
    }
  },
  /** The folder of a DokuWiki, or of its data. */
  dokuwiki: (folder, options) => ({
    kind: 'a DokuWiki',
    version: async () =>
      (await import('@lectern/import-dokuwiki/source')).dokuwikiVersion(folder, options.configuration),
    open: async (stored) => {
      await refuseWrongSource(folder)
      const { openDokuwikiSource } = await import('@lectern/import-dokuwiki/source')
      return openDokuwikiSource(folder, { ...options, stored })
    },
  }),
}

export const connectorOf = (kind: SourceKind, location: string, options: ConnectorOptions): Connector =>
  CONNECTORS[kind](location, options)

/**
 * Recognizes what a location is.
 * @param location a folder, a file or a URL
 * @throws UsageError if there is nothing that Lectern can import
 */
export const recognizeSource = async (location: string, options: ConnectorOptions): Promise<Connector> => {
  const known = await recognizeLocation(location, options.contact)
  const connector = connectorOf(known.kind, known.location, { ...options, sourceUrl: location })
  return { ...connector, command: known.kind === 'dump' ? 'mediawiki' : known.kind }
}

const folderWatching = () => import('@lectern/import-files/folder/watch')

/** @throws UsageError if the database is in the folder, which each import would change. What is hidden does not count */
const folderVersion = async (folder: string, options: ConnectorOptions): Promise<string> => {
  const data = relative(folder, dirname(options.sourcesFolder))
  if (!isAbsolute(data) && !/(?:^|[\\/])\./.test(data))
    throw new UsageError(`DATA_DIR must be outside of ${folder}, which is imported, or be hidden in it.`)
  return (await folderWatching()).folderVersion(folder, options.history)
}

const fileOptions = async (options: ConnectorOptions) => {
  const { convertWikitextFile } = await import('@lectern/import-mediawiki/wikitext/file')
  return { ...options, defaultLocale: options.locale, wikitext: convertWikitextFile }
}

const fileConnector = (file: string, kind: string, open: () => Promise<ImportSource>): Connector => ({
  kind,
  version: async () => {
    const stats = await stat(file).catch((error: Error) => {
      throw new UsageError(`Cannot read ${file}: ${error.message}`)
    })
    return `${stats.ino} ${stats.size} ${stats.mtimeMs}`
  },
  open: async () => {
    await refuseWrongSource(file)
    const source = await open()
    const { records, lineOf } = source
    return { ...source, records: namingFile(file, records), lineOf: () => `${file}: ${lineOf?.()}` }
  },
  watch: async (onChange) => watchFiles([file], onChange),
})

/** Errors that begin with a line of the file begin with the file. */
async function* namingFile(file: string, records: ImportSource['records']): ImportSource['records'] {
  try {
    yield* records
  } catch (error) {
    if (!(error instanceof ImportError && /^Line \d/.test(error.message))) throw error
    throw new ImportError(`${file}: ${error.message}`)
  }
}

/** How often the size and date of a file are compared, milliseconds. */
const COMPARE_MS = 1_000

/** Watches files by their sizes and dates. A file may be absent, and appear later. */
const watchFiles = (files: readonly string[], onChange: () => void): Watcher => {
  for (const file of files) watchFile(file, { interval: COMPARE_MS, persistent: false }, onChange)
  return {
    close: () => {
      for (const file of files) unwatchFile(file, onChange)
    },
  }
}

const watchFolder = async (folder: string, listener: WatchListener): Promise<Watcher> => {
  const watch = new (await folderWatching()).FolderWatch(folder, listener)
  await watch.ready
  return watch
}

const gitDirOf = (location: string, part: string): string | undefined =>
  [join(location, '.git'), location].find((folder) => existsSync(join(folder, part)))

/** The branch that is checked out; undefined of a URL, and if there is none. */
const branchOf = (location: string): string | undefined => {
  const gitDir = gitDirOf(location, 'HEAD')
  return gitDir && /^ref: refs\/heads\/(.+)$/m.exec(readFileSync(join(gitDir, 'HEAD'), 'utf8'))?.[1]
}

/** Watches the branches of a repository on this machine. Of others, and of linked work trees, nothing can be watched. */
const watchRepository = async (location: string, listener: WatchListener): Promise<Watcher> => {
  const gitDir = gitDirOf(location, 'refs')
  if (gitDir === undefined) return { close: () => {} }
  const files = watchFiles([join(gitDir, 'HEAD'), join(gitDir, 'packed-refs')], listener.onChange)
  const onFailure = (reason: string) => {
    files.close()
    listener.onFailure(reason)
  }
  const branches = await watchFolder(join(gitDir, 'refs'), { ...listener, onFailure })
  return {
    close: () => {
      branches.close()
      files.close()
    },
  }
}
