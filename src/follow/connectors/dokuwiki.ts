import { dokuwikiVersion } from '@lectern/import-dokuwiki/source'
import { dokuwikiSource } from '../../import/open.ts'
import type { Connector, ConnectorOptions } from './connector.ts'

/** The folder of a DokuWiki, or of its data. */
export const dokuwikiConnector = (
  folder: string,
  { locale, name, license, configuration, isPublic }: ConnectorOptions,
): Connector => ({
  kind: 'a DokuWiki',
  version: () => dokuwikiVersion(folder, configuration),
  open: (stored) =>
    dokuwikiSource(folder, { locale, name, license, configuration, isPublic, stored: () => stored }),
})
