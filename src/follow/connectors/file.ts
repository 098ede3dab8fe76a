import { stat } from 'node:fs/promises'
import { UsageError } from '../../errors.ts'
import { openMediawikiSource } from '../../import/mediawiki/source.ts'
import { openNdjsonSource } from '../../import/ndjson.ts'
import type { ImportSource } from '../../write/records.ts'
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
  fileConnector(file, 'an NDJSON file', () => openNdjsonSource(file))

/** A dump of a MediaWiki. */
export const dumpConnector = (file: string, options: ConnectorOptions): Connector =>
  fileConnector(file, 'a MediaWiki dump', () => openMediawikiSource(file, options))
