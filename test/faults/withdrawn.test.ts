import { expect } from 'chai'
import { statement } from '../../src/db/statements.ts'
import { lectern as command } from '../support/cli.ts'
import { until } from '../support/until.ts'
import { importWorld } from './support/import-world.ts'
import { type Lectern, type LecternResponse, startLectern } from './support/lectern.ts'
import { type Postgres, startReplica, startWiki } from './support/postgres.ts'

const SECRET = 'Zweigelt'

/** Imports the page `secret` as a live page, or withdraws it: imports it as a draft. */
const importSecret = (state: 'live' | 'draft', databaseUrl: string): Promise<void> => {
  const id = '0190c1aa-0000-7000-8000-000000000001'
  const revisions = [{ id, title: SECRET, markdown: `${SECRET} is hidden.` }]
  return importWorld(databaseUrl, { pages: [{ path: 'secret', state, revisions }] })
}

describe('page that was withdrawn, while no replica has replayed the withdrawal', () => {
  let primary: Postgres
  let replica: Postgres
  let lectern: Lectern

  before(async () => {
    primary = await startWiki()
    replica = await startReplica(primary)
    lectern = await start()
  })
  after(async () => {
    await lectern?.stop()
    await Promise.all([replica, primary].map((one) => one?.remove()))
  })
  const start = () =>
    startLectern({
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: replica.url,
      MAX_REPLICA_LAG: '60',
      CACHE_SECONDS: '0',
    })

  const PATHS = [
    '/pages/secret',
    '/pages/secret?format=html',
    '/revisions/0190c1aa-0000-7000-8000-000000000001',
    `/search?q=${SECRET}`,
  ]
  const getAll = (of = lectern): Promise<LecternResponse[]> => Promise.all(PATHS.map((path) => of.get(path)))
  const isShown = ({ status, text }: LecternResponse): boolean => status === 200 && text.includes(SECRET)
  const shownCount = (responses: LecternResponse[]) => responses.filter(isShown).length

  beforeEach(async () => {
    await importSecret('live', primary.url)
    await until('the page is shown', async () => shownCount(await getAll()) === PATHS.length)
    await until('the service reads from the replica', async () => {
      const metrics = await (await fetch(`${lectern.internalUrl}/metrics`)).text()
      return metrics.includes('lectern_database_up{server="replica 1"} 1')
    })
    await replica.query('select pg_wal_replay_pause()')
    await importSecret('draft', primary.url)
    await until('the page is hidden', async () => shownCount(await getAll()) === 0)
  })
  afterEach(() => replica.query('select pg_wal_replay_resume()'))

  const isNotReady = async (of = lectern) => (await of.ready()).status === 503

  it('stays hidden while the primary is frozen, and afterwards', async () => {
    primary.freeze()
    try {
      const notReady = until('the loss of the primary is noticed', () => isNotReady())
      for (let isOver = false; !isOver; ) {
        isOver = await Promise.race([
          notReady.then(() => true),
          getAll().then((responses) => shownCount(responses) > 0),
        ])
        expect(shownCount(await getAll())).to.equal(0)
      }
      for (const { status } of await getAll()) expect(status).to.equal(503)
    } finally {
      primary.thaw()
    }
    await until('the primary is back', async () => !(await isNotReady()))
    expect((await getAll()).map(({ status }) => status)).to.deep.equal([404, 404, 404, 200])
    expect(shownCount(await getAll())).to.equal(0)
  })

  it('stays hidden when the primary stops; the replica serves once it has replayed the withdrawal', async () => {
    await primary.stop('immediate')
    try {
      await until('the loss of the primary is noticed', () => isNotReady())
      for (const { status } of await getAll()) expect(status).to.equal(503)
      await replica.query('select pg_wal_replay_resume()')
      await until(
        'the service reads from the replica',
        async () => (await lectern.get('/pages/sencha')).status === 200,
      )
      expect((await getAll()).map(({ status }) => status)).to.deep.equal([404, 404, 404, 200])
      expect(shownCount(await getAll())).to.equal(0)
    } finally {
      await primary.start()
    }
    await until('the primary is back', async () => !(await isNotReady()))
  })

  it('a service that starts while the primary is away starts only when the replica has replayed what it received, so the page stays hidden', async () => {
    await primary.stop('immediate')
    let other: Lectern | undefined
    try {
      const { status, stderr } = await command(['serve'], {
        DATABASE_URL: primary.url,
        DATABASE_REPLICA_URLS: replica.url,
        PORT: '0',
        INTERNAL_PORT: '0',
      })
      expect(status).to.equal(1)
      expect(stderr).to.match(/^lectern: No database server can be read from: .*\n$/)
      await replica.query('select pg_wal_replay_resume()')
      await until('the replica has replayed it', async () => {
        // A primary can end within a record of its log, which nobody can replay.
        const [row] = await replica.query(statement('check_heartbeat').text)
        return row!.position === row!.received
      })
      other = await start()
      expect((await getAll(other)).map(({ status }) => status)).to.deep.equal([404, 404, 404, 200])
      expect(shownCount(await getAll(other))).to.equal(0)
    } finally {
      await other?.stop()
      await primary.start()
    }
    await until('the primary is back', async () => !(await isNotReady()))
  })
})
