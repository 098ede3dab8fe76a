import { type MediawikiWiki, openMediawikiApi } from '../../import/mediawiki/api/source.ts'
import type { Connector, ConnectorOptions } from './connector.ts'

/** So that a deletion is gone within a minute. A check takes one request. */
const EVERY_MS = 30_000

/** A MediaWiki, through its Action API. @param url of its `api.php` */
export const mediawikiConnector = (url: string, options: ConnectorOptions): Connector => {
  let wiki: MediawikiWiki | undefined
  const connect = async (): Promise<MediawikiWiki> => {
    wiki ??= await openMediawikiApi(url, options)
    return wiki
  }
  return {
    everyMs: EVERY_MS,
    kind: `the MediaWiki at ${url}`,
    version: async () => (await connect()).version(),
    open: async (stored) => (await connect()).open(stored),
  }
}
