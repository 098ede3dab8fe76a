import { stat } from 'node:fs/promises'
import { UsageError } from '@lectern/wiki/errors'
import type { ImportSource } from '@lectern/wiki/records'
import { dumpSource, ndjsonSource } from '../../import/open.ts'
import type { Connector, ConnectorOptions } from './connector.ts'
import { watchFiles } from './watch-files.ts'

const fileConnector = (file: string, kind: string, open: () => Promise<ImportSource>): Connector => ({
  kind,
  version: async () => {
    const stats = await stat(file).catch((error: Error) => {
      throw new UsageError(`Cannot read ${file}: ${error.message}`)
    })
    return `${stats.ino} ${stats.size} ${stats.mtimeMs}`
  },
  open,
  watch: (onChange) => watchFiles([file], onChange),
})

/** A file in the interchange format. */
export const ndjsonConnector = (file: string): Connector =>
  fileConnector(file, 'an NDJSON file', () => ndjsonSource(file))

/** A dump of a MediaWiki. */
export const dumpConnector = (file: string, options: ConnectorOptions): Connector =>
  fileConnector(file, 'a MediaWiki dump', () => dumpSource(file, options))
