import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { check, type Diagnostic } from '../src/check/check.ts'
import { checkNode } from '../src/check/machine.ts'
import type { Database } from '../src/db/database.ts'
import { environmentOf, lectern } from './support/cli.ts'
import { newPlace, testDatabase } from './support/database.ts'
import { makeWorld } from './support/world.ts'

const SERVER = process.env.LECTERN_TEST_DATABASE_URL
const ANY_PORT = { PORT: '0', INTERNAL_PORT: '0' }

const findings = async (environment: Record<string, string>): Promise<Diagnostic[]> => {
  const found: Diagnostic[] = []
  for await (const one of check({ ...ANY_PORT, ...environment })) found.push(one)
  return found
}
/** What is not ok, as `status about: says`. */
const troubles = async (environment: Record<string, string>): Promise<string[]> =>
  (await findings(environment))
    .filter(({ status }) => status !== 'ok')
    .map(({ status, about, says }) => `${status} ${about}: ${says}`)

describe('lectern check', () => {
  let owner: Database
  let environment: Record<string, string>
  before(async () => {
    const { owner: made, place } = await testDatabase()
    owner = made
    environment = {
      ...environmentOf(place),
      WIKI_ADDRESSES: 'en=https://en.wiki.example,ru=https://ru.wiki.example',
    }
  })
  beforeEach(() => makeWorld({ pages: [{ path: 'tea' }, { path: 'chai', locale: 'ru' }] }))

  const sql = async (text: string) => {
    const client = await owner.connect()
    await client.query(text).finally(() => client.release())
  }

  it('finds nothing wrong where nothing is, looks at all of it, and gives no advice', async () => {
    const found = await findings(environment)
    expect(found.filter(({ status }) => status !== 'ok')).to.deep.equal([])
    const about = [
      'node',
      'configuration',
      'database',
      'schema',
      'guest',
      'search',
      'indexes',
      'statistics',
      'wiki',
    ]
    expect(new Set(found.map((one) => one.about))).to.include.all.keys(
      ...about,
      'ports',
      ...(SERVER ? [] : ['disk']),
    )
    for (const { todo } of found) expect(todo).to.equal(undefined)
  })

  it('names every variable that is wrong, not the first alone, without passwords', async () => {
    const found = await troubles({
      RATE_LIMIT: 'x',
      WORKERS: '0',
      REDIS_URL: 'http://s3cr3t@x',
      DATA_DIR: '/none/x',
    })
    expect(found.filter((one) => one.startsWith('wrong configuration'))).to.deep.equal([
      'wrong configuration: RATE_LIMIT must be a whole number from 0 to 1000000, but is "x".',
      'wrong configuration: REDIS_URL must be an address such as redis://:password@host:6379.',
      'wrong configuration: WORKERS must be a whole number from 1 to 64, but is "0".',
    ])
  })

  it('names variables that nobody reads but somebody meant', async () => {
    const strays = {
      DATABSE_URL: 'x',
      LECTERN_PORT: '1',
      TRUSTED_PROXY: '1',
      LICENCE_URL: 'x',
      LECTERN_COLOUR: 'x',
    }
    const others = {
      HOME: '/',
      PATH: '/',
      HOSTNAME: 'x',
      PWD: '/',
      LOGNAME: 'x',
      LECTERN_TEST_X: 'x',
      EMPTY_PORT: '',
    }
    const found = (await findings({ ...environment, ...strays, ...others })).filter(
      ({ status }) => status !== 'ok',
    )
    expect(found.map(({ status, says, todo }) => `${status} ${says} ${todo}`)).to.deep.equal([
      'warning Nothing reads the variable DATABSE_URL. Did you mean DATABASE_URL?',
      'warning Nothing reads the variable LECTERN_PORT. Did you mean PORT?',
      'warning Nothing reads the variable TRUSTED_PROXY. Did you mean TRUSTED_PROXIES?',
      'warning Nothing reads the variable LICENCE_URL. Did you mean LICENSE_URL?',
      'warning Nothing reads the variable LECTERN_COLOUR. README.md lists those that are read.',
    ])
  })

  const breaks: [what: string, breaking: string, mending: string, expected: RegExp][] = [
    [
      'a reading role that may read more',
      'create table public.secret (x int); grant usage on schema public to lectern_reader; grant select on public.secret to lectern_reader',
      'drop table public.secret',
      /^wrong guest: lectern_reader may do more than a guest: select on public\.secret\.$/,
    ],
    [
      'a reading role that sees what is hidden',
      'grant usage on schema wiki to lectern_reader',
      'revoke usage on schema wiki from lectern_reader',
      /^wrong guest: .*(may see what guests may not|may do more than a guest: usage on schema wiki)/,
    ],
    [
      'a view that the reading role may not read',
      'revoke select on guest.link from lectern_reader',
      'grant select on guest.link to lectern_reader',
      /^wrong guest: lectern_reader may not read guest\.link\.$/,
    ],
    [
      'an index that is missing',
      'drop index wiki.live_link_key',
      'create index live_link_key on wiki.live_link (key, locale, path)',
      /^wrong indexes: There is no index live_link_key\.$/,
    ],
    [
      'pages indexed by another Lectern',
      "update wiki.live_search set form = 0 where path_key = 'tea'",
      'update wiki.live_search set form = 1',
      /^warning search: 1 of 2 pages are not indexed as they should be\.$/,
    ],
    [
      'a migration of a newer Lectern',
      "insert into wiki.migration (number, name) values (9999, 'x')",
      'delete from wiki.migration where number = 9999',
      /^wrong schema: The database was set up by a newer Lectern/,
    ],
    [
      'no license',
      'update wiki.wiki set license = null',
      'select 1',
      /^warning wiki: No license is known\.$/,
    ],
  ]
  for (const [what, breaking, mending, expected] of breaks) {
    it(`finds ${what}`, async () => {
      for (const one of breaking.split('; ')) await sql(one)
      try {
        const found = await troubles(environment)
        expect(found).to.have.length(1)
        expect(found[0]).to.match(expected)
      } finally {
        for (const one of mending.split('; ')) await sql(one)
      }
    })
  }

  it('finds a language that is searched by words that this PostgreSQL knows better', async () => {
    await sql(`update wiki.locale set search_config = 'pg_catalog.simple' where locale = 'ru'`)
    const found = await troubles(environment)
    expect(found).to.have.length(2)
    expect(found[0]).to.equal('warning search: 1 of 2 pages are not indexed as they should be.')
    expect(found[1]).to.match(/knows words of ru/)
  })

  it('finds tables that PostgreSQL knows nothing of, as after a restore', async () => {
    await sql(
      'create table wiki.restored as select g as x, repeat(g::text, 20) as y from generate_series(1, 5000) g',
    )
    try {
      const found = await troubles(environment)
      expect(found.join()).to.match(/^warning statistics: .*restored/)
    } finally {
      await sql('drop table wiki.restored')
    }
  })

  it('finds addresses of languages that do not fit the wiki', async () => {
    expect(
      await troubles({ ...environment, WIKI_ADDRESSES: 'en=https://x.example,de=https://y.example' }),
    ).to.deep.equal([
      'warning wiki: WIKI_ADDRESSES has no address for ru: links to its pages lead nowhere.',
      'warning wiki: WIKI_ADDRESSES names de, which the wiki has not.',
    ])
  })

  it('finds a Redis that does not answer', async () => {
    const found = await troubles({ ...environment, REDIS_URL: 'redis://:s3cr3t@127.0.0.1:1' })
    expect(found).to.have.length(1)
    expect(found[0])
      .to.match(/^wrong redis: REDIS_URL: .*ECONNREFUSED/)
      .and.not.include('s3cr3t')
  })

  it('makes no embedded database by looking', async () => {
    const dataDir = join(tmpdir(), `lectern-none-${process.pid}`)
    const found = await findings({ DATA_DIR: dataDir })
    expect(found.find(({ about }) => about === 'database')).to.include({ status: 'ok' })
    expect(existsSync(dataDir)).to.equal(false)
  })

  describe('of ports', () => {
    let server: Server
    afterEach(() => {
      server.close()
    })
    const taken = async (made: Server): Promise<string> => {
      server = made
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return String((server.address() as AddressInfo).port)
    }

    it('finds one that another program has', async () => {
      const port = await taken(createPlainServer((socket) => socket.destroy()))
      expect(await troubles({ ...environment, HOST: '127.0.0.1', PORT: port })).to.deep.equal([
        `wrong ports: PORT: port ${port} of 127.0.0.1 is another program's.`,
      ])
      expect(await troubles({ ...environment, INTERNAL_PORT: port })).to.deep.equal([
        `wrong ports: INTERNAL_PORT: port ${port} of 127.0.0.1 is another program's.`,
      ])
    })

    it('takes one that a running Lectern has for well', async () => {
      const port = await taken(createServer((_, response) => response.end('{"status":"live"}')))
      expect(await troubles({ ...environment, INTERNAL_PORT: port })).to.deep.equal([])
    })

    it('finds one that is named twice', async () => {
      const port = await taken(createPlainServer())
      expect((await troubles({ ...environment, PORT: port, INTERNAL_PORT: port })).join()).to.match(
        /^wrong ports: PORT and INTERNAL_PORT are both/,
      )
    })
  })

  it('finds a Node that is too old', () => {
    expect(checkNode('20.18.9').status).to.equal('wrong')
    for (const version of ['20.19.0', '22.0.0']) expect(checkNode(version).status).to.equal('ok')
  })

  it('prints a line or two for each, and the same as JSON; ends with 1 when something is wrong', async () => {
    const good = await lectern(['check'], { ...environment, ...ANY_PORT })
    expect(good).to.include({ status: 0, stderr: '' })
    expect(good.stdout)
      .to.match(/^ok +node +Node /m)
      .and.match(/\nwarnings: 0, wrong: 0\n$/)
    expect(good.stdout).not.to.include('\u001b')
    const bad = await lectern(['check', '--json'], { ...environment, ...ANY_PORT, RATE_LIMIT: 'x' })
    expect(bad.status).to.equal(1)
    const said = JSON.parse(bad.stdout)
    expect(said).to.include({ ok: false, wrong: 1, warnings: 0 })
    expect(said.findings.find(({ status }: Diagnostic) => status === 'wrong').about).to.equal('configuration')
  })

  it('is coloured on a terminal alone, or where FORCE_COLOR says so', async () => {
    const { stdout } = await lectern(['check'], { ...environment, ...ANY_PORT, FORCE_COLOR: '1' })
    expect(stdout).to.include('\u001b[32mok')
  })

  if (SERVER !== undefined) {
    it('says what to do with a database that is not set up', async () => {
      const { place, remove } = await newPlace()
      try {
        expect(await troubles(environmentOf(place))).to.deep.equal([
          'wrong schema: The database is not set up.',
        ])
      } finally {
        await remove()
      }
    })

    it('finds a replica that is none, and one that cannot be reached', async () => {
      const replicas = `${environment.DATABASE_URL},postgresql://ada:s3cr3t@127.0.0.1:1/tea`
      const found = await troubles({ ...environment, DATABASE_REPLICA_URLS: replicas })
      expect(found).to.have.length(2)
      expect(found[0]).to.equal('wrong replica 1: It is a server of its own, not a streaming replica.')
      expect(found[1])
        .to.match(/^wrong replica 2: .*nothing listens there/)
        .and.not.include('s3cr3t')
    })
  }
})
