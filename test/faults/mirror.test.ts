import { expect } from 'chai'
import { openDatabase } from '../../src/db/open-database.ts'
import { makeLoaders } from '../../src/read/loaders.ts'
import { runImport } from '../../src/write/run-import.ts'
import { guestPages } from '../support/mirror.ts'
import { randomChoices } from '../support/random-choices.ts'
import { importStep } from '../support/random-imports.ts'
import { until } from '../support/until.ts'
import { type Postgres, startReplica, startWiki } from './support/postgres.ts'

const SEED = Number(process.env.LECTERN_TEST_SEED ?? Math.floor(Math.random() * 1e9))
const IMPORTS = 60

/** What one part of the feed says of an address. */
interface Told {
  locale: string
  path: string
  /** Title and revision; null if the page is gone. */
  page: string | null
}

describe('copy of the wiki that follows GET /changes while servers fail', () => {
  let primary: Postgres
  let replica: Postgres
  before(async () => {
    primary = await startWiki()
    replica = await startReplica(primary)
  })
  after(() => Promise.all([replica, primary].map((one) => one?.remove())))

  const wiki = async () =>
    new Map(
      [...(await guestPages((text) => primary.query(text)))].map(([key, { title, revision }]) => [
        key,
        `${title} ${revision}`,
      ]),
    )
  const apply = (copy: Map<string, string>, items: Told[]) => {
    for (const { locale, path, page } of items) {
      if (page === null) copy.delete(`${locale} ${path}`)
      else copy.set(`${locale} ${path}`, page)
    }
  }

  it(`is the wiki, when a primary and a replica that lags answer in turn (seed ${SEED})`, async () => {
    const random = randomChoices(SEED)
    const nextImport = importStep(random)
    const owner = await openDatabase({ databaseUrl: primary.url, dataDir: '' }, 'owner')
    const readers = await Promise.all(
      [primary, replica].map(({ url }) => openDatabase({ databaseUrl: url, dataDir: '' }, 'reader')),
    )
    const loaders = readers.map((reader) => makeLoaders(reader).changes)
    // Only when it has replayed what it had received at the start. Later, it may be paused before it has.
    await until('the replica is read from', () =>
      loaders[1]!.load({ after: '', first: 1 }).then(
        () => true,
        () => false,
      ),
    )
    const copy = new Map<string, string>()
    let cursor = ''
    const read = async (from: number): Promise<boolean> => {
      const list = await loaders[from]!.load({ after: cursor, first: 1 + random.below(4) })
      const items = list!.items.map(({ locale, path, page }) => ({
        ...{ locale, path },
        page: page && `${page.title} ${page.revisionId}`,
      }))
      apply(copy, items)
      // The number comes first in a cursor, in the order of bytes. It never goes back, also on a replica that lags.
      const [before, now] = [cursor, list!.cursor].map((text) =>
        Buffer.from(text, 'base64url').subarray(0, 8),
      )
      expect(Buffer.compare(before!, now!)).to.be.at.most(0)
      cursor = list!.cursor
      return list!.next !== null
    }
    try {
      let lagging = 0
      for (let i = 0; i < IMPORTS; i += 1) {
        if (random.once(3)) await replica.query(`select pg_wal_replay_${random.pick(['pause', 'resume'])}()`)
        const { source, options, fails } = nextImport()
        await runImport(owner, async () => source, options).catch((error: unknown) => {
          if (!fails) throw error
        })
        for (let parts = random.below(4); parts > 0; parts -= 1) {
          const from = random.below(2)
          lagging += from
          await read(from)
        }
      }
      expect(lagging).to.be.greaterThan(10)
      await replica.query('select pg_wal_replay_resume()')
      const [{ position }] = (await primary.query('select pg_current_wal_lsn() as position')) as [
        { position: string },
      ]
      await until('the replica has everything', async () => {
        const [row] = await replica.query(`select pg_last_wal_replay_lsn() >= '${position}'::pg_lsn as has`)
        return row!.has === true
      })
      while (await read(1));
      expect(Object.fromEntries(copy)).to.deep.equal(Object.fromEntries(await wiki()))
    } finally {
      await Promise.all([owner, ...readers].map((database) => database.close()))
    }
  })
})
