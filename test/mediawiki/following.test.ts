import { writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { type MediawikiApiOptions, openMediawikiApi } from '../../src/import/mediawiki/api/source.ts'
import { openMediawikiSource } from '../../src/import/mediawiki/source.ts'
import type { ImportSource, SourceContentQueries } from '../../src/write/records.ts'
import { type ImportSummary, runImport } from '../../src/write/run-import.ts'
import { newPlace, type TemporaryDatabase } from '../support/database.ts'
import { exportText, withFile } from '../support/importing.ts'
import { emptyDatabase } from '../support/world.ts'
import type { WikiClient } from './support/client.ts'
import { RandomOperations, seededRandom } from './support/operations.ts'
import { startWiki, type TestWiki } from './support/wiki.ts'

const OPTIONS = { namespaces: ['Help'], redirects: true }
const LICENSE = 'https://creativecommons.org/licenses/by-sa/4.0/'

/** How long the random operations may take, milliseconds, and how many they are at most. */
const RANDOM = {
  ms: Number(process.env.LECTERN_TEST_MEDIAWIKI_SECONDS ?? 45) * 1000,
  operations: Number(process.env.LECTERN_TEST_MEDIAWIKI_OPERATIONS ?? 1000),
  seed: Number(process.env.LECTERN_TEST_SEED ?? Date.now() % 1_000_000),
}

/** A database of its own. */
class Follower {
  readonly owner: Database
  readonly #place: TemporaryDatabase

  private constructor(owner: Database, place: TemporaryDatabase) {
    this.owner = owner
    this.#place = place
  }

  static async create(): Promise<Follower> {
    const place = await newPlace()
    const owner = await openDatabase(place.place, 'owner')
    await migrate(owner)
    return new Follower(owner, place)
  }

  async import(open: (stored: SourceContentQueries) => Promise<ImportSource>): Promise<ImportSummary> {
    const { summary } = await runImport(this.owner, open, { from: { name: 'main', isConfirmed: true } })
    return summary
  }

  /** Imports the wiki: what changed since the last time, or everything. */
  async read(url: string, more: Partial<MediawikiApiOptions> = {}) {
    const wiki = await openMediawikiApi(url, { ...OPTIONS, ...more })
    const before = wiki.requests()
    const summary = await this.import(wiki.open)
    return { ...summary, requests: wiki.requests() - before }
  }

  export(): Promise<string> {
    return exportText(this.owner)
  }

  clear(): Promise<void> {
    return emptyDatabase(this.owner)
  }

  async remove(): Promise<void> {
    await this.owner.close()
    await this.#place.remove()
  }
}

describe('import mediawiki: a real MediaWiki through its API', () => {
  let wiki: TestWiki
  let users: WikiClient[]
  let follower: Follower
  let fresh: Follower

  before(async () => {
    wiki = await startWiki()
    users = [wiki.admin, await wiki.createUser('Ada'), await wiki.createUser('Борис')]
    follower = await Follower.create()
    fresh = await Follower.create()
  })
  after(async () => {
    await follower?.remove()
    await fresh?.remove()
    await wiki?.stop()
  })

  /** The export of an import into an empty database. */
  const freshExport = async (): Promise<string> => {
    await fresh.clear()
    await fresh.read(wiki.url, { readsAll: true })
    return fresh.export()
  }

  it(`follows random operations (seed ${RANDOM.seed}): then it has what a first import has, and nothing hidden`, async () => {
    const operations = new RandomOperations(RANDOM.seed, wiki.admin, users)
    const random = seededRandom(RANDOM.seed + 1)
    await follower.read(wiki.url)
    const end = performance.now() + RANDOM.ms
    let count = 0
    let rounds = 0
    let requests = 0
    while (count < RANDOM.operations && performance.now() < end) {
      const some = 1 + Math.floor(random() * 40)
      for (let i = 0; i < some; i += 1) await operations.run()
      count += some
      const round = await follower.read(wiki.url)
      rounds += 1
      requests += round.requests
      if (process.env.LECTERN_TEST_EACH_ROUND) {
        const [followed, imported] = [await follower.export(), await freshExport()]
        if (followed !== imported) {
          await writeFile('/tmp/mediawiki/followed.ndjson', followed)
          await writeFile('/tmp/mediawiki/imported.ndjson', imported)
          throw new Error(`differs after ${count} operations in round ${rounds}`)
        }
      }
    }
    console.log(
      `        ${count} operations, ${rounds} rounds, ${requests} requests:`,
      JSON.stringify(Object.fromEntries([...operations.counts].sort())),
    )
    for (let i = 0; i < 3; i += 1) await follower.read(wiki.url)
    expect(await follower.export()).to.equal(await freshExport())
  })
})
