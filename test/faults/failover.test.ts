import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { lectern as command } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { type Lectern, startLectern } from './support/lectern.ts'
import { takesAtMost } from './support/measured.ts'
import { type Postgres, startReplica, startWiki } from './support/postgres.ts'
import { startProxy } from './support/proxy.ts'

let asked = 0
/** Never asked for before, so that it is read from a database. */
const uncached = () => `/pages?after=${asked++}`

const importName = async (name: string, databaseUrl: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-failover-'))
  const file = join(folder, 'wiki.ndjson')
  const wiki = { type: 'wiki', name, default_locale: 'en', locales: [{ locale: 'en', name: 'English' }] }
  await writeFile(file, `${JSON.stringify(wiki)}\n`)
  const { status, stderr } = await command(['import', 'ndjson', file], { DATABASE_URL: databaseUrl })
  await rm(folder, { recursive: true })
  expect(status, stderr).to.equal(0)
}
const nameOf = async (lectern: Lectern) => JSON.parse((await lectern.get('/')).text).name
const isShownAtOnce = async (lectern: Lectern, name: string) =>
  takesAtMost(
    1000,
    'an import shows, after a failover',
    await until('the import shows', async () => (await nameOf(lectern)) === name),
  )

/** One address of several servers. */
const addressOf = (servers: readonly { port: number }[], parameters = '') =>
  `postgresql://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres${parameters}`

describe('a database of several servers', () => {
  let primary: Postgres
  let standby: Postgres
  beforeEach(async function () {
    this.timeout(60_000)
    primary = await startWiki()
    standby = await startReplica(primary)
  })
  let lectern: Lectern | undefined
  afterEach(async () => {
    await lectern?.stop()
    lectern = undefined
    await Promise.all([standby, primary].map((one) => one?.remove()))
  })
  const answers = (of = lectern!) =>
    until('it answers', async () => (await of.get(uncached())).status === 200)

  it('is followed to the promoted standby, imports too, and these show at once', async () => {
    // The standby is named first: it is passed over, since it is none to write to.
    const url = addressOf([standby, primary])
    lectern = await startLectern({ DATABASE_URL: url })
    await importName('Before', url)
    await isShownAtOnce(lectern, 'Before')
    await until('the standby has it', async () => {
      const [row] = await standby.query('select name from wiki.wiki')
      return row!.name === 'Before'
    })
    await primary.stop('immediate')
    expect((await lectern.get(uncached())).status).to.equal(503)
    await standby.promote()
    takesAtMost(3000, 'an answer from the promoted standby', await answers())
    expect((await lectern.ready()).status).to.equal(200)
    expect(await nameOf(lectern)).to.equal('Before')
    await importName('After', url)
    await isShownAtOnce(lectern, 'After')
    expect(lectern.logged()).to.include('Switched to another database server')
    const checked = await command(['check', '--json'], { DATABASE_URL: url, PORT: '0', INTERNAL_PORT: '0' })
    expect(
      JSON.parse(checked.stdout).findings.filter((one: { status: string }) => one.status === 'wrong'),
    ).to.deep.equal([])
    expect((await command(['migrate'], { DATABASE_URL: url })).status).to.equal(0)
  })

  it('with target_session_attrs=any goes on with the standby, and hears of imports once that is promoted', async () => {
    const url = addressOf([primary, standby], '?target_session_attrs=any')
    lectern = await startLectern({ DATABASE_URL: url })
    await primary.stop('immediate')
    takesAtMost(3000, 'an answer from the standby', await answers())
    await standby.promote()
    await until('it is a primary', async () => {
      const [row] = await standby.query('select pg_is_in_recovery() as standby')
      return row!.standby === false
    })
    expect((await lectern.get(uncached())).status).to.equal(200)
    await importName('After', url)
    await isShownAtOnce(lectern, 'After')
  })

  it('of which none is the primary: says so of each, by name', async () => {
    await primary.stop()
    const url = addressOf([primary, standby], '?target_session_attrs=read-write')
    const { status, stderr } = await command(['migrate'], { DATABASE_URL: url })
    expect(status).to.equal(1)
    expect(stderr)
      .to.include(`127.0.0.1:${primary.port}: nothing listens there`)
      .and.include(`127.0.0.1:${standby.port}: The server is a standby, not the primary`)
  })

  it('with one address that comes to lead elsewhere: is followed there within DATABASE_CONNECTION_LIFETIME', async () => {
    const proxy = await startProxy(primary.port)
    try {
      const url = `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`
      lectern = await startLectern({
        DATABASE_URL: url,
        DATABASE_CONNECTION_LIFETIME: '1',
        CACHE_SECONDS: '0',
      })
      await answers()
      await standby.promote()
      proxy.leadTo(standby.port)
      await standby.query("update wiki.wiki set name = 'Elsewhere'")
      const followed = await until(
        'the other server is read from',
        async () => (await nameOf(lectern!)) === 'Elsewhere',
      )
      takesAtMost(
        8000,
        'an address that leads elsewhere is followed, a lifetime of 1 s and 5 s for names',
        followed,
      )
      await importName('Heard', url)
      await isShownAtOnce(lectern, 'Heard')
      expect(lectern.logged()).not.to.include('is lost')
    } finally {
      await proxy.stop()
    }
  })
})
