import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { openNdjsonSource } from '../../src/import/ndjson.ts'
import { packagePath } from '../../src/paths.ts'
import { serve } from '../../src/server.ts'
import { runImport } from '../../src/write/run-import.ts'
import { type Client, makeClient } from './client.ts'
import { copyTemplate, type DatabaseTemplate } from './database.ts'

export const SAMPLE_WIKI = packagePath('sample', 'tea-wiki.ndjson')

/** Cursors and dates of changes that are the same in every copy. */
const FIXED_CHANGES = [
  `update wiki.change_feed set key = 'sample'`,
  `update wiki.live_change set change = 1767225600000000 + page_id`,
]

const WITH_SAMPLE: DatabaseTemplate = {
  name: 'sample',
  fill: async (owner) => {
    await migrate(owner)
    await runImport(owner, () => openNdjsonSource(SAMPLE_WIKI))
    for (const [i, text] of FIXED_CHANGES.entries())
      await owner.query({ name: `sample_changes_${i}`, text }, [])
  },
}

/**
 * A service of its own with the sample wiki, as a first start has it.
 * @param baseUrl start of its links
 * @param rateLimit requests a minute; 0: no limit
 */
export const serveSample = async (
  baseUrl: string,
  { rateLimit = 600 } = {},
): Promise<Client & { origin: string; internalOrigin: string; stop(): Promise<void> }> => {
  const { place, remove } = await copyTemplate(WITH_SAMPLE)
  const reader = await openDatabase(place, 'reader')
  const config = {
    ...readConfig({}),
    ...place,
    port: 0,
    host: '127.0.0.1',
    internalPort: 0,
    baseUrl,
    rateLimit,
  }
  const wiki = 'http://localhost:3000/wiki'
  const wikiAddresses = { en: `${wiki}/en`, ja: `${wiki}/ja`, ru: `${wiki}/ru` }
  const service = await serve({ ...config, wikiAddresses }, reader, pino({ level: 'silent' }))
  await service.chooseExamples()
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
