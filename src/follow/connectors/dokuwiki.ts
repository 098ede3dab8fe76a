import { openDokuwikiSource } from '../../import/dokuwiki/source.ts'
import { dokuwikiVersion } from '../../import/dokuwiki/version.ts'
import type { Connector, ConnectorOptions } from './connector.ts'

/** The folder of a DokuWiki, or of its data. */
export const dokuwikiConnector = (
  folder: string,
  { locale, name, license, configuration, isPublic }: ConnectorOptions,
): Connector => ({
  kind: 'a DokuWiki',
  version: () => dokuwikiVersion(folder, configuration),
  open: (stored) =>
    openDokuwikiSource(folder, { locale, name, license, configuration, isPublic, stored: () => stored }),
})
