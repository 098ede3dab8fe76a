import { openGitSource } from '../../import/git/source.ts'
import { gitVersion } from '../../import/git/version.ts'
import type { Connector, ConnectorOptions } from './connector.ts'

/** A git repository: a folder, bare or not, or a URL. */
export const gitConnector = (location: string, options: ConnectorOptions): Connector => {
  const { layouts, ref, locale, name, license, sourcesFolder, keepsMissing } = options
  return {
    kind: 'a git repository',
    version: () => gitVersion(location, { ref, sourcesFolder }),
    open: async (stored, onProgress) => {
      const source = await openGitSource(location, {
        layouts,
        ref,
        defaultLocale: locale,
        name,
        license,
        sourcesFolder,
        keepsMissing,
        stored: () => stored,
        onFetchProgress: onProgress,
      })
      return { source, recognition: source.recognition }
    },
  }
}
