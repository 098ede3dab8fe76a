import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { check } from '../src/check/check.ts'
import type { Diagnostic } from '../src/check/diagnostic.ts'
import { toConnectorOptions } from '../src/commands/source-options.ts'
import type { Database, DatabaseOptions } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { withConnection } from '../src/db/write-lock.ts'
import { recognizeSource } from '../src/import/connectors.ts'
import { packagePath, packageVersion } from '../src/paths.ts'
import { environmentOf, lecternHere, start } from './support/cli.ts'
import { copyTemplate, newPlace, rowsOf, testDatabase } from './support/database.ts'
import { WITH_SAMPLE } from './support/sample.ts'
import { until } from './support/until.ts'
import { makeWorld } from './support/world.ts'

const SERVER = process.env.LECTERN_TEST_DATABASE_URL
const ANY_PORT = { PORT: '0', INTERNAL_PORT: '0' }

const diagnose = async (
  environment: Record<string, string>,
  open?: Parameters<typeof check>[1],
): Promise<Diagnostic[]> => {
  const diagnostics: Diagnostic[] = []
  for await (const one of check({ ...ANY_PORT, ...environment }, open)) diagnostics.push(one)
  return diagnostics
}
/** The tests themselves read with a superuser: one test is about that. */
const isProblem = ({ status, subject }: Diagnostic): boolean =>
  status === 'wrong' || (status === 'warning' && subject !== 'login')
/** The problems, as `status subject: message`. */
const problemsOf = async (environment: Record<string, string>): Promise<string[]> =>
  (await diagnose(environment))
    .filter(isProblem)
    .map(({ status, subject, message }) => `${status} ${subject}: ${message}`)

/** A key and its certificate, which only this test has. */
const SELF_SIGNED = `-----BEGIN PRIVATE KEY-----
  MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglV9/nm0f8RgOZm6l
  Kl7iv+/KAjX2JbnuaNiBFBn5Mb+hRANCAAQFiy/vMen2DP/HFCnrp0RMmmrINYf8
  FbEbUJBHue+Si3oh9+gyiyoHZyDNGWjycrX+oLyOVqwGjn8sEyFP/r1y
  -----END PRIVATE KEY-----
  -----BEGIN CERTIFICATE-----
  MIIBfjCCASWgAwIBAgIUU3Ew99qNkfHip0rJqVHaDkqX/pAwCgYIKoZIzj0EAwIw
  FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDE4MDgzMVoYDzIxMjYxMTA2
  MTgwODMxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
  PQMBBwNCAAQFiy/vMen2DP/HFCnrp0RMmmrINYf8FbEbUJBHue+Si3oh9+gyiyoH
  ZyDNGWjycrX+oLyOVqwGjn8sEyFP/r1yo1MwUTAdBgNVHQ4EFgQUlBZzQnwHf1UG
  oMc1CHUOKwihEnkwHwYDVR0jBBgwFoAUlBZzQnwHf1UGoMc1CHUOKwihEnkwDwYD
  VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBZKY9RfWK2E8xXwhny3SYZ
  J2zKGjmXlYL+kypXWTV30AIgNBLvecOGpAeSPCK90R6OO5M34VqP02QItIQJ/riI
  hxg=
  -----END CERTIFICATE-----`

describe('lectern check', () => {
  let owner: Database
  let environment: Record<string, string>
  before(async () => {
    const { owner: opened, place } = await testDatabase()
    owner = opened
    environment = {
      ...environmentOf(place),
      WIKI_ADDRESSES: 'en=https://en.wiki.example,ru=https://ru.wiki.example',
    }
  })
  beforeEach(() => makeWorld({ pages: [{ path: 'tea' }, { path: 'chai', locale: 'ru' }] }))

  it('checks everything and reports no problem of a healthy installation', async () => {
    const found = await diagnose(environment)
    expect(found.filter(isProblem)).to.deep.equal([])
    const subjects = 'node configuration database schema guest search indexes statistics wiki ports'.split(
      ' ',
    )
    expect(found.map(({ subject }) => subject)).to.include.members(SERVER ? subjects : [...subjects, 'disk'])
    for (const { status, advice } of found) if (status === 'ok') expect(advice).to.equal(undefined)
    expect(found.filter(({ status }) => status === 'skipped')).to.deep.equal([
      ...(SERVER
        ? [{ subject: 'disk', status: 'skipped', message: 'not tried: the database server has its own disk' }]
        : []),
      {
        subject: 'source',
        status: 'skipped',
        message: 'not tried: none is named',
        advice: 'If the service follows one, run `lectern check SOURCE`.',
      },
    ])
  })

  if (SERVER) {
    it('says that a table is locked, and does not wait for it', async () => {
      const client = await owner.connect()
      await client.query('begin; lock table wiki.live_page in access exclusive mode')
      try {
        expect(String(await problemsOf(environment))).to.include('Another session has locked a table')
      } finally {
        await client.query('rollback')
        client.release()
      }
    })
    it('warns if the service may open more connections than its login can have', async () => {
      const more = { ...environment, WORKERS: '2', DATABASE_POOL_SIZE: '1000' }
      const found = (await diagnose(more)).filter(isProblem).filter(({ subject }) => subject === 'database')
      expect(found.map(({ message }) => message)).to.have.length(1)
      expect(found[0]!.message).to.match(/^The service may open 2002 connections, but \w+ can have \d+\.$/)
    })
  }

  it('warns of unknown variables and suggests the variable that was meant', async () => {
    const misspelled = {
      CACHE_SECOND: 'x',
      LECTERN_COLOUR: 'x',
    }
    const found = (await diagnose({ ...environment, ...misspelled, HOME: '/' })).filter(isProblem)
    expect(found.map(({ status, message }) => `${status} ${message}`)).to.deep.equal([
      'warning CACHE_SECOND (environment) is not read. Did you mean CACHE_SECONDS?',
      `warning LECTERN_COLOUR (environment) is not read. ${packagePath('README.md')} lists all settings.`,
    ])
  })

  const defects: [what: string, breakSql: string, repairSql: string, expected: RegExp][] = [
    [
      'a reader role that can read another table',
      'create table public.secret (x int); grant usage on schema public to lectern_reader; grant select on public.secret to lectern_reader',
      'drop table public.secret',
      /^wrong guest: lectern_reader has privileges that a guest must not have: select on public\.secret\.$/,
    ],
    [
      'a reader role that can read hidden content',
      'grant usage on schema wiki to lectern_reader',
      'revoke usage on schema wiki from lectern_reader',
      /^wrong guest: (lectern_reader may use the schema wiki.+ run:\nrevoke all on all tables in schema wiki from lectern_reader, public;\nrevoke all on schema wiki from lectern_reader, public;|.*a guest must not have: usage on schema wiki)/,
    ],
    [
      'rights that the reader role lacks',
      'revoke select on guest.link from lectern_reader; revoke execute on function guest.change_locales from lectern_reader',
      'grant select on guest.link to lectern_reader; grant execute on function guest.change_locales to lectern_reader',
      /^wrong guest: lectern_reader lacks .+ on guest\.\S+ and 1 other right: run `\S+.* migrate` with the DATABASE_URL of the owner in the environment\.$/,
    ],
    [
      'pages that another version of Lectern indexed',
      "update wiki.live_search set index_version = 0 where path_key = 'tea'",
      'update wiki.live_search set index_version = 2',
      /^warning search: The search index is out of date for 1 of 2 pages\.$/,
    ],
    [
      'a migration of a newer version of Lectern',
      "insert into wiki.migration (number, name, digest) values (9999, 'x', '')",
      'delete from wiki.migration where number = 9999',
      SERVER ? /^warning schema: A newer Lectern set up / : /^wrong schema: A newer Lectern set up /,
    ],
    [
      'a wiki without a license',
      'update wiki.wiki set license = null',
      'select 1',
      /^warning wiki: The wiki has no license\.$/,
    ],
  ]
  for (const [what, breakSql, repairSql, expected] of defects) {
    it(`finds ${what}`, async () => {
      for (const one of breakSql.split('; ')) await rowsOf(one)
      try {
        const found = await problemsOf(environment)
        expect(found).to.have.length(1)
        expect(found[0]).to.match(expected)
      } finally {
        for (const one of repairSql.split('; ')) await rowsOf(one)
      }
    })
  }

  it('finds a missing index, and prints the statement that creates it', async () => {
    await rowsOf('drop index wiki.live_link_key')
    const [found, ...others] = (await diagnose(environment)).filter(isProblem)
    expect(others).to.deep.equal([])
    expect(found).to.include({ status: 'wrong', message: 'Indexes are missing: live_link_key.' })
    expect(found!.advice).to.equal(
      "As the owner, run:\ncreate index live_link_key on wiki.live_link (key, locale, path) where key <> '';",
    )
    await rowsOf(found!.advice!.split('\n')[1]!)
    expect(await problemsOf(environment)).to.deep.equal([])
  })

  it('finds a language whose text search configuration this PostgreSQL could improve', async () => {
    await rowsOf(`update wiki.locale set search_config = 'pg_catalog.simple' where locale = 'ru'`)
    const found = await problemsOf(environment)
    expect(found).to.have.length(2)
    expect(found[0]).to.equal('warning search: The search index is out of date for 1 of 2 pages.')
    expect(found[1]).to.match(/another text search configuration for ru/)
  })

  it('finds tables without statistics, as after a restore', async () => {
    await rowsOf(
      'create table wiki.restored as select g as x, repeat(g::text, 20) as y from generate_series(1, 5000) g',
    )
    try {
      const found = await problemsOf(environment)
      expect(found.join()).to.match(/^warning statistics: .*restored/)
    } finally {
      await rowsOf('drop table wiki.restored')
    }
  })

  it('finds URLs in WIKI_ADDRESSES that do not match the languages of the wiki', async () => {
    expect(
      await problemsOf({ ...environment, WIKI_ADDRESSES: 'en=https://x.example,de=https://y.example' }),
    ).to.deep.equal([
      'warning wiki: WIKI_ADDRESSES has no URL for ru: links to these pages lead to the reader.',
      'warning wiki: WIKI_ADDRESSES names de, but the wiki does not have this language.',
    ])
  })

  it('finds an EXAMPLE_PAGE that does not exist in any language', async () => {
    expect(await problemsOf({ ...environment, EXAMPLE_PAGE: 'chai' })).to.deep.equal([])
    expect(await problemsOf({ ...environment, EXAMPLE_PAGE: 'coffee' })).to.deep.equal([
      'warning wiki: EXAMPLE_PAGE: there is no page "coffee", so examples show another one.',
    ])
  })

  const aboutSettings = async (more: Record<string, string>, ...source: Parameters<typeof check>[1][]) => {
    const found: string[] = []
    for await (const { subject, status, message, advice } of check(
      { ...environment, ...ANY_PORT, ...more },
      ...source,
    ))
      if (subject === 'configuration' && status !== 'ok') found.push(`${status} ${message} ${advice}`)
    return found
  }

  it('finds an internal listener that other machines reach', async () => {
    const INTERNAL_HOST = '192.0.2.1'
    const exposed =
      'warning INTERNAL_HOST is 192.0.2.1: all who reach it can send GraphQL without a rate limit'
    const advice = 'Let only your own network reach INTERNAL_PORT.'
    expect(await aboutSettings({ INTERNAL_HOST })).to.deep.equal([
      `${exposed}, and start imports. ${advice} Set FOLLOW_SECRET for the service and the follower.`,
    ])
    const FOLLOW_SECRET = 'a secret of some length'
    expect(await aboutSettings({ INTERNAL_HOST, FOLLOW_SECRET })).to.deep.equal([`${exposed}. ${advice}`])
    for (const loopback of ['127.0.0.1', 'localhost'])
      expect(await aboutSettings({ INTERNAL_HOST: loopback }), loopback).to.deep.equal([])
  })

  it('finds proxies that clients can evade, and no rate limit', async () => {
    const evaded =
      'warning TRUSTED_PROXIES is 3: clients who reach PORT without the proxies can forge their address. Let only the proxies reach PORT, for example with HOST=127.0.0.1.'
    const TRUSTED_PROXIES = '3'
    for (const HOST of ['', '0.0.0.0', '192.0.2.1'])
      expect(await aboutSettings({ TRUSTED_PROXIES, HOST }), HOST).to.deep.equal([evaded])
    expect(await aboutSettings({ TRUSTED_PROXIES, HOST: '127.0.0.1' })).to.deep.equal([])
    expect(await aboutSettings({ RATE_LIMIT: '0' })).to.deep.equal([
      'warning RATE_LIMIT is 0: one client can use the whole service. Set a limit.',
    ])
  })

  it('finds a BASE_URL of a proxy that is not trusted', async () => {
    const BASE_URL = 'https://127.0.0.1:1/api/v1'
    expect(await aboutSettings({ BASE_URL })).to.deep.equal([
      'warning BASE_URL is that of a proxy. With TRUSTED_PROXIES=0, its clients share one rate limit. Set TRUSTED_PROXIES to the number of proxies.',
    ])
    expect(await aboutSettings({ BASE_URL, TRUSTED_PROXIES: '1', HOST: '127.0.0.1' })).to.deep.equal([])
    expect(await aboutSettings({ BASE_URL: 'http://127.0.0.1:1/api/v1' })).to.deep.equal([])
  })

  it('finds a Redis that does not respond', async () => {
    const found = await problemsOf({ ...environment, REDIS_URL: 'redis://:s3cr3t@127.0.0.1:1' })
    expect(found).to.have.length(1)
    expect(found[0])
      .to.match(/^wrong redis: REDIS_URL: .*ECONNREFUSED/)
      .and.not.include('s3cr3t')
  })

  it('says what waits until other problems are solved', async () => {
    const skippedOf = async (settings: Record<string, string>) =>
      (await diagnose(settings)).flatMap(({ subject, status, message }) =>
        status === 'skipped' && message === 'not tried: first correct what is wrong above' ? [subject] : [],
      )
    expect(await skippedOf({ DATA_DIR: '/proc/self/lectern' })).to.deep.equal(['database'])
    expect(await skippedOf({ DATABASE_URL: 'x', PORT: 'x' })).to.deep.equal(['database', 'ports'])
    expect(await skippedOf({ DATABSE_URL: 'x' })).to.deep.equal(['database'])
    expect(await skippedOf({ DATABASE_URL_FIL: 'x' })).to.deep.equal(['database'])
    expect(await skippedOf({ DATABASE_URL: 'postgresql://127.0.0.1:1/x' })).to.deep.equal(['wiki'])
  })

  it('tries the source that it is given, and the folder of its clone', async () => {
    const file = fileURLToPath(import.meta.url)
    const diagnosticsOf = (source: string, options = {}, settings = {}) =>
      diagnose({ ...environment, ...settings }, async (dataDir) =>
        recognizeSource(source, toConnectorOptions({ source: 'main', ...options }, dataDir)),
      )
    const sourceOf = async (...of: Parameters<typeof diagnosticsOf>) => {
      const { status, message } = (await diagnosticsOf(...of)).find(({ subject }) => subject === 'source')!
      return `${status} ${message}`
    }
    expect(await sourceOf(packagePath('.'), { ref: 'none' })).to.match(/^wrong .*none/)
    expect(await sourceOf('/none/x')).to.match(/^wrong "\/none\/x" does not exist\./)
    expect(await sourceOf('http://127.0.0.1:1/tea.git')).to.match(/^wrong The host of http:/)
    if (SERVER) {
      const found = await diagnosticsOf(file, {}, { DATA_DIR: '/proc/self/x' })
      const disk = found.find(({ subject }) => subject === 'disk')!
      expect(`${disk.status} ${disk.message}`).to.match(/^wrong DATA_DIR: this user cannot write/)
    }
  })

  it('accepts the environment file of the follower, which has no ports', async () => {
    const file = join(tmpdir(), `lectern-follower-${process.pid}.env`)
    writeFileSync(file, 'SOURCE=/srv/wiki\nFOLLOW_OPTIONS=--source wiki --every 5m\nHOST=192.0.2.1\n')
    const { stdout, status } = await lecternHere(['check', '--env-file', file], environment)
    expect(stdout)
      .to.match(/^ok +configuration/m)
      .and.match(/^skipped ports +not tried: .* follower, which has none$/m)
    expect(status).to.equal(0)
    rmSync(file)
  })

  it('does not create an embedded database', async () => {
    const dataDir = join(tmpdir(), `lectern-none-${process.pid}`)
    const found = await diagnose({ DATA_DIR: dataDir })
    expect(found.find(({ subject }) => subject === 'database')).to.include({ status: 'ok' })
    expect(existsSync(dataDir)).to.equal(false)
  })

  describe('lectern check: ports', () => {
    const servers: Server[] = []
    afterEach(() => {
      for (const server of servers.splice(0)) server.close()
    })
    const listen = async (server: Server): Promise<string> => {
      servers.push(server)
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return String((server.address() as AddressInfo).port)
    }
    /** Ports of a Lectern, as the settings of a check on the same machine. */
    const runLectern = async (version: string, wiki: string | null, status = 200) => {
      const body =
        status === 200 ? { name: wiki, software: { name: 'Lectern', version } } : { error: { code: 'x' } }
      const api = createServer(({ url }, response) => {
        response.statusCode = url === '/api/v1/' ? status : 404
        response.end(JSON.stringify(body))
      })
      const internal = createServer(({ url }, response) =>
        response.end(url === '/live' ? '{"status":"live"}' : '{"error":{"code":"not_found"}}'),
      )
      const [PORT, INTERNAL_PORT] = [await listen(api), await listen(internal)]
      return { HOST: '127.0.0.1', PORT, INTERNAL_PORT }
    }
    const version = packageVersion()
    const portsOf = async (more: Record<string, string>) =>
      (await diagnose({ ...environment, ...more }))
        .filter(({ subject }) => subject === 'ports')
        .map(({ status, message, advice }) => [`${status} ${message}`, ...(advice ? [advice] : [])].join(' '))

    it('finds a port that another program uses', async () => {
      const port = await listen(createPlainServer((socket) => socket.destroy()))
      expect(await problemsOf({ ...environment, HOST: '127.0.0.1', PORT: port })).to.deep.equal([
        `wrong ports: PORT: another program uses port ${port} of 127.0.0.1, so the service cannot start.`,
      ])
      expect(await problemsOf({ ...environment, INTERNAL_PORT: port })).to.deep.equal([
        `wrong ports: INTERNAL_PORT: another program uses port ${port} of 127.0.0.1, so the service cannot start.`,
      ])
    })

    it('accepts the ports of the running service, and tells its version and wiki', async () => {
      const ports = await runLectern(version, 'Test Wiki')
      expect(await portsOf(ports)).to.deep.equal([
        `ok PORT: Lectern ${version} is running on port ${ports.PORT} of 127.0.0.1, and serves this wiki (Test Wiki)`,
        `ok INTERNAL_PORT: it also uses port ${ports.INTERNAL_PORT} of 127.0.0.1`,
      ])
    })

    it('accepts the ports of a running service whose database is still empty', async () => {
      const { place, remove } = await newPlace()
      const database = await openDatabase(place, 'owner')
      try {
        await migrate(database)
        const ports = await runLectern(version, 'An empty wiki')
        const found = await portsOf({ ...environmentOf(place), ...ports })
        expect(found[0]).to.match(/^ok PORT: Lectern .* and serves this wiki \(An empty wiki\)$/)
      } finally {
        await database.close()
        await remove()
      }
    })

    it('accepts the ports of a running service that has lost its database; says to restart another version', async () => {
      const lost = await runLectern(version, null, 503)
      expect((await portsOf(lost))[0]).to.equal(
        `ok PORT: Lectern is running on port ${lost.PORT} of 127.0.0.1`,
      )
      const older = await runLectern('0.0.9', 'Test Wiki')
      expect((await portsOf(older))[0]).to.equal(
        `warning PORT: Lectern 0.0.9 is running on port ${older.PORT} of 127.0.0.1, and serves this wiki (Test Wiki). ` +
          `This command belongs to Lectern ${version}. If you have upgraded Lectern, restart the service.`,
      )
    })

    it('finds a Lectern that serves another wiki, or whose other port is another one', async () => {
      const ports = await runLectern('0.0.9', 'Coffee')
      expect(await portsOf(ports)).to.deep.equal([
        `wrong PORT: another Lectern (version 0.0.9, wiki "Coffee") uses port ${ports.PORT} of 127.0.0.1, so the service cannot start. Stop it, or set PORT to another port.`,
        `wrong INTERNAL_PORT: another Lectern uses port ${ports.INTERNAL_PORT} of 127.0.0.1, so the service cannot start. Stop it, or set INTERNAL_PORT to another port.`,
      ])
      const same = await runLectern(version, 'Test Wiki')
      expect((await portsOf({ ...same, INTERNAL_PORT: '0' }))[0]).to.match(/^wrong PORT: another Lectern \(/)
      expect((await portsOf({ ...same, PORT: '0' }))[1]).to.match(
        /^wrong INTERNAL_PORT: another Lectern uses/,
      )
    })

    if (SERVER === undefined)
      it('does not take a Lectern for the service of an embedded database that nobody serves', async () => {
        const ports = await runLectern(version, 'Tea Wiki')
        const { place, remove } = await copyTemplate(WITH_SAMPLE)
        try {
          for (const dataDir of [join(tmpdir(), `lectern-unserved-${process.pid}`), place.dataDir]) {
            const [first] = await portsOf({ ...ports, DATA_DIR: dataDir })
            expect(first, dataDir).to.match(/^wrong PORT: another Lectern \(/)
          }
        } finally {
          await remove()
        }
      })

    const addressOf = async (more: Record<string, string>) => {
      const found = (await diagnose({ ...environment, ...more })).filter(
        ({ subject }) => subject === 'address',
      )
      expect(found).to.have.length(1)
      return `${found[0]!.status} ${found[0]!.message.replace(more.BASE_URL!, 'URL')}`
    }

    it('tries BASE_URL while the service runs', async () => {
      const ports = await runLectern(version, 'Test Wiki')
      const lost = await runLectern(version, null, 503)
      const coffee = await runLectern(version, 'Coffee')
      const html = createServer((_, response) => response.end('<html>'))
      const base = (port: string, more = {}) =>
        addressOf({ ...ports, ...more, BASE_URL: `http://127.0.0.1:${port}/api/v1` })
      expect(await base(ports.PORT)).to.equal('ok BASE_URL: URL leads to a Lectern that serves this wiki')
      expect(await base(lost.PORT, lost)).to.match(/^ok /)
      expect(await base(coffee.PORT)).to.equal(
        `wrong BASE_URL: URL leads to another Lectern (version ${version}, wiki "Coffee"), not to this service.`,
      )
      for (const other of [await listen(html), ports.INTERNAL_PORT])
        expect(await base(other)).to.equal(
          'wrong BASE_URL: URL leads to another program, not to this service.',
        )
      expect(await base('1')).to.match(
        /^warning BASE_URL: URL leads to nothing that responds \(.+\), not to this service\.$/,
      )
    })

    it('says that the certificate of BASE_URL is not trusted', async () => {
      const pem = SELF_SIGNED.replaceAll(/^ +/gm, '')
      const port = await listen(createHttpsServer({ key: pem, cert: pem }, (_, response) => response.end()))
      expect(
        await addressOf({ BASE_URL: `https://127.0.0.1:${port}/api/v1`, TRUSTED_PROXIES: '1' }),
      ).to.equal('warning BASE_URL: the certificate of URL is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).')
    })

    it('says why it could not try BASE_URL', async () => {
      const none = await runLectern(version, 'Test Wiki')
      for (const server of servers.splice(0)) server.close()
      expect(await addressOf({ BASE_URL: `http://127.0.0.1:${none.PORT}/api/v1` })).to.equal(
        'skipped not tried: no service runs here, and BASE_URL: URL leads to nothing that responds (ECONNREFUSED)',
      )
    })
  })

  it('prints each diagnostic as text, or as JSON, and ends with status 1 if something is wrong', async () => {
    const good = await lecternHere(['check', packagePath('docs')], { ...environment, ...ANY_PORT })
    expect(good).to.include({ status: 0, stderr: '' })
    expect(good.stdout)
      .to.match(/^ok +node +Node /m)
      .and.match(/^ok +source +a folder, which can be read$/m)
      .and.match(SERVER ? /\nwarnings: 1, wrong: 0, skipped: 1\n$/ : /\nwarnings: 0, wrong: 0, skipped: 0\n$/)
    expect(good.stdout).not.to.include('\u001b')
    const bad = await lecternHere(['check', '--json'], {
      ...environment,
      ...ANY_PORT,
      RATE_LIMIT: 'x',
      WORKERS: '64',
    })
    expect(bad.status).to.equal(1)
    const report = JSON.parse(bad.stdout)
    expect(report).to.include({ ok: false, wrong: 1 })
    expect(report.warnings, 'a server may have too few connections, and another login').to.be.within(1, 3)
    const [warned] = report.findings.filter(({ status }: Diagnostic) => status === 'warning')
    expect(warned.says).to.match(/^WORKERS \(environment\) is 64, but this machine has/)
    expect(report.findings.find(({ status }: Diagnostic) => status === 'wrong')).to.deep.equal({
      about: 'configuration',
      status: 'wrong',
      says: 'RATE_LIMIT (environment) must be a whole number from 0 to 100000000, but is "x".',
    })
  })

  if (SERVER !== undefined) {
    it('finds a database that is not set up', async () => {
      const { place, remove } = await newPlace()
      try {
        expect(await problemsOf(environmentOf(place))).to.deep.equal([
          `wrong schema: DATABASE_URL: the database ${new URL(place.databaseUrl!).pathname.slice(1)} is not set up for this Lectern: run \`lectern migrate\` first, with the DATABASE_URL of the owner in the environment.`,
        ])
      } finally {
        await remove()
      }
    })

    const onlyMigrates = async (settings: Record<string, string>): Promise<void> => {
      await withConnection(owner, (client) =>
        client.query('revoke usage on schema guest from lectern_reader'),
      )
      const [problem] = await problemsOf(settings)
      await migrate(owner)
      expect(problem)
        .to.match(/or lectern_reader may not use schema guest\./)
        .and.include('If it is a member, run `migrate` with the login of the owner.')
    }

    it('says to let the login of the service be the reader, and what only the owner can check', async () => {
      await rowsOf('create role checking login')
      try {
        const url = new URL(environment.DATABASE_URL!)
        url.username = 'checking'
        const settings = { ...environment, DATABASE_URL: url.href }
        expect(await problemsOf(settings)).to.deep.equal([
          'wrong database: DATABASE_URL: its user is not a member of lectern_reader, or lectern_reader may not use schema guest. As an administrator, run `grant lectern_reader to "checking"`. If it is a member, run `migrate` with the login of the owner.',
        ])
        await rowsOf('grant lectern_reader to checking')
        await onlyMigrates(settings)
        const found = await diagnose(settings)
        expect(found.find(({ subject }) => subject === 'statistics')).to.include({ status: 'skipped' })
        const schema = found.find(({ subject }) => subject === 'schema')
        expect(schema?.message).to.match(/^migration \d+, which this version can serve$/)
      } finally {
        await rowsOf('drop role checking')
      }
    })

    it('finds a service that reads with a login that may write, and says if no other login can serve', async () => {
      const { place, remove } = await copyTemplate(WITH_SAMPLE)
      const settings = environmentOf(place)
      const database = new URL(place.databaseUrl!).pathname.slice(1)
      const loginOf = async (url = {}) => {
        const found = (await diagnose({ ...settings, ...url })).filter(({ subject }) => subject === 'login')
        expect(found).to.have.length(1)
        return `${found[0]!.status} ${found[0]!.message} ${found[0]!.advice}`
      }
      try {
        // Logins of other tests, which run at the same time, must not count.
        await rowsOf(`revoke connect on database ${database} from public`)
        expect(await loginOf()).to.match(
          /^warning No login may only read .* run:\ncreate role lectern_web login [^\n]*;\nName lectern_web in/,
        )
        await rowsOf('create role lectern_web login')
        expect(await loginOf()).to.match(/ run:\ngrant lectern_reader to lectern_web;\nName lectern_web in/)
        await rowsOf('create role checking login in role lectern_reader')
        await rowsOf(`grant connect on database ${database} to checking`)
        // The server may still end the session of the last check.
        await rowsOf(
          `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '${database}'`,
        )
        expect(await loginOf()).to.match(
          /^warning \w+, which DATABASE_URL names, may also change the wiki\. Name checking in the DATABASE_URL/,
        )
        const asChecking = Object.assign(new URL(settings.DATABASE_URL!), { username: 'checking' })
        expect(await loginOf({ DATABASE_URL: asChecking.href })).to.equal(
          'ok checking can serve, and may do nothing else undefined',
        )
        await findsGrantsOf('checking', place, asChecking.href)
        await rowsOf(`alter database ${database} owner to checking`)
        expect(await loginOf(), 'not the owner').to.match(
          / run:\ngrant lectern_reader to lectern_web;\nName lectern_web in/,
        )
        await rowsOf('grant checking to lectern_web')
        expect(await loginOf(), 'no member of it').to.match(/ run:\ncreate role lectern_guest login /)
        // An owner's own rights pass to the next owner.
        await rowsOf(`revoke checking from lectern_web; alter database ${database} owner to current_user`)
        await rowsOf(`grant connect on database ${database} to checking`)
        const service = await openDatabase(place, 'reader')
        expect(await loginOf()).to.match(
          /^warning A service reads with \w+ \(a superuser\), which may also change the wiki\. Name checking in the DATABASE_URL/,
        )
        await service.close()
      } finally {
        await remove()
        await rowsOf('drop role checking, lectern_web')
      }
    })

    /** Grants a login of the service what has drafts, and again revokes it as the check says. */
    const findsGrantsOf = async (login: string, place: DatabaseOptions, url: string): Promise<void> => {
      const database = await openDatabase(place, 'owner')
      const run = (text: string) => withConnection(database, (client) => client.query(text))
      const settings = { ...environmentOf(place), DATABASE_URL: url, PORT: '0', INTERNAL_PORT: '0' }
      const found = async () => (await diagnose(settings)).find(({ subject }) => subject === 'login')!
      try {
        for (const grant of [
          `grant usage on schema wiki to ${login}; grant all on all tables in schema wiki to ${login}`,
          `grant pg_read_all_data to ${login}`,
        ]) {
          await run(grant)
          const { status, message, advice } = await found()
          expect(`${status} ${message}`).to.match(
            /^warning checking may also use the tables of the schema wiki/,
          )
          const service = start(['serve'], { ...settings, LOG_FORMAT: 'json' })
          await until('the service serves', () => service.logged().includes('"msg":"serving"'))
          expect(service.logged()).to.include('"msg":"checking may do more than serve')
          service.process.kill('SIGTERM')
          await service.ended
          await run(advice!.slice(advice!.indexOf('\n')))
          expect(await found()).to.include({ status: 'ok' })
        }
      } finally {
        await database.close()
      }
    }

    it('says to migrate an older database, not to grant rights, also to the login of the service', async () => {
      await rowsOf("comment on schema guest is 'Lectern, migration 0'")
      await rowsOf('create role checking login in role lectern_reader')
      try {
        const url = new URL(environment.DATABASE_URL!)
        url.username = 'checking'
        const found = await problemsOf({ ...environment, DATABASE_URL: url.href })
        expect(found).to.have.length(1)
        expect(found[0]).to.match(/^wrong schema: Another version of Lectern .*`lectern migrate`/)
      } finally {
        await rowsOf('drop role checking')
        await migrate(owner)
      }
    })

    it('without the primary: says which replicas serve', async () => {
      const lost = { DATABASE_URL: 'postgresql://ada@127.0.0.1:1/tea', PREPARED_STATEMENTS: 'true' }
      const found = await diagnose({
        ...environment,
        ...lost,
        DATABASE_REPLICA_URLS: environment.DATABASE_URL!,
      })
      const told = found.map(({ status, subject, message }) => `${status} ${subject}: ${message}`)
      expect(told.filter((line) => line.startsWith('wrong')))
        .to.have.length(1)
        .and.match(/^wrong database/)
      expect(told.join('\n')).to.match(/ok replica 1: can be read, and serves while the primary is away/)
      expect(told.join('\n')).to.include('skipped wiki')
    })

    it('finds a replica that cannot be reached, and warns of the primary as one', async () => {
      const replicas = `${environment.DATABASE_URL},postgresql://ada:s3cr3t@127.0.0.1:1/tea`
      const found = await problemsOf({ ...environment, DATABASE_REPLICA_URLS: replicas })
      expect(found).to.have.length(2)
      expect(found[0]).to.match(/^warning replica 1: It is the primary itself/)
      expect(found[1])
        .to.match(/^wrong replica 2: DATABASE_REPLICA_URLS.*: .*nothing listens there/)
        .and.not.include('s3cr3t')
    })

    it('knows a replica that has become the primary of several hosts', async () => {
      const one = environment.DATABASE_URL!
      const url = new URL(one)
      const settings = {
        ...environment,
        DATABASE_URL: one.replace(url.host, `127.0.0.1:1,${url.host}`),
        DATABASE_REPLICA_URLS: one,
      }
      expect(await problemsOf(settings)).to.deep.equal([
        'warning replica 1: Since a failover, it is the primary: no replica is left.',
      ])
      expect(await problemsOf({ ...settings, DATABASE_REPLICA_URLS: `${one},${one}` })).to.deep.equal([])
    })
  }
})
