import { expect } from 'chai'
import { lectern as command } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { importWorld } from './support/import-world.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startReplica, startWiki } from './support/postgres.ts'
import { startProxy } from './support/proxy.ts'

let uncachedPaths = 0
/** A path that was not requested before, so that a database server is read. */
const uncached = () => `/pages?after=${uncachedPaths++}`

const importName = (name: string, databaseUrl: string) => importWorld(databaseUrl, { name, locales: ['en'] })
const nameOf = async (lectern: Lectern) => JSON.parse((await lectern.get('/')).text).name
const expectShownAtOnce = async (lectern: Lectern, name: string) =>
  takesAtMost(
    1000,
    'an import shows, after a failover',
    await until('the import shows', async () => (await nameOf(lectern)) === name),
  )

/** One URL that names several servers. */
const urlOf = (servers: readonly { port: number }[], parameters = '') =>
  `postgresql://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres${parameters}`

describe('database with several servers', () => {
  let primary: Postgres
  let standby: Postgres
  beforeEach(async () => {
    primary = await startWiki()
    standby = await startReplica(primary)
  })
  let lectern: Lectern | undefined
  afterEach(async () => {
    await lectern?.stop()
    lectern = undefined
    await Promise.all([standby, primary].map((one) => one?.remove()))
  })
  const untilServed = (of = lectern!) =>
    until('a request gets 200', async () => (await of.get(uncached())).status === 200)

  it('without a primary, an error says of each server why it is not used; after the failover, the service and imports use the promoted standby, and imports show at once', async () => {
    // Lectern skips the standby, which is first in the list, because it cannot write there.
    const url = urlOf([standby, primary])
    lectern = await startLectern({ DATABASE_URL: url })
    await importName('Before', url)
    await expectShownAtOnce(lectern, 'Before')
    await until('the standby has it', async () => {
      const [row] = await standby.query('select name from wiki.wiki')
      return row!.name === 'Before'
    })
    await primary.stop('immediate')
    expect((await lectern.get(uncached())).status).to.equal(503)
    const refused = await command(['migrate'], { DATABASE_URL: `${url}?target_session_attrs=read-write` })
    expect(refused.status).to.equal(1)
    expect(refused.stderr)
      .to.include(`127.0.0.1:${primary.port}: nothing listens there`)
      .and.include(`127.0.0.1:${standby.port}: The server is a standby, not the primary`)
    await standby.promote()
    takesAtMost(3000, 'the promoted standby serves', await untilServed())
    // A request can be the first to connect; the next heartbeat notices it, too.
    await until('the service is ready', async () => (await lectern!.ready()).status === 200)
    expect(await nameOf(lectern)).to.equal('Before')
    await importName('After', url)
    await expectShownAtOnce(lectern, 'After')
    expect(lectern.logged()).to.include('Switched to another database server')
    const checked = await command(['check', '--json'], { DATABASE_URL: url, PORT: '0', INTERNAL_PORT: '0' })
    expect(
      JSON.parse(checked.stdout).findings.filter((one: { status: string }) => one.status === 'wrong'),
    ).to.deep.equal([])
    expect((await command(['migrate'], { DATABASE_URL: url })).status).to.equal(0)
  })

  it('with target_session_attrs=any the standby serves, and imports show once it is promoted', async () => {
    const url = urlOf([primary, standby], '?target_session_attrs=any')
    lectern = await startLectern({ DATABASE_URL: url })
    await primary.stop('immediate')
    takesAtMost(3000, 'the standby serves', await untilServed())
    await standby.promote()
    await until('it is a primary', async () => {
      const [row] = await standby.query('select pg_is_in_recovery() as standby')
      return row!.standby === false
    })
    expect((await lectern.get(uncached())).status).to.equal(200)
    await importName('After', url)
    await expectShownAtOnce(lectern, 'After')
  })

  it('when the host name leads to another server, the service uses that server within DATABASE_CONNECTION_LIFETIME', async () => {
    const proxy = await startProxy(primary.port)
    try {
      const url = `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`
      lectern = await startLectern({
        DATABASE_URL: url,
        DATABASE_CONNECTION_LIFETIME: '1',
        CACHE_SECONDS: '0',
      })
      await untilServed()
      await standby.promote()
      proxy.leadTo(standby.port)
      await standby.query("update wiki.wiki set name = 'Elsewhere'")
      const ms = await until(
        'the service reads from the other server',
        async () => (await nameOf(lectern!)) === 'Elsewhere',
      )
      takesAtMost(
        8000,
        'a host name leads to another server and is followed: 1 s of lifetime, 5 s for names',
        ms,
      )
      await importName('Notified', url)
      await expectShownAtOnce(lectern, 'Notified')
      expect(lectern.logged()).not.to.include('Lost a database server')
    } finally {
      await proxy.stop()
    }
  })
})
