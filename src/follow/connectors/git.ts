import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { watchFolder } from '@lectern/import-files/folder/watch'
import { gitVersion } from '@lectern/import-files/git/repository'
import { gitSource } from '../../import/open.ts'
import type { Connector, ConnectorOptions } from './connector.ts'
import { watchFiles } from './watch-files.ts'

/** A git repository: a folder, bare or not, or a URL. */
export const gitConnector = (location: string, options: ConnectorOptions): Connector => {
  const { layouts, ref, locale, name, license, sourcesFolder, keepsMissing } = options
  return {
    kind: 'a git repository',
    version: () => gitVersion(location, { ref, sourcesFolder }),
    open: (stored, onProgress) =>
      gitSource(location, {
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

/** Watches the branches of a repository on this machine. Of others, and of linked work trees, nothing can be watched. */
const watchRepository = (location: string, onChange: () => void): { close(): void } => {
  const gitDir = [join(location, '.git'), location].find((folder) => existsSync(join(folder, 'refs')))
  if (gitDir === undefined) return { close: () => {} }
  const branches = watchFolder(join(gitDir, 'refs'), { onChange, onFailure: () => {} })
  const files = watchFiles(
    ['HEAD', 'packed-refs'].map((name) => join(gitDir, name)),
    onChange,
  )
  return {
    close: () => {
      branches.close()
      files.close()
    },
  }
}
