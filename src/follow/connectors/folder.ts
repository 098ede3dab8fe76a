import { folderVersion, watchFolder } from '@lectern/import-files/folder/watch'
import { folderSource } from '../../import/open.ts'
import type { Connector, ConnectorOptions } from './connector.ts'

/** A folder of Markdown files that is not a git repository. */
export const folderConnector = (path: string, options: ConnectorOptions): Connector => {
  const { layouts, locale, name, license } = options
  return {
    kind: 'a folder',
    version: () => folderVersion(path),
    open: (stored) =>
      folderSource(path, { layouts, defaultLocale: locale, name, license, stored: () => stored }),
    watch: (onChange, onFailure) => watchFolder(path, { onChange, onFailure }),
  }
}
