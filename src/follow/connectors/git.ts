import { existsSync, unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import { watchFolder } from '../../import/folder/watch.ts'
import { openGitSource } from '../../import/git/source.ts'
import { gitVersion } from '../../import/git/version.ts'
import type { Connector, ConnectorOptions } from './connector.ts'

/** A git repository: a folder, bare or not, or a URL. */
export const gitConnector = (location: string, options: ConnectorOptions): Connector => {
  const { layouts, ref, locale, name, license, sourcesFolder, keepsMissing } = options
  return {
    kind: 'a git repository',
    version: () => gitVersion(location, { ref, sourcesFolder }),
    open: (stored, onProgress) =>
      openGitSource(location, {
        layouts,
        ref,
        defaultLocale: locale,
        name,
        license,
        sourcesFolder,
        keepsMissing,
        stored: () => stored,
        onFetchProgress: onProgress,
      }),
    watch: (onChange) => watchRepository(location, onChange),
  }
}

/** How often the size and date of a file are compared, milliseconds. */
const COMPARE_MS = 1_000

/** Watches the branches of a repository on this machine. Of others, and of linked work trees, nothing can be watched. */
const watchRepository = (location: string, onChange: () => void): { close(): void } => {
  const gitDir = [join(location, '.git'), location].find((folder) => existsSync(join(folder, 'refs')))
  if (gitDir === undefined) return { close: () => {} }
  const branches = watchFolder(join(gitDir, 'refs'), { onChange, onFailure: () => {} })
  const files = ['HEAD', 'packed-refs'].map((name) => join(gitDir, name))
  for (const file of files) watchFile(file, { interval: COMPARE_MS, persistent: false }, onChange)
  return {
    close: () => {
      branches.close()
      for (const file of files) unwatchFile(file, onChange)
    },
  }
}
