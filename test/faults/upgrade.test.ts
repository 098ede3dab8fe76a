import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import { packagePath } from '../../src/paths.ts'
import { SAMPLE_FILE } from '../../src/serving/serving.ts'
import { expectFailure, lectern as run, start, succeed } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { Wikijs } from '../support/wikijs.ts'
import { onePageFile } from '../support/world.ts'
import { type Balancer, load, portOfUrl, startBalancer } from './support/balancer.ts'
import { buildPrevious, type PreviousBuild } from './support/built-copy.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { newFolder, type Postgres, startPostgres } from './support/postgres.ts'
import { type RedisServer, startRedis } from './support/redis.ts'
import { freePort } from './support/server-process.ts'

const SAMPLE = [['migrate'], ['import', 'ndjson', SAMPLE_FILE]]

describe('rolling upgrade from the last release', () => {
  let previous: PreviousBuild
  let postgres: Postgres
  let redis: RedisServer
  let balancer: Balancer
  let running: ReturnType<typeof load> | undefined
  const gateways: Lectern[] = []

  before(async () => {
    previous = buildPrevious()
    ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
    await succeed(SAMPLE, { DATABASE_URL: postgres.url }, previous)
  })
  after(async () => {
    await running?.stop()
    await balancer?.stop()
    await Promise.all(gateways.filter((one) => one.isRunning()).map((one) => one.stop()))
    await redis?.stop()
    await postgres?.remove()
    previous?.remove()
  })

  const startGateway = async (ports: { port: number; internalPort: number }, cli?: string) => {
    const gateway = await startLectern(
      {
        PORT: String(ports.port),
        INTERNAL_PORT: String(ports.internalPort),
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        RATE_LIMIT: '1000000',
        TRUSTED_PROXIES: '1',
        CACHE_SECONDS: '0',
        LOG_LEVEL: 'info',
      },
      { nodeOptions: [], ...(cli && { cli }) },
    )
    gateways.push(gateway)
    return gateway
  }
  const freePorts = async () => ({ port: await freePort(), internalPort: await freePort() })
  const responseCount = (gateway: Lectern) => gateway.logged().split('"request"').length - 1
  const bodyOf = async ({ url }: Lectern, path: string) => JSON.parse(await (await fetch(url + path)).text())

  it('the database is migrated and gateways are replaced under load: every request gets 200', async () => {
    const [ports, newPorts] = [await freePorts(), await freePorts()]
    const old = await startGateway(ports, previous.cli)
    balancer = await startBalancer([ports, newPorts])
    running = load(balancer.url, 4)
    const untilAllRespond = async (what: string, among: Lectern[]) => {
      const counts = among.map((one) => responseCount(one) + 40)
      await until(what, () => among.every((one, i) => responseCount(one) >= counts[i]!))
    }
    await untilAllRespond('the old gateway responds', [old])

    const { status, stderr } = await run(['migrate'], { DATABASE_URL: postgres.url })
    expect(status, stderr).to.equal(0)
    expect(/applied \d{4}_/.test(stderr)).to.equal(previous.hasOtherMigrations)
    await untilAllRespond('the old gateway responds from the migrated database', [old])

    const next = await startGateway(newPorts)
    expect(portOfUrl(next.url)).to.equal(newPorts.port)
    await untilAllRespond('both gateways respond', [old, next])
    const paths = [
      '/pages?limit=20',
      '/pages/sencha',
      '/pages/sencha/history',
      '/recent?limit=20',
      '/search?q=green',
      '/search?q=green+qqxyzzy',
    ]
    for (const path of paths) {
      const [before, after] = [await bodyOf(old, path), await bodyOf(next, path)]
      // Responses of the new version contain everything that clients of the old version read.
      expect(Object.keys(after), path).to.include.members(Object.keys(before))
      const ids = (body: { items?: { path?: string }[]; path?: string }) =>
        body.items?.map(({ path }) => path) ?? body.path
      // A new version may rank the results of a search in another order.
      if (path.startsWith('/search')) expect(ids(after), path).to.have.members(ids(before) as string[])
      else expect(ids(after), path).to.deep.equal(ids(before))
    }

    let clients = 0
    await until('both gateways count the requests of a client together', async () => {
      const client = `192.0.2.${++clients}`
      const counts: number[] = []
      for (const gateway of [old, next]) {
        const headers = { 'X-Forwarded-For': client }
        expect((await fetch(`${gateway.url}/pages`, { headers })).status).to.equal(200)
        counts.push(Number((await redis.command(`INCRBY lectern:rate:${client} 0`)).slice(1)))
      }
      return counts[0]! > 0 && counts[1]! > counts[0]!
    })

    expect((await old.stop()).status).to.equal(0)
    await untilAllRespond('the new gateway responds alone', [next])
    const statuses = await running.stop()
    expect(statuses.length).to.be.above(100)
    expect(statuses.filter((status) => status !== 200)).to.deep.equal([])
    for (const gateway of gateways) expect(gateway.logged()).not.to.match(/"level":(?:[56]0|"error"|"fatal")/)

    const again = await startGateway(await freePorts(), previous.cli)
    for (const path of paths) expect((await fetch(again.url + path)).status, path).to.equal(200)
    const imported = await run(['import', 'ndjson', SAMPLE_FILE], { DATABASE_URL: postgres.url }, previous)
    if (previous.hasOtherMigrations) expectFailure(imported, 'A newer Lectern set up this database')
  })

  it('an embedded database of the old version is migrated when the new one starts; then the old one refuses it', async () => {
    const folder = newFolder()
    const environment = { DATA_DIR: folder.path, LOG_LEVEL: 'warn' }
    try {
      const lists: unknown[] = []
      for (const cli of [previous.cli, undefined]) {
        const gateway = await startLectern(environment, cli ? { cli } : {})
        gateways.push(gateway)
        const { status, text } = await gateway.get('/pages?limit=200')
        expect(status, text).to.equal(200)
        lists.push(JSON.parse(text).items.map(({ path }: { path: string }) => path))
        expect(JSON.parse((await gateway.get('/search?q=green')).text).items).not.to.deep.equal([])
        expect((await gateway.stop()).status).to.equal(0)
      }
      expect(lists[1]).to.deep.equal(lists[0])
      if (!previous.hasOtherMigrations) return
      const refused = await run(['serve'], { ...environment, PORT: '0', INTERNAL_PORT: '0' }, previous)
      expectFailure(refused, 'A newer Lectern set up this database')
    } finally {
      folder.remove()
    }
  })

  it('a Wiki.js that the old version attached: guests are served, and edits show, hide pages, and are found', async () => {
    await postgres.query('create database wikijs')
    const url = postgres.url.replace(/postgres$/, 'wikijs')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query('set search_path = public')
      await client.query(readFileSync(packagePath('test', 'support', 'wikijs-2.5.sql'), 'utf8'))
      await client.query('set search_path = pg_catalog')
      const wikijs = new Wikijs(client as unknown as pg.PoolClient)
      await wikijs.guests([{}])
      const tea = await wikijs.create({ path: 'tea', title: 'Tea', tags: ['drinks'] })
      await succeed([['attach', 'wikijs']], { DATABASE_URL: url }, previous)
      const start = async (cli?: string) => {
        const gateway = await startLectern({ DATABASE_URL: url, CACHE_SECONDS: '0' }, cli ? { cli } : {})
        gateways.push(gateway)
        return gateway
      }
      const old = await start(previous.cli)
      const paths = async (gateway: Lectern, list: string) => {
        const { status, text } = await gateway.get(list)
        expect(status, text).to.equal(200)
        return (JSON.parse(text) as { items: { path: string }[] }).items.map(({ path }) => path)
      }
      const lists = ['/pages', '/search?q=text', '/categories/drinks', '/recent']
      expect((await old.get('/search?q=tea')).status).to.equal(200)

      const { status, stderr } = await run(['migrate'], { DATABASE_URL: url })
      expect(status, stderr).to.equal(0)
      if (previous.hasOtherMigrations) expect(stderr).to.match(/applied \d{4}_/)
      await wikijs.create({ path: 'chai', content: 'kettle' })
      const hidden = await wikijs.create({ path: 'hidden', content: 'kettle' })
      await wikijs.update(hidden, { isPublished: false })
      await wikijs.update(tea, { title: 'Green tea' })
      const again = await start(previous.cli)
      for (const gateway of [old, again]) {
        expect(await paths(gateway, '/pages')).to.deep.equal(['chai', 'tea'])
        expect((await gateway.get('/pages/tea')).text).to.include('Green tea')
        expect((await gateway.get('/pages/hidden')).status).to.equal(404)
        for (const list of lists) expect((await gateway.get(list)).status, list).to.equal(200)
      }

      const next = await start()
      for (const gateway of [old, again, next])
        await until(
          'a follower of the new version indexes the edit',
          async () => (await paths(gateway, '/search?q=kettle')).join() === 'chai',
        )
      expect((await run(['attach', 'wikijs'], { DATABASE_URL: url })).stderr).to.include(
        'Guests see 2 of 3 pages',
      )
      await wikijs.create({ path: 'mate' })
      for (const gateway of [old, again, next])
        expect(await paths(gateway, '/pages')).to.deep.equal(['chai', 'mate', 'tea'])
    } finally {
      await client.end()
    }
  })

  /** A database on the server, with the sample wiki of the old version. */
  const newDatabase = async (name: string, ...commands: string[][]) => {
    await postgres.query(`create database ${name}`)
    const environment = { DATABASE_URL: postgres.url.replace(/postgres$/, name) }
    await succeed(commands, environment, previous)
    return environment
  }
  it('an export of the old version is imported, and exported again with all that it had', async () => {
    const folder = newFolder()
    try {
      const [before, after] = [join(folder.path, 'before.ndjson'), join(folder.path, 'after.ndjson')]
      await newDatabase('exported', ...SAMPLE, ['export', before])
      const environment = await newDatabase('copied')
      await succeed([['migrate'], ['import', 'ndjson', before], ['export', after]], environment)
      const [old, next] = [before, after].map((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
      expect(old!.length).to.be.above(10)
      expect(next).to.have.length(old!.length)
      for (const [i, line] of old!.entries()) expect(JSON.parse(next![i]!)).to.deep.include(JSON.parse(line))
    } finally {
      folder.remove()
    }
  })

  it('a folder that the old client mirrors is continued by the new one, and the other way round', async () => {
    const environment = await newDatabase('mirrored', ...SAMPLE)
    await succeed([['migrate']], environment)
    const gateway = await startLectern({ ...environment, CACHE_SECONDS: '0' })
    gateways.push(gateway)
    const clientOf = async (
      folder: string,
    ): Promise<typeof import('../../clients/javascript/src/folder.ts')> =>
      import(pathToFileURL(join(folder, 'dist', 'clients', 'javascript', 'src', 'folder.js')).href)
    const [old, next] = [await clientOf(previous.folder), await clientOf(packagePath('.'))]
    const folder = newFolder()
    try {
      for (const [first, second] of [
        [old, next],
        [next, old],
      ] as const) {
        const path = join(folder.path, first === old ? 'old' : 'new')
        const written = async ({ mirrorFolder }: typeof old) => {
          const files: string[] = []
          const onBatch = (changes: { written: string[] }) => void files.push(...changes.written)
          await mirrorFolder({ base: gateway.url, folder: path, onBatch })
          return files
        }
        expect((await written(first)).length).to.be.above(10)
        expect(await written(second)).to.deep.equal([])
        const edited = join(folder.path, 'edited.ndjson')
        writeFileSync(edited, onePageFile(`edited-${first === old}`))
        await succeed([['import', 'ndjson', edited, '--source', 'edits']], environment)
        expect(await written(second)).to.deep.equal([`en/edited-${first === old}.md`])
      }
    } finally {
      folder.remove()
    }
  })

  it('a search answers, in both versions, while the index is made again', async () => {
    const environment = await newDatabase('searched', ...SAMPLE)
    await succeed([['migrate']], environment)
    const searched = await Promise.all(
      [previous.cli, undefined].map((cli) =>
        startLectern({ ...environment, CACHE_SECONDS: '0' }, cli ? { cli } : {}),
      ),
    )
    gateways.push(...searched)
    const search = (gateway: Lectern) => gateway.get('/search?q=green')
    const counts = await Promise.all(
      searched.map(async (one) => JSON.parse((await search(one)).text).items.length),
    )
    let isIndexing = true
    const indexing = run(['reindex', '--all'], environment).finally(() => {
      isIndexing = false
    })
    let searches = 0
    for (; isIndexing; searches += 1)
      for (const [i, gateway] of searched.entries()) {
        const { status, text } = await search(gateway)
        expect(status, text).to.equal(200)
        expect(JSON.parse(text).items).to.have.length(counts[i]!)
      }
    const { status, stderr } = await indexing
    expect(status, stderr).to.equal(0)
    expect(searches).to.be.above(0)
  })

  it('a migration that is killed changes nothing; the next run makes it', async () => {
    const environment = await newDatabase('killed', ...(previous.hasOtherMigrations ? [['migrate']] : []))
    const holder = new pg.Client({ connectionString: environment.DATABASE_URL })
    await holder.connect()
    try {
      // A statement of the migration waits for this one.
      await holder.query(
        `begin; ${previous.hasOtherMigrations ? 'lock table wiki.page, wiki.revision' : 'create schema wiki'}`,
      )
      const migrating = start(['migrate'], environment)
      await until('the migration waits', async () => {
        const waiting = "datname = 'killed' and wait_event_type = 'Lock'"
        return (await postgres.query(`select from pg_stat_activity where ${waiting}`)).length > 0
      })
      migrating.process.kill('SIGKILL')
      expect((await migrating.ended).signal).to.equal('SIGKILL')
      await holder.query('rollback')
      const again = await run(['migrate'], environment)
      expect(again.status, again.stderr).to.equal(0)
      expect(again.stderr).to.match(/applied \d{4}_/)
      await succeed([['import', 'ndjson', SAMPLE_FILE]], environment)
    } finally {
      await holder.end()
    }
  })
})
