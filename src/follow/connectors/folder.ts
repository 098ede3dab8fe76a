import { openFolderSource } from '../../import/folder/source.ts'
import { folderVersion } from '../../import/folder/version.ts'
import { watchFolder } from '../../import/folder/watch.ts'
import type { Connector, ConnectorOptions } from './connector.ts'

/** A folder of Markdown files that is not a git repository. */
export const folderConnector = (path: string, options: ConnectorOptions): Connector => {
  const { layouts, locale, name, license } = options
  return {
    kind: 'a folder',
    version: () => folderVersion(path, layouts),
    open: (stored) =>
      openFolderSource(path, { layouts, defaultLocale: locale, name, license, stored: () => stored }),
    watch: (onChange, onFailure) => watchFolder(path, { onChange, onFailure }),
  }
}
