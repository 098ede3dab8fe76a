import type { RoundLimits } from '@lectern/import-mediawiki/api/http'
import { type MediawikiApiOptions, openMediawikiApi } from '@lectern/import-mediawiki/api/source'
import { openMediawikiSource } from '@lectern/import-mediawiki/dump'
import type { ImportSource } from '@lectern/wiki/records'
import type { SourceContentQueries } from '@lectern/wiki/stored-content'
import { expect } from 'chai'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { type ImportSummary, runImport } from '../../src/write/run-import.ts'
import { newPlace, type TemporaryDatabase } from '../support/database.ts'
import { exportText, withFile } from '../support/importing.ts'
import { emptyDatabase } from '../support/world.ts'
import { WikiClient } from './support/client.ts'
import { type Operation, RandomOperations, seededRandom } from './support/operations.ts'
import { startTestWiki, type TestWiki } from './support/wiki.ts'

const OPTIONS = { namespaces: ['Help'], redirects: true }
const LICENSE = 'https://creativecommons.org/licenses/by-sa/4.0/'

/** How long random operations may take in each test, milliseconds, and how many they are at most. */
const RANDOM = {
  ms: Number(process.env.LECTERN_TEST_MEDIAWIKI_SECONDS ?? 8) * 1000,
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

/** Names the lines of two exports that differ, and these alone: a whole export would hide them. */
const expectSameLines = (actual: string, expected: string, message: string): void => {
  const without = (text: string, other: string) => {
    const others = new Set(other.split('\n'))
    return text.split('\n').filter((line) => !others.has(line))
  }
  expect(without(actual, expected), message).to.deep.equal(without(expected, actual))
}

describe('import mediawiki: a real MediaWiki through its API', () => {
  let wiki: TestWiki
  let users: WikiClient[]
  let follower: Follower
  let fresh: Follower

  before(async () => {
    wiki = await startTestWiki()
    users = [wiki.admin, await wiki.createUser('Ada'), await wiki.createUser('Борис')]
    follower = await Follower.create()
    fresh = await Follower.create()
  })
  after(async () => {
    await follower?.remove()
    await fresh?.remove()
    await wiki?.stop()
  })

  /** Runs operations until the time is over; reads the changes now and then. */
  const followRandomly = async (
    operations: RandomOperations,
    limits: RoundLimits | undefined,
    { seed, ms, isCompared = false }: { seed: number; ms: number; isCompared?: boolean },
  ): Promise<string> => {
    const random = seededRandom(seed + 1)
    const end = performance.now() + ms
    let [count, rounds, requests] = [0, 0, 0]
    while (count < RANDOM.operations && performance.now() < end) {
      const some = 1 + Math.floor(random() * 40)
      for (let i = 0; i < some; i += 1) await operations.run()
      count += some
      requests += (await follower.read(wiki.url, { limits })).requests
      rounds += 1
      if (isCompared) expectSameLines(await follower.export(), await freshExport(), `round ${rounds}`)
    }
    const counts = JSON.stringify(Object.fromEntries([...operations.counts].sort()))
    return `${count} operations, ${rounds} rounds, ${requests} requests: ${counts}`
  }

  /** The export of an import into an empty database. */
  const freshExport = async (): Promise<string> => {
    await fresh.clear()
    await fresh.read(wiki.url, { readsAll: true })
    return fresh.export()
  }

  /** Words of texts and comments that an administrator sees, and guests do not. */
  const hiddenWords = async (): Promise<string[]> => {
    const list = { arvprop: 'content|comment', arvslots: 'main', arvlimit: 'max' }
    const deleted = { adrprop: 'content|comment', adrslots: 'main', adrlimit: 'max' }
    const wordsOf = (parts: unknown[]) => JSON.stringify(parts).match(/(text|comment)word\d+x/g) ?? []
    const all = [
      ...wordsOf(await wiki.admin.list({ list: 'allrevisions', ...list })),
      ...wordsOf(await wiki.admin.list({ list: 'alldeletedrevisions', ...deleted })),
    ]
    const guest = new WikiClient(`${wiki.url}/api.php`)
    const visible = new Set(wordsOf(await guest.list({ list: 'allrevisions', ...list })))
    return [...new Set(all)].filter((word) => !visible.has(word))
  }

  it('reads the wiki from any of its URLs, and reads nothing again that has not changed', async () => {
    await users[1]!.post({ action: 'edit', title: 'Sencha', text: 'Steamed. [[Category:Green teas]]' })
    for (const path of ['', '/', '/api.php', '/index.php', '/index.php/Sencha', '/index.php?title=Sencha']) {
      const { url, version } = await openMediawikiApi(wiki.url + path, OPTIONS)
      expect(url, path).to.equal(`${wiki.url}/api.php`)
      expect(await version()).to.match(/^[0-9a-f]{32}$/)
    }
    expect(await follower.read(wiki.url)).to.include({ pages: 2, newRevisions: 2 })
    expect(await follower.read(wiki.url)).to.include({ pages: 0, revisions: 0 })
    expect(await follower.export())
      .to.include('Green_teas')
      .and.include(LICENSE)
  })

  it('shows a new version for an edit, a deletion, and a suppression that no log shows', async () => {
    const { version } = await openMediawikiApi(wiki.url, OPTIONS)
    const versions = [await version()]
    const change = async (parameters: Record<string, string>) => {
      const response = await wiki.admin.post(parameters)
      expect(response.error).to.equal(undefined)
      versions.push(await version())
    }
    await change({ action: 'edit', title: 'Matcha', text: 'Secret leaves' })
    await change({ action: 'edit', title: 'Matcha', text: 'Ground leaves' })
    const { query } = await wiki.admin.get({
      action: 'query',
      prop: 'revisions',
      titles: 'Matcha',
      rvlimit: '2',
    })
    const ids = String(query.pages[0].revisions[1].revid)
    await follower.read(wiki.url)
    expect(await follower.export()).to.include('Secret leaves')
    await change({
      action: 'revisiondelete',
      type: 'revision',
      ids,
      hide: 'content|comment',
      suppress: 'yes',
    })
    await follower.read(wiki.url)
    expect(await follower.export()).not.to.include('Secret leaves')
    await change({ action: 'delete', title: 'Matcha' })
    await follower.read(wiki.url)
    expect(await follower.export()).not.to.include('Ground leaves')
    expect(new Set(versions).size).to.equal(versions.length)
  })

  it('knows former paths of moved pages, at the first reading and when it follows', async () => {
    const formerPaths = async ({ owner }: Follower) => {
      const text = `select f.path || ' is ' || l.path as moved from wiki.live_former_path f
                      join wiki.live_page l on l.id = f.page_id order by 1`
      const rows = await owner.query<{ moved: string }>({ name: 'test_former_paths', text }, [])
      return rows.map(({ moved }) => moved)
    }
    await wiki.admin.post({ action: 'edit', title: 'Mate', text: 'Not a tea.' })
    await follower.read(wiki.url)
    await wiki.admin.post({ action: 'move', from: 'Mate', to: 'Yerba mate', noredirect: '1' })
    await follower.read(wiki.url)
    await wiki.admin.post({ action: 'move', from: 'Yerba mate', to: 'Maté' })
    await follower.read(wiki.url)
    await wiki.admin.post({ action: 'edit', title: 'Maté', text: 'Not a tea at all.' })
    await follower.read(wiki.url)
    expect(await formerPaths(follower)).to.deep.equal(['Mate is Maté', 'Yerba_mate is Maté'])
    await freshExport()
    expect(await formerPaths(fresh)).to.deep.equal(['Mate is Maté', 'Yerba_mate is Maté'])
  })

  it(`finds in the log what happened to older revisions (seed ${RANDOM.seed})`, async () => {
    const without: Operation[] = ['suppress', 'hideLogEntry']
    const operations = new RandomOperations(RANDOM.seed, wiki.admin, users, { without })
    // Of the list of revisions, it sees the newest ones alone.
    const limits = { overlapMs: 0, checkRequests: 0, comparedRevisions: 1 }
    for (let i = 0; i < 20; i += 1) await operations.run(i % 2 === 0 ? 'create' : 'edit')
    for (const name of operations.names) {
      await operations.runOnce(name)
      await follower.read(wiki.url, { limits })
      expectSameLines(await follower.export(), await freshExport(), name)
    }
    const options = { seed: RANDOM.seed, ms: RANDOM.ms, isCompared: true }
    console.log(`        ${await followRandomly(operations, limits, options)}`)
  })

  it(`follows operations of all kinds (seed ${RANDOM.seed}): then it has what first imports of the API and of a dump have, and nothing hidden`, async () => {
    const operations = new RandomOperations(RANDOM.seed + 1, wiki.admin, users)
    console.log(
      `        ${await followRandomly(operations, undefined, { seed: RANDOM.seed, ms: RANDOM.ms })}`,
    )
    // Until it has compared all revisions.
    for (let i = 0; i < 3; i += 1) await follower.read(wiki.url)
    const followed = await follower.export()
    expect(followed).to.equal(await freshExport())
    const hidden = await hiddenWords()
    expect(hidden.length).to.be.above(0)
    expect(hidden.filter((word) => followed.includes(word))).to.deep.equal([])
    await fresh.clear()
    const dump = await wiki.maintain('dumpBackup.php', ['--full', '--quiet'])
    await withFile('dump.xml', dump, async (file) =>
      fresh.import(
        await openMediawikiSource(file, { ...OPTIONS, license: LICENSE }).then(
          (source) => async () => source,
        ),
      ),
    )
    expect(await fresh.export()).to.equal(followed)
  })
})
