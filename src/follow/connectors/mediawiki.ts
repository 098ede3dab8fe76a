import { type MediawikiWiki, openMediawikiApi } from '@lectern/import-mediawiki/api/source'
import type { Connector, ConnectorOptions } from './connector.ts'

/** So that a deletion is gone within a minute. A check takes one request. */
const EVERY_MS = 30_000

/**
 * A MediaWiki, through its Action API.
 * @param url of its `api.php`
 * @param source URL that the operator named
 */
export const mediawikiConnector = (url: string, source: string, options: ConnectorOptions): Connector => {
  let wiki: MediawikiWiki | undefined
  const connect = async (): Promise<MediawikiWiki> => {
    wiki ??= await openMediawikiApi(url, { ...options, sourceUrl: source })
    return wiki
  }
  return {
    everyMs: EVERY_MS,
    kind: `the MediaWiki at ${url}`,
    version: async () => (await connect()).version(),
    open: async (stored) => (await connect()).open(stored),
  }
}
