import { recognizeLocation } from '../source-kind.ts'
import type { Connector, ConnectorOptions } from './connector.ts'

/**
 * Recognizes what a location is, and opens its connector.
 * @param location a folder, a file or a URL
 * @throws UsageError if there is nothing that Lectern can import
 */
export const openConnector = async (given: string, options: ConnectorOptions): Promise<Connector> => {
  const { kind, location } = await recognizeLocation(given, options.contact)
  if (kind === 'git') return (await import('./git.ts')).gitConnector(location, options)
  if (kind === 'mediawiki')
    return (await import('./mediawiki.ts')).mediawikiConnector(location, given, options)
  if (kind === 'folder') return (await import('./folder.ts')).folderConnector(location, options)
  if (kind === 'dokuwiki') return (await import('./dokuwiki.ts')).dokuwikiConnector(location, options)
  const { dumpConnector, ndjsonConnector } = await import('./file.ts')
  return kind === 'dump' ? dumpConnector(location, options) : ndjsonConnector(location)
}
