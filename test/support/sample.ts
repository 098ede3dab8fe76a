import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { pino } from 'pino'
import { type Config, readConfig } from '../../src/config.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { packagePath } from '../../src/paths.ts'
import { serve } from '../../src/server/server.ts'
import { runImport } from '../../src/write/run-import.ts'
import { type Client, makeClient } from './client.ts'
import { copyTemplate, type DatabaseTemplate } from './database.ts'

export const SAMPLE_WIKI = packagePath('sample', 'tea-wiki.ndjson')

/** Cursors and dates of changes that are the same in every copy. */
export const fixChanges = async (owner: Database): Promise<void> => {
  for (const [i, text] of [
    `update wiki.change_feed set key = 'sample'`,
    `update wiki.live_change set change = 1767225600000000 + page_id`,
  ].entries())
    await owner.query({ name: `sample_changes_${i}`, text }, [])
}

export const WITH_SAMPLE: DatabaseTemplate = {
  name: 'sample',
  fill: async (owner) => {
    await migrate(owner)
    await runImport(owner, () => openNdjsonSource(SAMPLE_WIKI))
    await fixChanges(owner)
  },
}

const WIKI = 'http://localhost:3000/wiki'

/** A client of a service of its own. */
export interface ServedWiki extends Client {
  origin: string
  internalOrigin: string
  stop(): Promise<void>
}

/**
 * A service of its own with the sample wiki, as a first start has it.
 * @param baseUrl start of its links
 * @param rateLimit requests a minute; 0: no limit
 */
export const serveSample = (baseUrl: string, { rateLimit = 600 } = {}): Promise<ServedWiki> =>
  serveCopy(WITH_SAMPLE, {
    baseUrl,
    rateLimit,
    wikiAddresses: {
      ar: `${WIKI}/ar`,
      en: `${WIKI}/en`,
      es: `${WIKI}/es`,
      ja: `${WIKI}/ja`,
      ru: `${WIKI}/ru`,
    },
  })

/** A service of its own with a copy of a database. */
export const serveCopy = async (
  template: DatabaseTemplate,
  settings: Partial<Config>,
): Promise<ServedWiki> => {
  const { place, remove } = await copyTemplate(template)
  const reader = await openDatabase(place, 'reader')
  const addresses = { port: 0, host: '127.0.0.1', internalPort: 0 }
  const config = { ...readConfig({}), ...place, ...addresses, ...settings }
  const service = await serve(config, reader, pino({ level: 'silent' }))
  return {
    ...makeClient(service.listeningUrl),
    origin: service.listeningUrl,
    internalOrigin: service.internalUrl,
    stop: async () => {
      await service.close()
      await reader.close()
      await remove()
    },
  }
}
