import { writeFile } from 'node:fs/promises'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { pino } from 'pino'
import type { Database } from '../src/db/database.ts'
import { followedSources, notifyFollowers, sourceFailures } from '../src/db/followed-sources.ts'
import { type Follower, type FollowTarget, followSource } from '../src/follow/follower.ts'
import { recognizeSource } from '../src/import/connectors.ts'
import { serializeError } from '../src/log/log.ts'
import { runImport } from '../src/write/run-import.ts'
import { describeOnServer, rowsOf, testDatabase } from './support/database.ts'
import { linesOfFile, withFile } from './support/importing.ts'
import { until } from './support/until.ts'
import { clearWorld, recordsOf } from './support/world.ts'

const HOUR = 3_600_000

describe('follower', () => {
  let owner: Database
  let followers: Follower[] = []
  let logged: { level: number; msg: string; [field: string]: unknown }[] = []
  const logger = pino(
    { level: 'info', serializers: { err: serializeError } },
    { write: (line: string) => void logged.push(JSON.parse(line)) },
  )

  before(async () => {
    owner = (await testDatabase()).owner
  })
  beforeEach(clearWorld)
  afterEach(async () => {
    await Promise.all(followers.map((follower) => follower.stop()))
    followers = []
    logged = []
  })

  /** A source of pages, whose version is the list of their paths. */
  class FakeSource implements FollowTarget {
    paths: string[]
    checks: number[] = []
    imports = 0
    failure: Error | null = null
    onChange: (() => void) | undefined
    onEnd: (() => void) | undefined
    isWatched = false

    constructor(...paths: string[]) {
      this.paths = paths
    }

    async version(): Promise<string> {
      this.checks.push(performance.now())
      if (this.failure) throw this.failure
      return this.paths.join()
    }

    async import(version: string): Promise<void> {
      this.imports += 1
      const content = linesOfFile(...recordsOf({ pages: this.paths.map((path) => ({ path })) }))
      await withFile('wiki.ndjson', content, (file) =>
        runImport(owner, () => openNdjsonSource(file), { from: { name: 'main', version } }),
      )
    }

    async watch(onChange: () => void, onEnd: () => void) {
      this.onChange = onChange
      this.onEnd = onEnd
      this.isWatched = true
      return {
        close: () => {
          this.isWatched = false
        },
      }
    }
  }

  const follow = async (
    target: FollowTarget,
    {
      everyMs = HOUR,
      database = owner,
      ...options
    }: { everyMs?: number; leaseSeconds?: number; database?: Database } = {},
  ): Promise<Follower> => {
    const follower = await followSource(database, target, {
      name: 'main',
      everyMs: () => everyMs,
      logger,
      ...options,
    })
    followers.push(follower)
    return follower
  }
  const livePaths = async () =>
    (await rowsOf<{ path: string }>('select path from guest.page order by path')).map(({ path }) => path)
  const status = async () => (await followedSources(owner))[0]

  it('imports a source that is new, and records when it was checked', async () => {
    const source = new FakeSource('sencha', 'matcha')
    await follow(source)
    await until('the import', async () => (await status())?.checkedAgo != null)
    expect(await livePaths()).to.deep.equal(['matcha', 'sencha'])
    expect(await status()).to.deep.include({ name: 'main', failingFor: null, endedAgo: null })
  })

  it('checks regularly, and imports only what changed', async () => {
    const source = new FakeSource('sencha')
    await follow(source, { everyMs: 20 })
    await until('several checks', () => source.checks.length > 5)
    expect(source.imports).to.equal(1)
    source.paths.push('matcha')
    await until('the new page', async () => (await livePaths()).length === 2)
    source.paths.shift()
    await until('the end of the old page', async () => (await livePaths()).join() === 'matcha')
    expect(source.imports).to.equal(3)
  })

  it('imports nothing after a restart if the source has not changed', async () => {
    const source = new FakeSource('sencha')
    const first = await follow(source, { everyMs: 20 })
    await until('the import', () => source.imports === 1)
    await first.stop()
    const checks = source.checks.length
    await follow(source, { everyMs: 20 })
    await until('another check', () => source.checks.length > checks + 1)
    expect(source.imports).to.equal(1)
  })

  it('checks at once when the source says that it changed, and no longer after the end', async () => {
    const source = new FakeSource('sencha')
    const follower = await follow(source)
    await until('the import', async () => (await status())?.checkedAgo != null)
    source.paths.push('matcha')
    source.onChange!()
    await until('the new page', async () => (await livePaths()).length === 2)
    await follower.stop()
    expect(source.isWatched).to.equal(false)
  })

  it('checks again if the source says that it changed while a check fails', async () => {
    const source = new FakeSource('sencha')
    await follow(source)
    await until('the import', () => source.isWatched && source.imports === 1)
    source.version = async () => {
      source.version = FakeSource.prototype.version
      source.paths.push('matcha')
      source.onChange!()
      throw new Error('unreadable')
    }
    source.onChange!()
    await until('the change', async () => (await livePaths()).includes('matcha'))
  })

  it('watches a source only when it can be reached', async () => {
    const source = new FakeSource('sencha')
    source.failure = new Error('The host does not respond.')
    await follow(source, { everyMs: 20 })
    await until('an attempt', () => source.checks.length > 1)
    expect(source.isWatched).to.equal(false)
    source.failure = null
    await until('the import', async () => (await livePaths()).length === 1)
    expect(source.isWatched).to.equal(true)
  })

  it('watches again after the watch has ended, such as when the folder was away', async () => {
    const source = new FakeSource('sencha')
    await follow(source, { everyMs: 20 })
    await until('the import', () => source.isWatched && source.imports === 1)
    source.isWatched = false
    source.onEnd!()
    await until('another watch', () => source.isWatched)
  })

  it('retries with growing pauses if the source cannot be reached, and changes nothing', async () => {
    const source = new FakeSource('sencha')
    await follow(source, { everyMs: 20 })
    await until('the import', async () => (await livePaths()).length === 1)
    source.failure = new Error('The host does not respond.')
    source.checks = []
    await until('four attempts', () => source.checks.length > 4)
    const pauses = source.checks.slice(1).map((at, i) => at - source.checks[i]!)
    for (const [i, pause] of pauses.slice(0, 4).entries()) expect(pause).to.be.at.least(20 * 2 ** i - 2)
    expect(await livePaths()).to.deep.equal(['sencha'])
    expect((await status())!.failingFor).to.be.a('number')
    expect((await sourceFailures(owner)).get('main')).to.equal('The host does not respond.')
    source.failure = null
    await until('the recovery', async () => (await status())!.failingFor === null)
    expect(logged.map(({ msg }) => msg)).to.include('The source can be followed again')
  })

  it('a failing import changes nothing, and is retried', async () => {
    const source = new FakeSource('sencha')
    source.import = async () => {
      source.imports += 1
      throw new Error('Line 3: not JSON')
    }
    await follow(source, { everyMs: 20 })
    await until('a second attempt', () => source.imports === 2)
    expect(await livePaths()).to.deep.equal([])
    expect(logged[1]).to.include({ level: 40, msg: 'The source cannot be followed now', source: 'main' })
  })

  it('stops at a version that would remove most pages, says so once, and continues with another version', async () => {
    const source = new FakeSource('a', 'b', 'c')
    await follow(source, { everyMs: 20 })
    await until('the import', async () => (await livePaths()).length === 3)
    source.paths = ['a']
    source.checks = []
    await until('several checks', () => source.checks.length > 3)
    expect(await livePaths()).to.deep.equal(['a', 'b', 'c'])
    expect(source.imports).to.equal(2)
    const errors = logged.filter(({ level }) => level >= 50)
    expect(errors).to.have.length(1)
    expect(errors[0]!.msg).to.include('stops until the source changes')
    expect(errors[0]!.err).to.have.keys('type', 'name', 'message')
    expect((await sourceFailures(owner)).get('main')).to.match(/^The import would remove 2 of 3 live pages/)
    source.paths = ['a', 'b', 'd']
    await until('the next version', async () => (await livePaths()).join() === 'a,b,d')
    await until('the recovery', async () => (await status())!.failingFor === null)
  })

  it('follows a dump in which pages were renamed, swapped and deleted', async () => {
    const pages = (...paths: string[]) =>
      paths.map((path, i) => ({
        path,
        revisions: [{ id: `11111111-1111-4111-8111-11111111111${i}`, markdown: `Text ${i}` }],
      }))
    const dump = (...paths: string[]) => linesOfFile(...recordsOf({ pages: pages(...paths) }))
    await withFile('wiki.ndjson', dump('sencha', 'mate', 'chai'), async (file) => {
      const connector = await recognizeSource(file, {
        layouts: [],
        namespaces: [],
        redirects: true,
        sourcesFolder: '',
      })
      await follow(
        {
          version: () => connector.version(),
          import: async (version) =>
            void (await runImport(owner, (stored) => connector.open(() => stored), {
              from: { name: 'main', version },
            })),
        },
        { everyMs: 20 },
      )
      const texts = async () =>
        (
          await rowsOf<{ text: string }>(
            `select path || ': ' || r.markdown as text from guest.page p
               join guest.revision r on r.id = p.revision_id order by path`,
          )
        ).map(({ text }) => text)
      await until('the first dump', async () => (await texts()).length === 3)
      await writeFile(file, dump('green/sencha', 'chai', 'mate'))
      const moved = ['chai: Text 1', 'green/sencha: Text 0', 'mate: Text 2']
      await until('a rename and a swap', async () => (await texts()).join() === moved.join())
      await writeFile(file, dump('green/sencha', 'tea'))
      await until('a rename and an end', async () => (await texts()).length === 2)
      expect(await texts()).to.deep.equal(['green/sencha: Text 0', 'tea: Text 1'])
      expect(logged.filter(({ level }) => level >= 40)).to.deep.equal([])
    })
  })

  it('is the only one of its source; another one takes its place when it stops', async () => {
    const [one, two] = [new FakeSource('sencha'), new FakeSource('sencha')]
    const first = await follow(one, { everyMs: 20 })
    await until('the import', () => one.checks.length > 1)
    await follow(two, { everyMs: 20, leaseSeconds: 0.4 })
    const checks = one.checks.length
    await until('the first one to check on', () => one.checks.length > checks + 30)
    expect(two.checks).to.have.length(0)
    const waiting = 'waiting: another process follows this source, until it ends or its lease does'
    const said = () => logged.map(({ msg }) => msg)
    expect(said()).to.include.members(['following', waiting])
    await first.stop()
    await until('the second one to check', () => two.checks.length > 1)
    expect(said().filter((msg) => msg === waiting)).to.have.length(1)
    expect(said().indexOf(waiting)).to.be.below(said().lastIndexOf('following'))
    expect(two.imports).to.equal(0)
  })

  it('says that the database is lost, and why, again after the time of a lease, and that it follows again', async () => {
    const source = new FakeSource('sencha')
    let losses = 0
    const query: Database['query'] = (statement, values) => {
      if (losses === 0) return owner.query(statement, values)
      losses += 1
      return Promise.reject(new Unavailable(undefined, 1, new Error('Connection terminated unexpectedly')))
    }
    await follow(source, { database: { ...owner, query }, leaseSeconds: 1 })
    await until('the import', () => source.imports === 1)
    losses = 1
    const lost = () => logged.filter(({ msg }) => msg === 'The follower cannot reach the database')
    await until('a second line', () => lost().length === 2)
    expect(losses, 'attempts without a line').to.be.above(4)
    losses = 0
    await until('the end', () => logged.at(-1)?.msg === 'following')
    for (const { err } of lost())
      expect(err).to.deep.equal({ type: 'Error', message: 'Connection terminated unexpectedly' })
    expect(logged.filter(({ msg }) => msg === 'following')).to.have.length(2)
  })

  it('another one takes its place when its process has died', async () => {
    const dead = new FakeSource('sencha')
    // A process that dies releases nothing, and renews nothing.
    await rowsOf("insert into wiki.source (name) values ('main')")
    await rowsOf(`insert into wiki.live_follower (source_id, name, follower, followed_until)
      select id, name, gen_random_uuid(), now() + interval '1 hour' from wiki.source`)
    await follow(dead, { everyMs: 20, leaseSeconds: 0.4 })
    expect(dead.checks).to.have.length(0)
    await rowsOf('update wiki.live_follower set followed_until = now()')
    await until('the check', () => dead.checks.length > 0)
  })

  it('says how long the lease of the other one lasts, if its session is not known', async () => {
    await follow(new FakeSource('sencha'))
    await until('the follower', () => logged.some(({ msg }) => msg === 'following'))
    await rowsOf('update wiki.live_follower set session = null')
    const second = new FakeSource('sencha')
    await follow(second)
    await until('the standby', () => logged.some(({ msg }) => msg.startsWith('waiting')))
    expect(logged.find(({ msg }) => msg.startsWith('waiting'))!.leaseSeconds).to.be.within(30, 60)
    expect(second.checks).to.have.length(0)
  })

  describeOnServer('on a server', () => {
    it('another one takes its place at once when its session has ended, long before its lease', async () => {
      await follow(new FakeSource('sencha'), { leaseSeconds: 3_600 })
      await until('the follower', () => logged.some(({ msg }) => msg === 'following'))
      const second = new FakeSource('sencha')
      await follow(second, { leaseSeconds: 1 })
      await until('the standby', () => logged.some(({ msg }) => msg.startsWith('waiting')))
      expect(second.checks).to.have.length(0)
      // As the server ends the session of a process that was killed. The first one renews nothing for a quarter of an hour.
      await rowsOf(`select pg_terminate_backend(split_part(session, ' ', 1)::int) from wiki.live_follower`)
      await until('the other one', () => second.checks.length > 0)
    })
  })

  it('an import of another version by hand is followed by one of the newest version', async () => {
    const source = new FakeSource('sencha')
    await follow(source)
    await until('the import', async () => (await status())?.checkedAgo != null)
    const content = linesOfFile(...recordsOf({ pages: [{ path: 'sencha' }, { path: 'by-hand' }] }))
    await withFile('wiki.ndjson', content, (file) =>
      runImport(owner, () => openNdjsonSource(file), { from: { name: 'main' } }),
    )
    expect(await livePaths()).to.deep.equal(['by-hand', 'sencha'])
    await notifyFollowers(owner)
    await until('the newest version', async () => (await livePaths()).join() === 'sencha')
  })
})
