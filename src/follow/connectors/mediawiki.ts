import { type MediawikiWiki, openMediawikiApi } from '../../import/mediawiki/api/source.ts'
import type { Connector, ConnectorOptions } from './connector.ts'

/** A MediaWiki, through its Action API. @param url of its `api.php` */
export const mediawikiConnector = (url: string, options: ConnectorOptions): Connector => {
  let wiki: MediawikiWiki | undefined
  const connect = async (): Promise<MediawikiWiki> => {
    wiki ??= await openMediawikiApi(url, options)
    return wiki
  }
  return {
    kind: `the MediaWiki at ${url}`,
    version: async () => (await connect()).version(),
    open: async (stored) => ({ source: await (await connect()).open(stored), recognition: null }),
  }
}
